// The crawler's memory: the sites it was given, and which addresses of each are waiting, read or failed, and why.
// In the database and not in the process, so that a crawl that was interrupted goes on where it stopped.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Library } from '../page-index.ts'
import type { LibraryTables } from '../schema.ts'
import { createCrawledSites } from './crawled-sites.ts'

type FrontierState = LibraryTables['frontier']['state']

/** An address to read, and what the site's sitemap says about its last change (ISO 8601). */
export interface FoundAddress {
  url: string
  sitemapDate: string | null
}

/** An address that gave no page. */
export interface AddressFailure {
  url: string
  outcome: 'failed' | 'skipped'
  reason: string | null
}

/** `depth` is the number of links from the site's own address. */
export type WaitingAddress = FoundAddress & { depth: number }

export type Frontier = ReturnType<typeof createFrontier>

type Database = Kysely<LibraryTables>

const ROWS_PER_INSERT = 500
/** Addresses that one transaction adds: other writers and, with SQLite, the thread that serves requests wait for it. */
const ADDRESSES_AT_ONCE = 2_000
const REASON_CHARACTERS_MAX = 300

// PostgreSQL counts in bigint, which its driver gives as a string.
const countRows = sql<number>`cast(count(*) as integer)`

export function createFrontier({ database, write }: Pick<Library, 'database' | 'write'>) {
  return {
    ...createCrawledSites({ database, write }),

    /**
     * Adds addresses that are not known yet, in their order, until the site has `knownMax` of them; none to a site that
     * was removed.
     */
    async enqueue(
      siteUrl: string,
      found: readonly FoundAddress[],
      depth: number,
      knownMax: number,
    ): Promise<void> {
      for (let start = 0; start < found.length; start += ADDRESSES_AT_ONCE) {
        const some = found.slice(start, start + ADDRESSES_AT_ONCE)
        await write(async (transaction) => {
          const site = transaction.selectFrom('site').select('url').where('url', '=', siteUrl)
          if ((await site.executeTakeFirst()) !== undefined)
            await enqueue(transaction, siteUrl, some, depth, knownMax)
        })
        await nextTurn()
      }
    },

    /** The waiting address that was found first on the shortest way, or undefined when all are done. */
    next: (siteUrl: string): Promise<WaitingAddress | undefined> =>
      database
        .selectFrom('frontier')
        .select(['url', 'depth', 'sitemap_date as sitemapDate'])
        .where('site_url', '=', siteUrl)
        .where('state', '=', 'waiting')
        .orderBy('depth')
        .orderBy('position')
        .limit(1)
        .executeTakeFirst(),

    /** Settles the addresses, known before or not. */
    settle: (siteUrl: string, urls: readonly string[], depth: number, settled: Settled): Promise<void> =>
      settle(database, siteUrl, urls, depth, settled),

    /** Whether this crawl has read the page of the address. */
    isRead: (siteUrl: string, url: string): Promise<boolean> => isRead(database, siteUrl, url),

    /** Puts a waiting address behind those that are as far from the site's own. */
    async postpone(siteUrl: string, url: string): Promise<void> {
      await database
        .updateTable('frontier')
        .set((build) => ({
          position: build
            .selectFrom('frontier as other')
            .select(sql<number>`max(other.position) + 1`.as('last'))
            .where('other.site_url', '=', siteUrl),
        }))
        .where('site_url', '=', siteUrl)
        .where('url', '=', url)
        .execute()
    },

    /** Addresses of the site that gave no page: those that failed, then those that were skipped. */
    listFailures: (siteUrl: string, limit: number): Promise<AddressFailure[]> =>
      database
        .selectFrom('frontier')
        .select(['url', 'state as outcome', 'reason'])
        .$narrowType<{ outcome: AddressFailure['outcome'] }>()
        .where('site_url', '=', siteUrl)
        .where('state', 'in', ['failed', 'skipped'])
        .orderBy('state')
        .orderBy('url')
        .limit(limit)
        .execute(),
  }
}

async function isRead(database: Database, siteUrl: string, url: string): Promise<boolean> {
  const row = await database
    .selectFrom('frontier')
    .select('state')
    .where('site_url', '=', siteUrl)
    .where('url', '=', url)
    .executeTakeFirst()
  return row?.state === 'read'
}

interface Settled {
  state: FrontierState
  /** Why there is no page; null when there is one. */
  reason: string | null
}

async function settle(
  database: Database,
  siteUrl: string,
  urls: readonly string[],
  depth: number,
  { state, reason }: Settled,
): Promise<void> {
  const cut = reason?.slice(0, REASON_CHARACTERS_MAX) ?? null
  const facts = { site_url: siteUrl, depth, position: 0, state, sitemap_date: null, reason: cut }
  const rows = [...new Set(urls)].map((url) => Object.assign({ url }, facts))
  if (rows.length === 0) return
  await database
    .insertInto('frontier')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['site_url', 'url']).doUpdateSet({ state, reason: cut }))
    .execute()
}

async function enqueue(
  database: Database,
  siteUrl: string,
  found: readonly FoundAddress[],
  depth: number,
  knownMax: number,
): Promise<void> {
  const { count } = await database
    .selectFrom('frontier')
    .select(countRows.as('count'))
    .where('site_url', '=', siteUrl)
    .executeTakeFirstOrThrow()
  // Once each: PostgreSQL changes no row twice in one statement.
  const unique = new Map(found.map(({ url, sitemapDate }) => [url, sitemapDate]))
  const rows = [...unique].slice(0, Math.max(0, knownMax - count)).map(([url, sitemapDate], index) => ({
    site_url: siteUrl,
    url,
    sitemap_date: sitemapDate,
    depth,
    position: count + index,
    state: 'waiting' as const,
    reason: null,
  }))
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await database
      .insertInto('frontier')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict
          .columns(['site_url', 'url'])
          .doUpdateSet({ sitemap_date: sql`coalesce(excluded.sitemap_date, frontier.sitemap_date)` }),
      )
      .execute()
  }
}
