// How a page comes into the index: its row and its words, in one transaction.
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { primaryLanguage } from '../providers/query-syntax.ts'
import type { Write } from './page-removal.ts'
import type { LibraryTables, SearchIndex } from './schema.ts'
import { indexedPart } from './terms.ts'

/** A page as the engine keeps it. Dates are ISO 8601, the language a BCP 47 tag; null where the page does not tell. */
export interface LibraryPage {
  url: string
  title: string
  text: string
  language: string | null
  publishedAt: string | null
  updatedAt: string | null
  /** `lastmod` of the site's sitemap. */
  sitemapDate?: string | null
}

export type PageRow = ReturnType<typeof toRow>

/** Longer texts are cut: what stands further down is not kept. */
const PAGE_CHARACTERS_MAX = 1_000_000

/** Work in transactions of `database` that no other writer disturbs. */
export const createWrite =
  (database: Kysely<LibraryTables>, index: Pick<SearchIndex, 'lockForWriting'>): Write =>
  (work) =>
    database.transaction().execute(async (transaction) => {
      await index.lockForWriting(transaction)
      return work(transaction)
    })

/** The row of a page. `origin` is the site it was crawled from. */
export function toRow(page: LibraryPage, origin: string) {
  const text = page.text.slice(0, PAGE_CHARACTERS_MAX)
  const language = page.language === null ? null : primaryLanguage(page.language)
  const sitemapDate = page.sitemapDate ?? null
  const facts = [page.title, language, page.publishedAt, page.updatedAt, sitemapDate, text]
  return {
    url: page.url,
    origin,
    host_key: hostKey(new URL(page.url).hostname),
    language,
    dated_on: (page.publishedAt ?? page.updatedAt ?? sitemapDate)?.slice(0, 10) ?? null,
    published_at: page.publishedAt,
    updated_at: page.updatedAt,
    sitemap_date: sitemapDate,
    title: page.title,
    digest: createHash('sha256').update(JSON.stringify(facts)).digest('base64url'),
    text,
  }
}

/** "docs.example.org" as "org.example.docs.": all hosts of a domain start with the domain's key. */
export const hostKey = (host: string): string => `${host.toLowerCase().split('.').toReversed().join('.')}.`

/** Whether the page is kept just so. */
export async function isKept(database: Kysely<LibraryTables>, row: PageRow): Promise<boolean> {
  const kept = await findKept(database, row.url)
  return kept?.digest === row.digest && kept.origin === row.origin
}

/** Adds the page or replaces what is known of its address. */
export async function putPage(
  write: Write,
  index: Pick<SearchIndex, 'add' | 'remove'>,
  row: PageRow,
): Promise<void> {
  await write(async (transaction) => {
    const before = await findKept(transaction, row.url)
    if (before?.digest === row.digest && before.origin === row.origin) return
    if (before !== undefined) {
      await index.remove(transaction, before.id)
      await transaction.deleteFrom('page').where('id', '=', before.id).execute()
    }
    const { id } = await transaction.insertInto('page').values(row).returning('id').executeTakeFirstOrThrow()
    await index.add(transaction, id, row.title, indexedPart(row.text))
  })
}

const findKept = (database: Kysely<LibraryTables>, url: string) =>
  database.selectFrom('page').select(['id', 'digest', 'origin']).where('url', '=', url).executeTakeFirst()
