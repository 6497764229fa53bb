// Keeps pages in an open database, and tells which of them answer a question; how words are found and ranked is the
// business of the full-text indexes.
import { type Kysely, sql } from 'kysely'
import type { ProviderQuery, SearchHit } from '../providers/provider.ts'
import { isoDay, primaryLanguage, recencyStart } from '../providers/query-syntax.ts'
import { COVERAGE_MIN, createPageViews, EVERY_PAGE } from './page-views.ts'
import type { IndexingThread } from './indexing-thread.ts'
import { createPageRemoval } from './page-removal.ts'
import { createWrite, hostKey, isKept, type LibraryPage, putPage, toRow } from './put-page.ts'
import type { FoundPage, LibraryTables, PageFilter, SearchIndex } from './schema.ts'
import { readQuestion } from './terms.ts'

/** The words of a page of so many characters are in the index within some milliseconds. */
const SHORT_CHARACTERS_MAX = 20_000
/** Pages that were not crawled but handed over, such as our own documentation. */
const LOCAL_ORIGIN = 'local'

/** How addresses of files begin. */
const FILE_SCHEME = 'file:'

/** A file or folder that was added, and how many files of it are in the index. */
export interface FolderSummary {
  url: string
  files: number
}

export type { LibraryPage } from './put-page.ts'

export type Library = ReturnType<typeof createLibrary>

/** The engine over an open database, which `close` closes; `indexing` puts long pages into it. */
export function createLibrary(
  database: Kysely<LibraryTables>,
  index: SearchIndex,
  indexing: Pick<IndexingThread, 'put'>,
  close: () => Promise<void>,
) {
  const write = createWrite(database, index)
  const removal = createPageRemoval(write, index)

  async function put(page: LibraryPage, origin: string): Promise<void> {
    const row = toRow(page, origin)
    if (row.text.length <= SHORT_CHARACTERS_MAX) await putPage(write, index, row)
    else if (!(await isKept(database, row))) await indexing.put(row)
  }

  return {
    /** For the crawler's frontier, which lives in the same database. */
    database,
    write,
    close,

    /** For a service: the first search then does not wait for the thread that SQLite searches on. */
    warmUp: (): void => index.warmUp?.(),

    /**
     * The pages that answer `query.text`, best first: BM25 with the title weighted, filters applied. Pages that hold
     * only the question's common words are left out. Never fails for what the question says.
     */
    search: (query: ProviderQuery, signal: AbortSignal): Promise<SearchHit[]> =>
      findPages(database, index, query, signal),

    /** Different titles of pages, those that came last first. */
    newestTitles: (count: number): Promise<string[]> => newestTitles(database, count),

    /** Adds the page or replaces what is known of its address. `origin` is the site it was crawled from. */
    putPage: put,

    /** Makes `pages` the whole of what was handed over so far: new ones are added, missing ones forgotten. */
    async addLocalPages(pages: readonly LibraryPage[]): Promise<void> {
      await removal.forgetOthers(LOCAL_ORIGIN, new Set(pages.map((page) => page.url)))
      for (const page of pages) await put(page, LOCAL_ORIGIN)
    },

    /** Whether the page is in the index. */
    async hasPage(url: string): Promise<boolean> {
      const page = await database.selectFrom('page').select('id').where('url', '=', url).executeTakeFirst()
      return page !== undefined
    },

    /** What was added from this machine's files, with the number of files of each, by address. */
    listFolders: (): Promise<FolderSummary[]> =>
      database
        .selectFrom('page')
        .select(['origin as url', countRows.as('files')])
        .where('origin', 'like', `${FILE_SCHEME}%`)
        .groupBy('origin')
        .orderBy('origin')
        .execute(),

    ...removal,
    ...createPageViews(database, index),

    async countPages(): Promise<number> {
      const counted = await database
        .selectFrom('page')
        .select(countRows.as('count'))
        .executeTakeFirstOrThrow()
      return counted.count
    },
  }
}

async function findPages(
  database: Kysely<LibraryTables>,
  index: SearchIndex,
  query: ProviderQuery,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  signal.throwIfAborted()
  const question = readQuestion(query.text, primaryLanguage(query.language))
  if (question.terms.length === 0) return []
  const asked = { question, filter: toFilter(query), count: query.count, coverageMin: COVERAGE_MIN }
  const found = await index.search(database, asked)
  signal.throwIfAborted()
  return found.pages.map((page) => toHit(page))
}

const toHit = (page: FoundPage): SearchHit => ({
  url: page.url,
  title: page.title,
  publishedAt: page.published_at ?? page.updated_at ?? page.sitemap_date,
  sitemapDate: page.sitemap_date,
  excerpt: page.excerpt,
  ...(page.url.startsWith(FILE_SCHEME) ? { isLocalFile: true } : {}),
})

/** Pages looked at for each title that is wanted: sites give many pages one title. */
const PAGES_PER_TITLE = 8

async function newestTitles(database: Kysely<LibraryTables>, count: number): Promise<string[]> {
  const rows = await database
    .selectFrom('page')
    .select('title')
    .orderBy('id', 'desc')
    .limit(count * PAGES_PER_TITLE)
    .execute()
  const titles = rows.map(({ title }) => title.trim()).filter((title) => title !== '')
  return [...new Set(titles)].slice(0, count)
}

// PostgreSQL counts in bigint, which its driver gives as a string.
const countRows = sql<number>`cast(count(*) as integer)`

const toFilter = (query: ProviderQuery): PageFilter => ({
  ...EVERY_PAGE,
  language: primaryLanguage(query.language),
  publishedSince: query.recency === null ? null : isoDay(recencyStart(query.recency)),
  includeHostKeys: query.includeDomains.map(hostKey),
  excludeHostKeys: query.excludeDomains.map(hostKey),
})
