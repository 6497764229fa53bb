// When sites are to be read, and who reads them: rows of the database, so that a restart forgets nothing and of several
// replicas one takes each site.
import { type Kysely, sql } from 'kysely'
import type { Library } from '../page-index.ts'
import type { LibraryTables } from '../schema.ts'
import { NEVER_READ, type CrawlBounds } from './crawled-sites.ts'

/** What a person decides of a site. */
export interface SiteWish extends CrawlBounds {
  /** Hours from the end of a crawl to the next; null for none. */
  refreshHours: number | null
}

export interface SiteTimes {
  url: string
  refreshHours: number | null
  /** When the site is to be read next, ISO 8601; null for not at all. */
  dueAt: string | null
  /** Whether a service reads it at this moment. */
  isRunning: boolean
}

export type ClaimedSite = SiteWish & { url: string }

export type SiteSchedule = ReturnType<typeof createSiteSchedule>

const HOUR_MS = 3_600_000

const iso = (ms: number): string => new Date(ms).toISOString()

export function createSiteSchedule({ database, write }: Pick<Library, 'database' | 'write'>) {
  const setSite = async (url: string, row: Partial<LibraryTables['site']>): Promise<boolean> => {
    const updated = await database.updateTable('site').set(row).where('url', '=', url).executeTakeFirst()
    return updated.numUpdatedRows > 0n
  }

  return {
    /** Notes the site as due now; false when it was known before, and then what is wished of it is changed. */
    add: (url: string, wish: SiteWish): Promise<boolean> =>
      write(async (transaction) => {
        const known = await transaction
          .selectFrom('site')
          .select('url')
          .where('url', '=', url)
          .executeTakeFirst()
        await putSite(transaction, url, wish)
        return known === undefined
      }),

    /** The site is due now. False when it is not known. */
    makeDue: (url: string): Promise<boolean> => setSite(url, { due_at: iso(Date.now()) }),

    /** Changes how often the site is read, counted from the end of its last crawl. False when it is not known. */
    async setRefresh(url: string, refreshHours: number | null): Promise<boolean> {
      const site = await database
        .selectFrom('site')
        .select(['last_ended_at', 'due_at'])
        .where('url', '=', url)
        .executeTakeFirst()
      if (site === undefined) return false
      const now = Date.now()
      // A site that is due, or being read, stays so.
      if (site.due_at !== null && site.due_at <= iso(now))
        return setSite(url, { refresh_hours: refreshHours })
      const fromMs = site.last_ended_at === null ? now : Date.parse(site.last_ended_at)
      return setSite(url, { refresh_hours: refreshHours, due_at: dueAfter(fromMs, refreshHours) })
    },

    list: (): Promise<SiteTimes[]> => listTimes(database, null),

    /** Of one site; undefined when it is not known. */
    get: async (url: string): Promise<SiteTimes | undefined> => (await listTimes(database, url))[0],

    /** Takes the site that has been due for longest and that nobody reads, for `leaseMs`; null when there is none. */
    claim: (leaseMs: number): Promise<ClaimedSite | null> => claim(database, leaseMs),

    /** Keeps a claim for another `leaseMs`; false when the site was removed. */
    renew: (url: string, leaseMs: number): Promise<boolean> =>
      setSite(url, { claimed_until: iso(Date.now() + leaseMs) }),

    /** Gives the claim back: the site is due as it was. */
    release: async (url: string): Promise<void> => {
      await setSite(url, { claimed_until: null })
    },

    /** The crawl is over: the site is due after `retryMs`, or as often as is wished of it. */
    async settle(url: string, retryMs: number | null): Promise<void> {
      const site = await database
        .selectFrom('site')
        .select('refresh_hours')
        .where('url', '=', url)
        .executeTakeFirst()
      const due_at =
        retryMs === null ? dueAfter(Date.now(), site?.refresh_hours ?? null) : iso(Date.now() + retryMs)
      await setSite(url, { claimed_until: null, due_at })
    },
  }
}

const dueAfter = (fromMs: number, refreshHours: number | null): string | null =>
  refreshHours === null ? null : iso(fromMs + refreshHours * HOUR_MS)

const isFree = (now: string) => sql<boolean>`(claimed_until is null or claimed_until <= ${now})`

/** With `only` null those of all sites. */
async function listTimes(database: Kysely<LibraryTables>, only: string | null): Promise<SiteTimes[]> {
  const sites = await database
    .selectFrom('site')
    .select(['url', 'refresh_hours', 'due_at', 'claimed_until'])
    .$if(only !== null, (query) => query.where('url', '=', only))
    .execute()
  const now = iso(Date.now())
  return sites.map((site) => ({
    url: site.url,
    refreshHours: site.refresh_hours,
    dueAt: site.due_at,
    isRunning: site.claimed_until !== null && site.claimed_until > now,
  }))
}

async function claim(database: Kysely<LibraryTables>, leaseMs: number): Promise<ClaimedSite | null> {
  const now = iso(Date.now())
  const site = await database
    .selectFrom('site')
    .selectAll()
    .where('due_at', '<=', now)
    .where(isFree(now))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  if (site === undefined) return null
  const taken = await database
    .updateTable('site')
    .set({ claimed_until: iso(Date.now() + leaseMs) })
    .where('url', '=', site.url)
    .where('due_at', '=', site.due_at)
    .where(isFree(now))
    .executeTakeFirst()
  if (taken.numUpdatedRows === 0n) return null
  return {
    url: site.url,
    pageLimit: site.page_limit,
    depthLimit: site.depth_limit,
    delayMs: site.delay_ms,
    refreshHours: site.refresh_hours,
  }
}

async function putSite(database: Kysely<LibraryTables>, url: string, wish: SiteWish): Promise<void> {
  const row = {
    page_limit: wish.pageLimit,
    depth_limit: wish.depthLimit,
    delay_ms: wish.delayMs,
    refresh_hours: wish.refreshHours,
    due_at: iso(Date.now()),
  }
  await database
    .insertInto('site')
    .values({ url, ...NEVER_READ, ...row })
    .onConflict((conflict) => conflict.column('url').doUpdateSet(row))
    .execute()
}
