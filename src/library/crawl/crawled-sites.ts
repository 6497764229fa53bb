// The sites that the crawler was given: the bounds of each, how far its crawl has come, and how the last one ended.
import { type Kysely, sql } from 'kysely'
import type { Library } from '../page-index.ts'
import type { CrawlEnd, LibraryTables } from '../schema.ts'

export interface CrawlBounds {
  pageLimit: number
  depthLimit: number
  /** The least pause between two requests to the site. */
  delayMs: number
}

/** For a site whose bounds nobody names. */
export const CRAWL_DEFAULTS: Readonly<CrawlBounds> = { pageLimit: 500, depthLimit: 8, delayMs: 500 }

export interface SiteSummary extends CrawlBounds {
  url: string
  /** ISO 8601, null while the crawl is not finished. */
  finishedAt: string | null
  /** How the last crawl ended, and when (ISO 8601); null when none has. */
  lastEnd: { end: CrawlEnd; at: string } | null
  /** Its addresses. */
  counts: Record<LibraryTables['frontier']['state'], number>
}

type Database = Kysely<LibraryTables>

// PostgreSQL counts in bigint, which its driver gives as a string.
const countRows = sql<number>`cast(count(*) as integer)`

/** A site that no service was asked to read, and whose crawl has not ended. */
export const NEVER_READ = {
  finished_at: null,
  last_end: null,
  last_ended_at: null,
  refresh_hours: null,
  due_at: null,
  claimed_until: null,
}

/** What a crawl begins with: the site's own address. */
const FIRST_ADDRESS = { depth: 0, position: 0, state: 'waiting', sitemap_date: null, reason: null } as const

/** Remembers sites in the library's database. */
export function createCrawledSites({ database, write }: Pick<Library, 'database' | 'write'>) {
  return {
    /**
     * Prepares a crawl of the site. True when an earlier one was interrupted and goes on; else what was known of the
     * site's addresses is forgotten (its pages are not) and the crawl starts anew from the site's own address.
     */
    openSite: (url: string, bounds: CrawlBounds): Promise<boolean> =>
      write((transaction) => openSite(transaction, url, bounds)),

    /** Notes how the crawl ended; false when the site was removed meanwhile. */
    end: (siteUrl: string, end: CrawlEnd): Promise<boolean> => endCrawl(database, siteUrl, end),

    /** Every site that was crawled or is being crawled, by address. */
    listSites: (): Promise<SiteSummary[]> => listSites(database, null),

    /** One of them, whose addresses alone are counted. */
    getSite: async (url: string): Promise<SiteSummary | undefined> => (await listSites(database, url))[0],

    /** Forgets the site and its addresses, not its pages; false when it is not known. */
    removeSite: (url: string): Promise<boolean> =>
      write(async (transaction) => {
        await transaction.deleteFrom('frontier').where('site_url', '=', url).execute()
        const gone = await transaction.deleteFrom('site').where('url', '=', url).executeTakeFirst()
        return gone.numDeletedRows > 0n
      }),
  }
}

async function endCrawl(database: Database, siteUrl: string, end: CrawlEnd): Promise<boolean> {
  const at = new Date().toISOString()
  const isFinished = end === 'complete' || end === 'limit'
  const ended = { last_end: end, last_ended_at: at, ...(isFinished ? { finished_at: at } : {}) }
  const updated = await database.updateTable('site').set(ended).where('url', '=', siteUrl).executeTakeFirst()
  return updated.numUpdatedRows > 0n
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
    await database
      .insertInto('frontier')
      .values({ site_url: url, url, ...FIRST_ADDRESS })
      .execute()
  }
  const { pageLimit, depthLimit, delayMs } = bounds
  const row = { page_limit: pageLimit, depth_limit: depthLimit, delay_ms: delayMs, finished_at: null }
  await database
    .insertInto('site')
    .values({ url, ...NEVER_READ, ...row })
    .onConflict((conflict) => conflict.column('url').doUpdateSet(row))
    .execute()
  return isResumed
}

/** With `url` null all of them. */
async function listSites(database: Database, url: string | null): Promise<SiteSummary[]> {
  const sites = await database
    .selectFrom('site')
    .selectAll()
    .$if(url !== null, (query) => query.where('url', '=', url))
    .orderBy('url')
    .execute()
  const rows = await database
    .selectFrom('frontier')
    .select(['site_url', 'state', countRows.as('count')])
    .$if(url !== null, (query) => query.where('site_url', '=', url))
    .groupBy(['site_url', 'state'])
    .execute()
  return sites.map((site) => {
    const counts: SiteSummary['counts'] = { waiting: 0, read: 0, alias: 0, failed: 0, skipped: 0 }
    for (const row of rows) if (row.site_url === site.url) counts[row.state] = row.count
    return {
      url: site.url,
      pageLimit: site.page_limit,
      depthLimit: site.depth_limit,
      delayMs: site.delay_ms,
      finishedAt: site.finished_at,
      lastEnd:
        site.last_end === null || site.last_ended_at === null
          ? null
          : { end: site.last_end, at: site.last_ended_at },
      counts,
    }
  })
}
