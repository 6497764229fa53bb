// How pages are forgotten: few in one transaction, because other writers and the thread that serves requests wait for it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { LibraryTables, SearchIndex } from './schema.ts'

/** Pages that one transaction forgets. */
const REMOVED_AT_ONCE = 100

/** A page that could not be read this time stays: the site may have been ill. */
const KEEPING_STATES: readonly LibraryTables['frontier']['state'][] = ['read', 'failed']

/** Runs `work` in a transaction that no other writer disturbs. */
export type Write = <T>(work: (transaction: Kysely<LibraryTables>) => Promise<T>) => Promise<T>

/** Forgets these pages and what is found by them. */
async function removePages(
  transaction: Kysely<LibraryTables>,
  index: SearchIndex,
  pages: readonly { id: number }[],
): Promise<void> {
  for (const { id } of pages) {
    await index.remove(transaction, id)
    await transaction.deleteFrom('page').where('id', '=', id).execute()
  }
}

interface SomePage {
  id: number
  url: string
}

/**
 * Forgets the pages of `origin` that `select` finds, some in each transaction; returns how many. Those that the crawl of
 * another site came upon, too, become pages of that one.
 */
async function removeInTurns(
  write: Write,
  index: SearchIndex,
  origin: string,
  select: (transaction: Kysely<LibraryTables>) => SelectQueryBuilder<LibraryTables, 'page', SomePage>,
): Promise<number> {
  let removed = 0
  for (;;) {
    const { found, gone } = await write(async (transaction) => {
      const pages = await select(transaction).limit(REMOVED_AT_ONCE).execute()
      const kept = await handOver(transaction, origin, pages)
      const unwanted = pages.filter(({ url }) => !kept.has(url))
      await removePages(transaction, index, unwanted)
      return { found: pages.length, gone: unwanted.length }
    })
    removed += gone
    if (found < REMOVED_AT_ONCE) return removed
    await nextTurn()
  }
}

/** Gives each of the pages of `origin` to another site that has it, where there is one; returns their addresses. */
async function handOver(
  transaction: Kysely<LibraryTables>,
  origin: string,
  pages: readonly SomePage[],
): Promise<ReadonlySet<string>> {
  if (pages.length === 0) return new Set()
  const urls = pages.map(({ url }) => url)
  // Site by site and whatever their state, because SQLite then finds them by their key and reads no other row.
  const addresses = await transaction
    .selectFrom('site')
    .crossJoin('frontier')
    .select(['site.url as siteUrl', 'frontier.url as url', 'frontier.state as state'])
    .whereRef('frontier.site_url', '=', 'site.url')
    .where('site.url', '!=', origin)
    .where('frontier.url', 'in', urls)
    .execute()
  const holders = addresses.filter(({ state }) => KEEPING_STATES.includes(state))
  const siteOf = new Map(holders.map(({ url, siteUrl }) => [url, siteUrl]))
  for (const [url, siteUrl] of siteOf) {
    await transaction.updateTable('page').set({ origin: siteUrl }).where('url', '=', url).execute()
  }
  return new Set(siteOf.keys())
}

const unlistedPages = (transaction: Kysely<LibraryTables>, siteUrl: string) =>
  transaction
    .selectFrom('page')
    .select(['id', 'url'])
    .where('origin', '=', siteUrl)
    .where((build) =>
      build.not(
        build.exists(
          build
            .selectFrom('frontier')
            .select('frontier.url')
            .where('site_url', '=', siteUrl)
            .whereRef('frontier.url', '=', 'page.url')
            .where('state', 'in', KEEPING_STATES),
        ),
      ),
    )

/** The ways in which pages are forgotten. */
export function createPageRemoval(write: Write, index: SearchIndex) {
  return {
    /** Forgets the pages of `origin` but those of these addresses. */
    forgetOthers: (origin: string, urls: ReadonlySet<string>): Promise<void> =>
      write(async (transaction) => {
        const pages = await transaction
          .selectFrom('page')
          .select(['id', 'url'])
          .where('origin', '=', origin)
          .execute()
        const gone = pages.filter(({ url }) => !urls.has(url))
        await removePages(transaction, index, gone)
      }),

    /** Forgets every page that was crawled from this site, and from no other, some at a time; returns how many. */
    removeOrigin: (origin: string): Promise<number> =>
      removeInTurns(write, index, origin, (transaction) =>
        transaction.selectFrom('page').select(['id', 'url']).where('origin', '=', origin),
      ),

    /** Forgets the pages of the site that its last crawl did not come upon, some at a time; returns how many. */
    removeUnlisted: (siteUrl: string): Promise<number> =>
      removeInTurns(write, index, siteUrl, (transaction) => unlistedPages(transaction, siteUrl)),

    /** Forgets this one page; returns whether it was known. */
    removePage: (url: string): Promise<boolean> =>
      write(async (transaction) => {
        const pages = await transaction.selectFrom('page').select('id').where('url', '=', url).execute()
        await removePages(transaction, index, pages)
        return pages.length > 0
      }),
  }
}
