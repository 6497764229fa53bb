// Keeps the sites that people of the dashboard added: reads each when it is due, and again as often as they wish. What
// is due stands in the database (site-schedule.ts), so that a service that was ended goes on where it stopped.
import { detach } from '../../concurrency/task-group.ts'
import { createOutage } from '../../telemetry/outage.ts'
import type { Library } from '../page-index.ts'
import { siteAddress, type Crawler, type CrawlSummary } from './crawler.ts'
import { createFrontier, type AddressFailure } from './frontier.ts'
import type { SiteSummary } from './crawled-sites.ts'
import {
  createSiteSchedule,
  type ClaimedSite,
  type SiteSchedule,
  type SiteTimes,
  type SiteWish,
} from './site-schedule.ts'

/** Sites that one service reads at once. */
const SITES_AT_ONCE = 2
/** How often it is looked for a site that is due. */
const LOOK_MS = 15_000
/** A service that is not heard of for so long has lost its site to another one, or to itself after a restart. */
const LEASE_MS = 60_000
/** A crawl that failed for a reason of ours is tried again after this long. */
const RETRY_MS = 10 * 60_000

export interface SiteKeeperOptions {
  library: Pick<Library, 'database' | 'write' | 'removeOrigin'>
  crawler: Crawler
  lookMs?: number
  leaseMs?: number
  /** Told of a crawl that failed, for the log; it is tried again. */
  onError: (error: unknown) => void
  /** Told once that the database does not say which sites are due, and once (null) that it does again. */
  onStoreChange: (error: unknown) => void
}

export type KeptSite = SiteSummary & SiteTimes

export type SiteKeeper = ReturnType<typeof openSiteKeeper>

/** Reads sites from now on, until it is closed. */
export function openSiteKeeper(options: SiteKeeperOptions) {
  const { library, lookMs = LOOK_MS, onError } = options
  const schedule = createSiteSchedule(library)
  const frontier = createFrontier(library)
  const readers = createReaders(options, schedule)
  const looking = setInterval(() => void readers.look(), lookMs)
  looking.unref()
  void readers.look()

  const lookIf = (isChanged: boolean): boolean => {
    if (isChanged) void readers.look()
    return isChanged
  }
  return {
    /**
     * Reads the site as soon as may be; one that is known already is read again, with what is wished now.
     * @returns the address it is known by. @throws {RangeError} when the address is not http(s).
     */
    async add(seedUrl: string, wish: SiteWish): Promise<{ url: string; isNew: boolean }> {
      const url = siteAddress(seedUrl)
      const isNew = await schedule.add(url, wish)
      void readers.look()
      return { url, isNew }
    },

    /** Reads the site again as soon as may be, or goes on with it. False when it is not known. */
    readAgain: async (url: string): Promise<boolean> => lookIf(await schedule.makeDue(url)),

    /** `null` for never again by itself. False when the site is not known. */
    setRefresh: async (url: string, refreshHours: number | null): Promise<boolean> =>
      lookIf(await schedule.setRefresh(url, refreshHours)),

    /** Forgets the site and all its pages; returns how many, or null when it is not known. */
    async remove(url: string): Promise<number | null> {
      const isKnown = await frontier.removeSite(url)
      await readers.stop(url)
      const pages = await library.removeOrigin(url)
      return isKnown ? pages : null
    },

    /** Every site, by address: those of the command line, too. */
    async list(): Promise<KeptSite[]> {
      const [sites, times] = await Promise.all([frontier.listSites(), schedule.list()])
      const timesOf = new Map(times.map((one) => [one.url, one]))
      return sites.flatMap((site) => {
        const known = timesOf.get(site.url)
        return known === undefined ? [] : [{ ...site, ...known }]
      })
    },

    /** One of them; null when it is not known. */
    async get(url: string): Promise<KeptSite | null> {
      const [site, times] = await Promise.all([frontier.getSite(url), schedule.get(url)])
      return site === undefined || times === undefined ? null : { ...site, ...times }
    },

    listFailures: (url: string, limit: number): Promise<AddressFailure[]> =>
      frontier.listFailures(url, limit),

    /** Ends what is being read; whoever comes next goes on with it. */
    async close(): Promise<void> {
      clearInterval(looking)
      await readers.close().catch(onError)
    },
  }
}

function createReaders(
  { crawler, leaseMs = LEASE_MS, onError, onStoreChange }: SiteKeeperOptions,
  schedule: SiteSchedule,
) {
  const running = new Map<string, { stopping: AbortController; done: Promise<void> }>()
  const closing = new AbortController()
  let looking: Promise<void> | null = null
  const store = createOutage({ begins: onStoreChange, ends: () => onStoreChange(null) })

  async function renew(url: string, stopping: AbortController): Promise<void> {
    if (!(await schedule.renew(url, leaseMs))) stopping.abort(new Error('the site was removed'))
  }

  async function read(site: ClaimedSite, stopping: AbortController): Promise<void> {
    const renewing = setInterval(() => {
      detach(renew(site.url, stopping), onError)
    }, leaseMs / 4)
    try {
      const summary = await crawler.crawl(site.url, site, stopping.signal)
      await schedule.settle(site.url, retryAfter(summary))
    } catch (error) {
      if (stopping.signal.aborted) return await schedule.release(site.url)
      onError(error)
      await schedule.settle(site.url, RETRY_MS)
    } finally {
      clearInterval(renewing)
    }
  }

  async function fill(): Promise<void> {
    while (running.size < SITES_AT_ONCE && !closing.signal.aborted) {
      const site = await schedule.claim(leaseMs)
      if (site === null) return
      const stopping = new AbortController()
      // Its end makes room, and by then the next may be due.
      const done = read(site, stopping)
        .catch(onError)
        .finally(() => running.delete(site.url))
      running.set(site.url, { stopping, done })
      void done.then(look)
    }
  }

  /** Begins with what is due, if there is room. Never rejects. */
  function look(): Promise<void> {
    if (closing.signal.aborted) return Promise.resolve()
    // Whoever asks while one looks is looked for afterwards: that one may be past the site that has become due.
    const before = looking ?? Promise.resolve()
    const mine = before.then(fill).then(store.works, store.fails)
    looking = mine
    return mine
  }

  async function stop(url: string): Promise<void> {
    const reading = running.get(url)
    reading?.stopping.abort(new Error('the site is not to be read any more'))
    await reading?.done
  }

  return {
    look,
    stop,
    async close(): Promise<void> {
      closing.abort()
      await looking
      await Promise.all([...running.keys()].map(stop))
    },
  }
}

/** A site that did not answer is asked again when it is due, or when somebody wishes it. */
const retryAfter = ({ end }: CrawlSummary): number | null => (end === 'busy' ? RETRY_MS : null)
