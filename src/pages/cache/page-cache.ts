// Pages that were read before: used again while they are fresh, asked for conditionally afterwards, and read once when
// several requests want them at the same time.
import { answeredLanguage, DEFAULT_LANGUAGE, isOtherAnswer } from './answered-language.ts'
import type { CachedPage, CacheStore } from './memory-store.ts'
import { PageError, type Capture, type LoadOptions } from '../capture.ts'
import { freshnessOf, type FreshnessLimits } from '../freshness.ts'
import { FAILURES } from '../page-failure.ts'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import type { StaticPage, Validators } from '../static-loader.ts'
import { TimeLimitError, withDeadline } from '../../concurrency/deadline.ts'
import { createOutage, type Outage } from '../../telemetry/outage.ts'

export interface CacheLimits extends FreshnessLimits {
  /** How long a page is kept for conditional requests. */
  keepMs: number
  /** A store that takes longer is passed by. */
  storeMs: number
}

const CACHE_LIMITS: CacheLimits = {
  freshMs: 10 * 60_000,
  freshMaxMs: 60 * 60_000,
  keepMs: 24 * 3_600_000,
  storeMs: 250,
}

export interface PageCacheOptions {
  store: CacheStore
  limits?: Partial<CacheLimits>
  /**
   * Told when the store fails, once until it works again, of reading and of keeping each; pages are then read as if nothing
   * were kept.
   */
  onStoreError: (error: unknown) => void
}

/** Reads a page that is not kept, or asks whether the kept one is still good. */
export type ReadPage = (
  known: Validators | null,
  signal: AbortSignal,
) => Promise<Omit<StaticPage, 'validators'> & { validators: Validators | null }>

/** What a reader has when its time is up is waited for: text that was read is worth more than none. */
const ENDING_MS = 200

/** Keys of a page that is the same in every language, and of one that is not. */
interface Place {
  inAny: string
  inLanguage: string
  /** The language that the caller asks for; undefined for any. */
  asked: string | undefined
}

type KeptPage = CachedPage & { key: string }

interface Found {
  kept: KeptPage | null
  /** What is kept shows that this caller's language has a page of its own, or may have. */
  isApart: boolean
}

const NOTHING_KEPT: Found = { kept: null, isApart: false }

type Budget = Pick<LoadOptions, 'deadlineMs' | 'fresh' | 'language' | 'maxAgeMs'>

/** One may work while the other does not, as in a Redis that is full. */
const watchStore = (begins: (error: unknown) => void): [reading: Outage, keeping: Outage] => [
  createOutage({ begins }),
  createOutage({ begins }),
]

/** A cache over `store`. Holds nothing by itself: whoever opened the store's client closes it. */
export function createPageCache({ store, limits: overrides, onStoreError }: PageCacheOptions) {
  const limits = { ...CACHE_LIMITS, ...overrides }
  const [reading, keeping] = watchStore(onStoreError)
  const join = createSingleFlight<Capture>(isTimeout)

  /** The copy in the caller's language, or the one that is for all of them. */
  async function find(place: Place): Promise<Found> {
    const ask = () => Promise.all([store.get(place.inLanguage), store.get(place.inAny)])
    try {
      const [own, any] = await withDeadline({ what: 'page cache', limitMs: limits.storeMs }, ask)
      reading.works()
      return chooseCopy(place, own, any)
    } catch (error) {
      reading.fails(error)
      return NOTHING_KEPT
    }
  }

  async function readAndKeep(
    place: Place,
    found: Found,
    read: ReadPage,
    signal: AbortSignal,
  ): Promise<Capture> {
    const { kept } = found
    const page = await read(kept?.validators ?? null, signal)
    const capture = page.capture ?? kept?.capture
    if (capture === undefined) throw new Error('the site says unchanged about a page that was not known')
    const freshMs = freshnessOf(page.caching, limits)
    if (freshMs !== null && capture.warning === null) {
      const { key, ...entry } = entryOf(place, found, page, capture)
      const freshUntilMs = Date.now() + freshMs
      store.set(key, { ...entry, freshUntilMs }, limits.keepMs).then(keeping.works, keeping.fails)
    }
    return page.capture === null ? asCached(capture) : capture
  }

  return {
    /**
     * The page of `key` in the caller's language: kept and fresh, or read by `read`. Callers that want the same page at
     * the same time share one reading, which goes on until the last of them has left. `fresh` asks the site whatever is
     * kept. Throws what `read` throws, PageError `timeout` at the caller's own deadline, and the signal's reason.
     */
    async load(
      key: string,
      { deadlineMs, fresh, language, maxAgeMs = Number.POSITIVE_INFINITY }: Budget,
      signal: AbortSignal,
      read: ReadPage,
    ): Promise<Capture> {
      signal.throwIfAborted()
      const place = placeOf(key, language)
      const copies = await find(place)
      // What is there tells also the one who wants none of it where the page belongs.
      const found = fresh ? { ...copies, kept: null } : copies
      const { kept } = found
      const isYoung = kept !== null && Date.now() - Date.parse(kept.capture.fetchedAt) <= maxAgeMs
      if (kept !== null && isYoung && isFresh(kept, limits)) return asCached(kept.capture)
      const work = (ended: AbortSignal) => readAndKeep(place, found, read, ended)
      try {
        return await join(flightOf(place, fresh, kept), deadlineMs + ENDING_MS, signal, work)
      } catch (error) {
        throw error instanceof TimeLimitError && !signal.aborted ? timeout(key, error) : error
      }
    },
  }
}

const placeOf = (key: string, asked: string | undefined): Place => ({
  inAny: key,
  inLanguage: `[${asked ?? DEFAULT_LANGUAGE}] ${key}`,
  asked,
})

/** Who asks alike, of the same copy, may share the answer. */
const flightOf = ({ inLanguage }: Place, fresh: boolean, kept: KeptPage | null): string =>
  `${fresh ? 'fresh' : 'any'} ${inLanguage} ${kept?.key ?? ''}`

function chooseCopy(place: Place, own: CachedPage | null, any: CachedPage | null): Found {
  if (own !== null) return { kept: { ...own, key: place.inLanguage }, isApart: true }
  if (any === null) return NOTHING_KEPT
  const isApart = isOtherAnswer(any.answeredLanguage, place.asked)
  return { kept: isApart ? null : { ...any, key: place.inAny }, isApart }
}

/** What is kept of a page that was read, and where: all but how long it is fresh. */
function entryOf(
  place: Place,
  { kept, isApart }: Found,
  page: Awaited<ReturnType<ReadPage>>,
  capture: Capture,
): Omit<KeptPage, 'freshUntilMs'> {
  const { validators, variesByLanguage } = page
  const key = variesByLanguage || isApart ? place.inLanguage : place.inAny
  if (page.capture === null && kept !== null)
    // "Unchanged" is said of the copy that was asked about, with or without `Vary`.
    return { key: kept.key, capture, validators, answeredLanguage: kept.answeredLanguage }
  return { key, capture, validators, answeredLanguage: answeredLanguage(capture, place.asked) }
}

export type PageCache = ReturnType<typeof createPageCache>

const asCached = (capture: Capture): Capture => ({ ...capture, readBy: 'cache' })
/** What claims to stay fresh for longer than anything may was kept before the clock was set back. */
function isFresh({ freshUntilMs }: CachedPage, { freshMs, freshMaxMs }: CacheLimits): boolean {
  const leftMs = freshUntilMs - Date.now()
  return leftMs > 0 && leftMs <= Math.max(freshMs, freshMaxMs)
}

const isTimeout = (error: unknown): boolean => error instanceof PageError && error.warning.code === 'timeout'
const timeout = (url: string, cause: unknown): PageError =>
  new PageError(url, { code: 'timeout', message: FAILURES.timeout }, cause)
