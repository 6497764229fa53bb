// What people see of the pages that are kept: those of one site by address, found by words, or one by itself.
import type { Kysely } from 'kysely'
import type { FoundPage, LibraryTables, PageFilter, SearchIndex } from './schema.ts'
import { readQuestion } from './terms.ts'

/** A page must cover this share of what the question's words tell (by inverse document frequency). */
export const COVERAGE_MIN = 0.3

/** Nobody says which language a word typed into the dashboard is of; in another one its function words count, too. */
const ASKED_IN = 'en'

/** The filter that lets every page pass. */
export const EVERY_PAGE: PageFilter = {
  language: null,
  origin: null,
  publishedSince: null,
  includeHostKeys: [],
  excludeHostKeys: [],
}

export interface PageSummary {
  url: string
  title: string
  /** `YYYY-MM-DD` of publication or the last change; null where the page does not tell. */
  datedOn: string | null
}

export interface KeptPage extends PageSummary {
  /** The site it was crawled from, or the file or folder it was read from. */
  origin: string
  text: string
  language: string | null
}

export function createPageViews(database: Kysely<LibraryTables>, index: SearchIndex) {
  return {
    /** The best answers to `text` among the pages of `origin`, or among all for null, in whatever language. */
    async searchOrigin(origin: string | null, text: string, count: number): Promise<FoundPage[]> {
      const question = readQuestion(text, ASKED_IN)
      if (question.terms.length === 0) return []
      const filter = { ...EVERY_PAGE, origin }
      return (await index.search(database, { question, filter, count, coverageMin: COVERAGE_MIN })).pages
    },

    /** Pages of `origin` by address, those after the address `after`. */
    listPages: (origin: string, { after, limit }: { after: string; limit: number }): Promise<PageSummary[]> =>
      database
        .selectFrom('page')
        .select(['url', 'title', 'dated_on as datedOn'])
        .where('origin', '=', origin)
        .where('url', '>', after)
        .orderBy('url')
        .limit(limit)
        .execute(),

    /** The page as it is kept; null when it is not known. */
    async getPage(url: string): Promise<KeptPage | null> {
      const page = await database
        .selectFrom('page')
        .select(['url', 'origin', 'title', 'text', 'language', 'dated_on as datedOn'])
        .where('url', '=', url)
        .executeTakeFirst()
      return page ?? null
    },
  }
}
