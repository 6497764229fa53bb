// How pages are forgotten: few in one transaction, because other writers and the thread that serves requests wait for it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { LibraryTables, SearchIndex } from './schema.ts'

/** Pages that one transaction forgets. */
const REMOVED_AT_ONCE = 100

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

/** Forgets the pages that `select` finds, some in each transaction; returns how many. */
async function removeInTurns(
  write: Write,
  index: SearchIndex,
  select: (transaction: Kysely<LibraryTables>) => SelectQueryBuilder<LibraryTables, 'page', { id: number }>,
): Promise<number> {
  let removed = 0
  for (;;) {
    const some = await write(async (transaction) => {
      const pages = await select(transaction).limit(REMOVED_AT_ONCE).execute()
      await removePages(transaction, index, pages)
      return pages.length
    })
    removed += some
    if (some < REMOVED_AT_ONCE) return removed
    await nextTurn()
  }
}

/** A page that could not be read this time stays: the site may have been ill. */
const unlistedPages = (transaction: Kysely<LibraryTables>, siteUrl: string) =>
  transaction
    .selectFrom('page')
    .select('id')
    .where('origin', '=', siteUrl)
    .where((build) =>
      build.not(
        build.exists(
          build
            .selectFrom('frontier')
            .select('frontier.url')
            .where('site_url', '=', siteUrl)
            .whereRef('frontier.url', '=', 'page.url')
            .where('state', 'in', ['read', 'failed']),
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

    /** Forgets every page that was crawled from this site, some at a time; returns how many. */
    removeOrigin: (origin: string): Promise<number> =>
      removeInTurns(write, index, (transaction) =>
        transaction.selectFrom('page').select('id').where('origin', '=', origin),
      ),

    /** Forgets the pages of the site that its last crawl did not come upon, some at a time; returns how many. */
    removeUnlisted: (siteUrl: string): Promise<number> =>
      removeInTurns(write, index, (transaction) => unlistedPages(transaction, siteUrl)),

    /** Forgets this one page; returns whether it was known. */
    removePage: (url: string): Promise<boolean> =>
      write(async (transaction) => {
        const pages = await transaction.selectFrom('page').select('id').where('url', '=', url).execute()
        await removePages(transaction, index, pages)
        return pages.length > 0
      }),
  }
}
