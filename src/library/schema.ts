// The tables of the embedded engine and what a full-text index over them must do.
import type { Generated, Kysely } from 'kysely'
import type { Question } from './terms.ts'

export interface LibraryTables {
  page: {
    id: Generated<number>
    url: string
    /** The address `index add` was given, or "local". */
    origin: string
    /** The host's labels from the last to the first, so that a domain's hosts are neighbours. */
    host_key: string
    language: string | null
    /** `YYYY-MM-DD` of publication, or of the last change where that is all there is: as the page says, then its sitemap. */
    dated_on: string | null
    published_at: string | null
    updated_at: string | null
    /** `lastmod` of the site's sitemap, ISO 8601. */
    sitemap_date: string | null
    title: string
    digest: string
    text: string
  }
  site: {
    url: string
    page_limit: number
    depth_limit: number
    /** The least pause between two requests. */
    delay_ms: number
    /** ISO 8601, null while the crawl is not finished. */
    finished_at: string | null
    /** How the last crawl ended; null when none has. */
    last_end: CrawlEnd | null
    /** ISO 8601: when it ended. */
    last_ended_at: string | null
    /** Hours after which the site is read again; null for never. */
    refresh_hours: number | null
    /** ISO 8601: when a service is to read the site; null for not at all. */
    due_at: string | null
    /** ISO 8601: until then the service that reads it keeps others from doing so. */
    claimed_until: string | null
  }
  frontier: {
    site_url: string
    url: string
    depth: number
    position: number
    /** `alias`: another address of a page that is read under its own. */
    state: 'waiting' | 'read' | 'alias' | 'failed' | 'skipped'
    sitemap_date: string | null
    /** Why it failed or was skipped. */
    reason: string | null
  }
  /** Documents that were uploaded; in PostgreSQL alone, elsewhere they are files. */
  document: {
    name: string
    bytes: number
    added_at: Date
  }
  document_piece: {
    name: string
    /** From 0. */
    position: number
    content: Buffer
  }
}

/**
 * `complete`: every address is done. `limit`: the page limit was reached. `unreachable`: the site stopped answering.
 * `busy`: this service was too busy to read on. After the last two the crawl can go on later.
 */
export type CrawlEnd = 'complete' | 'limit' | 'unreachable' | 'busy'

export interface PageFilter {
  /** Primary sub-tag; pages that do not tell their language pass, and with null all do. */
  language: string | null
  /** The site that the page was crawled from; null for any. */
  origin: string | null
  /** `YYYY-MM-DD`; pages without a date do not pass. */
  publishedSince: string | null
  includeHostKeys: readonly string[]
  excludeHostKeys: readonly string[]
}

export interface IndexQuery {
  question: Question
  filter: PageFilter
  count: number
  coverageMin: number
}

export interface FoundPage extends Pick<
  LibraryTables['page'],
  'url' | 'title' | 'published_at' | 'updated_at' | 'sitemap_date'
> {
  excerpt: string
}

export interface IndexAnswer {
  /** Excerpts are made where the search runs: the texts they are taken from are long. */
  pages: FoundPage[]
}

/** A full-text index over `page`. Both implementations rank by BM25 with the title weighted `TITLE_WEIGHT` times. */
export interface SearchIndex {
  /** First in every transaction that writes: writers wait for one another here and nowhere else. */
  lockForWriting(database: Kysely<LibraryTables>): Promise<void>
  add(database: Kysely<LibraryTables>, id: number, title: string, text: string): Promise<void>
  remove(database: Kysely<LibraryTables>, id: number): Promise<void>
  search(database: Kysely<LibraryTables>, query: IndexQuery): Promise<IndexAnswer>
  /** Starts what searching takes, where that takes time. */
  warmUp?(): void
}

export const TITLE_WEIGHT = 4

/** How much a term tells: ln((N − n + ½) / (n + ½) + 1), never negative (Robertson and Zaragoza 2009, with Lucene's + 1). */
export const inverseDocumentFrequency = (pages: number, pagesWithTerm: number): number =>
  Math.log((pages - pagesWithTerm + 0.5) / (pagesWithTerm + 0.5) + 1)
