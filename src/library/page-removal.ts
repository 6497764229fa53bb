// How pages are forgotten: few in one transaction, because other writers and the thread that serves requests wait for it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { LibraryTables, SearchIndex } from './schema.ts'

/** Pages that one transaction forgets. */
const REMOVED_AT_ONCE = 100

/** Runs `work` in a transaction that no other writer disturbs. */
export type Write = <T>(work: (transaction: Kysely<LibraryTables>) => Promise<T>) => Promise<T>

/** Forgets these pages and what is found by them. */
export async function removePages(
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
export async function removeInTurns(
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
export const unlistedPages = (transaction: Kysely<LibraryTables>, siteUrl: string) =>
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

/** Forgets the pages of `origin` but those of these addresses. */
export async function forgetOthers(
  origin: string,
  urls: ReadonlySet<string>,
  write: Write,
  index: SearchIndex,
): Promise<void> {
  await write(async (transaction) => {
    const pages = await transaction
      .selectFrom('page')
      .select(['id', 'url'])
      .where('origin', '=', origin)
      .execute()
    const gone = pages.filter(({ url }) => !urls.has(url))
    await removePages(transaction, index, gone)
  })
}
