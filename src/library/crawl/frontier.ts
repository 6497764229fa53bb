// The crawler's memory: which sites it was given, and which addresses of each are waiting, read or failed.
// In the database and not in the process, so that a crawl that was interrupted goes on where it stopped.
import { type Kysely, sql } from 'kysely'
import type { Library } from '../page-index.ts'
import type { LibraryTables } from '../schema.ts'

export type FrontierState = LibraryTables['frontier']['state']

export interface CrawlBounds {
  pageLimit: number
  depthLimit: number
  /** The least pause between two requests to the site. */
  delayMs: number
}

/** An address to read, and what the site's sitemap says about its last change (ISO 8601). */
export interface FoundAddress {
  url: string
  sitemapDate: string | null
}

export interface SiteSummary extends CrawlBounds {
  url: string
  /** ISO 8601, null while the crawl is not finished. */
  finishedAt: string | null
  counts: Record<FrontierState, number>
}

/** `depth` is the number of links from the site's own address. */
export type WaitingAddress = FoundAddress & { depth: number }

export type Frontier = ReturnType<typeof createFrontier>

type Database = Kysely<LibraryTables>

const ROWS_PER_INSERT = 500

// PostgreSQL counts in bigint, which its driver gives as a string.
const countRows = sql<number>`cast(count(*) as integer)`

export function createFrontier({ database, write }: Pick<Library, 'database' | 'write'>) {
  return {
    /**
     * Prepares a crawl of the site. True when an earlier one was interrupted and goes on; else what was known of the
     * site's addresses is forgotten (its pages are not) and the crawl starts anew from the site's own address.
     */
    openSite: (url: string, bounds: CrawlBounds): Promise<boolean> =>
      write((transaction) => openSite(transaction, url, bounds)),

    /** Adds addresses that are not known yet, in their order, until the site has `knownMax` of them. */
    enqueue: (
      siteUrl: string,
      found: readonly FoundAddress[],
      depth: number,
      knownMax: number,
    ): Promise<void> => write((transaction) => enqueue(transaction, siteUrl, found, depth, knownMax)),

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
    async settle(
      siteUrl: string,
      urls: readonly string[],
      depth: number,
      state: FrontierState,
    ): Promise<void> {
      const facts = { site_url: siteUrl, depth, position: 0, state, sitemap_date: null }
      const rows = [...new Set(urls)].map((url) => Object.assign({ url }, facts))
      await database
        .insertInto('frontier')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['site_url', 'url']).doUpdateSet({ state }))
        .execute()
    },

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

    async finish(siteUrl: string): Promise<void> {
      const finished = { finished_at: new Date().toISOString() }
      await database.updateTable('site').set(finished).where('url', '=', siteUrl).execute()
    },

    /** Every site that was crawled or is being crawled, by address. */
    listSites: (): Promise<SiteSummary[]> => listSites(database),

    /** Forgets the site and its addresses, not its pages; false when it is not known. */
    removeSite: (url: string): Promise<boolean> =>
      write(async (transaction) => {
        await transaction.deleteFrom('frontier').where('site_url', '=', url).execute()
        const gone = await transaction.deleteFrom('site').where('url', '=', url).executeTakeFirst()
        return gone.numDeletedRows > 0n
      }),
  }
}

async function openSite(database: Database, url: string, bounds: CrawlBounds): Promise<boolean> {
  const site = await database
    .selectFrom('site')
    .select('finished_at')
    .where('url', '=', url)
    .executeTakeFirst()
  const settled = await database
    .selectFrom('frontier')
    .select('url')
    .where('site_url', '=', url)
    .where('state', '!=', 'waiting')
    .limit(1)
    .executeTakeFirst()
  // A crawl that ended before its first page has not read the sitemaps either.
  const isResumed = site !== undefined && site.finished_at === null && settled !== undefined
  if (!isResumed) {
    await database.deleteFrom('frontier').where('site_url', '=', url).execute()
    await enqueue(database, url, [{ url, sitemapDate: null }], 0, 1)
  }
  const { pageLimit, depthLimit, delayMs } = bounds
  const row = { page_limit: pageLimit, depth_limit: depthLimit, delay_ms: delayMs, finished_at: null }
  await database
    .insertInto('site')
    .values({ url, ...row })
    .onConflict((conflict) => conflict.column('url').doUpdateSet(row))
    .execute()
  return isResumed
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

async function listSites(database: Database): Promise<SiteSummary[]> {
  const sites = await database.selectFrom('site').selectAll().orderBy('url').execute()
  const rows = await database
    .selectFrom('frontier')
    .select(['site_url', 'state', countRows.as('count')])
    .groupBy(['site_url', 'state'])
    .execute()
  return sites.map((site) => {
    const counts: SiteSummary['counts'] = { waiting: 0, read: 0, failed: 0, skipped: 0 }
    for (const row of rows) if (row.site_url === site.url) counts[row.state] = row.count
    return {
      url: site.url,
      pageLimit: site.page_limit,
      depthLimit: site.depth_limit,
      delayMs: site.delay_ms,
      finishedAt: site.finished_at,
      counts,
    }
  })
}
