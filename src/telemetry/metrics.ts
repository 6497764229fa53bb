// Every number that Prometheus may read, with its name, its labels and its meaning on one page. At the bottom of the
// house: rooms tell it what happened through callbacks and know nothing of Prometheus. No label ever holds an address,
// a host, a query or a key, so the number of series is bounded by what is written here and configured.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CacheLoad, RequestObservation, SearchObservation, ServiceLoad } from './observations.ts'

const SECONDS = 1_000
const LATENCY_BUCKETS = [0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15]

export type Metrics = ReturnType<typeof createMetrics>

/** A registry of its own, so that several services in one process do not count together. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  return {
    contentType: registry.contentType,
    /** The text exposition format of Prometheus. */
    render: () => registry.metrics(),
    observeRequest: requestMetrics(registers),
    observeSearch: searchMetrics(registers),
    ...eventMetrics(registers),
    /** From now on every scrape tells the version and asks for the load. To be called once. */
    watchService({ version, describeLoad }: { version: string; describeLoad: () => ServiceLoad }): void {
      const info = new Gauge({
        name: 'verbatim_build_info',
        help: 'Always 1; the label tells the version.',
        labelNames: ['version'],
        registers,
      })
      info.set({ version }, 1)
      loadMetrics(registers, describeLoad)
    },
  }
}

function requestMetrics(registers: Registry[]) {
  const requests = new Counter({
    name: 'verbatim_http_requests_total',
    help: 'Requests answered. Status 499: the client went away first.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'verbatim_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by the first digit of its status.',
    labelNames: ['route', 'status_class'],
    buckets: LATENCY_BUCKETS,
    registers,
  })
  return ({ method, route, status, elapsedMs }: RequestObservation): void => {
    requests.inc({ method, route, status: String(status) })
    duration.observe({ route, status_class: `${Math.floor(status / 100)}xx` }, elapsedMs / SECONDS)
  }
}

function searchMetrics(registers: Registry[]) {
  const searches = new Counter({
    name: 'verbatim_searches_total',
    help: 'Searches by how they ended: answered, overloaded, search_unavailable, gone, failed.',
    labelNames: ['depth', 'outcome'],
    registers,
  })
  const seconds = (name: string, help: string, label: string) =>
    new Histogram({ name, help, labelNames: [label], buckets: LATENCY_BUCKETS, registers })
  const count = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers })
  const duration = seconds(
    'verbatim_search_duration_seconds',
    'Time from arrival to answer of answered searches, waiting included.',
    'depth',
  )
  const stage = seconds(
    'verbatim_search_stage_duration_seconds',
    'Time that answered searches spent in each stage: provider, pages, score.',
    'stage',
  )
  const pageDuration = seconds(
    'verbatim_page_duration_seconds',
    'Time to open and read one page, by who read it: static, browser, cache; none for a page that failed.',
    'reader',
  )
  const pages = count('verbatim_pages_total', 'Pages opened, by outcome and reader.', 'outcome', 'reader')
  const dropped = count('verbatim_pages_dropped_total', 'Pages read and left out by a filter.', 'filter')
  const models = count(
    'verbatim_model_searches_total',
    'Searches by the model that scored.',
    'depth',
    'model',
  )
  const answers = count(
    'verbatim_provider_answers_total',
    'Searches by the engine that answered.',
    'provider',
  )

  return ({ depth, outcome, elapsedMs, facts }: SearchObservation): void => {
    searches.inc({ depth, outcome })
    if (facts === null) return
    duration.observe({ depth }, elapsedMs / SECONDS)
    for (const [name, ms] of Object.entries(facts.stages)) stage.observe({ stage: name }, ms / SECONDS)
    for (const page of facts.pages) {
      const reader = page.readBy ?? 'none'
      pages.inc({ outcome: page.outcome, reader })
      pageDuration.observe({ reader }, page.elapsedMs / SECONDS)
    }
    for (const [filter, number = 0] of Object.entries(facts.dropped)) dropped.inc({ filter }, number)
    models.inc({ depth, model: facts.model })
    for (const provider of facts.provider.split('+')) answers.inc({ provider })
  }
}

function eventMetrics(registers: Registry[]) {
  const wait = new Histogram({
    name: 'verbatim_search_wait_seconds',
    help: 'Time that searches waited for a place before they started.',
    buckets: LATENCY_BUCKETS,
    registers,
  })
  const refusals = new Counter({
    name: 'verbatim_rate_limit_refusals_total',
    help: 'Requests refused with 429 rate_limited, by whose quota was used up: a key, or an address with refused keys.',
    labelNames: ['quota'],
    registers,
  })
  const failures = new Counter({
    name: 'verbatim_provider_failures_total',
    help: 'Failures of search engines, by engine and kind.',
    labelNames: ['provider', 'failure'],
    registers,
  })
  const unhandled = new Counter({
    name: 'verbatim_unhandled_rejections_total',
    help: 'Promises that failed without anybody having taken their failure: each is a fault of ours, told in the log.',
    registers,
  })
  return {
    observeUnhandledRejection: (): void => unhandled.inc(),
    observeWait: (waitedMs: number): void => wait.observe(waitedMs / SECONDS),
    observeRateLimitRefusal: (quota: 'key' | 'address'): void => refusals.inc({ quota }),
    observeProviderFailure: (provider: string, failure: string): void => failures.inc({ provider, failure }),
  }
}

function loadMetrics(registers: Registry[], read: () => ServiceLoad): void {
  const gauge = (name: string, help: string, value: (load: ServiceLoad) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(read()))
      },
    })
  gauge('verbatim_searches_running', 'Searches that run.', (load) => load.searches.running)
  gauge('verbatim_searches_waiting', 'Searches that wait for a place.', (load) => load.searches.waiting)
  gauge(
    'verbatim_browser_tabs',
    'Tabs that the browser may open; 0 without one.',
    (load) => load.browser.tabs,
  )
  gauge('verbatim_browser_tabs_busy', 'Tabs that render a page.', (load) => load.browser.busy)
  gauge('verbatim_browser_pages_waiting', 'Pages that wait for a tab.', (load) => load.browser.waiting)
  gauge('verbatim_reading_waiting', 'Pages that wait for a reading thread.', (load) => load.reading.waiting)
  gauge('verbatim_scoring_waiting', 'Texts that wait for the model.', (load) => load.scoring.waiting)
  gauge(
    'verbatim_redis_ready',
    '1 when Redis takes what is written, 0 when it is away, hangs or refuses, -1 when none is configured.',
    ({ redisReady }) => (redisReady === null ? -1 : Number(redisReady)),
  )
  const starts = new Counter({
    name: 'verbatim_browser_starts_total',
    help: 'Times a browser was started.',
    registers,
    collect: () => {
      starts.reset()
      starts.inc(read().browser.starts)
    },
  })
  const leftAlone = new Gauge({
    name: 'verbatim_provider_left_alone',
    help: '1 while a search engine is not asked, because it failed again and again or asked us to wait; else 0.',
    labelNames: ['provider'],
    registers,
    collect() {
      for (const { name, isLeftAlone } of read().engines)
        leftAlone.set({ provider: name }, Number(isLeftAlone))
    },
  })
  cacheMetrics(registers, () => Object.entries(read().caches))
}

function cacheMetrics(registers: Registry[], readCaches: () => [string, CacheLoad][]): void {
  const gauge = (name: string, help: string, value: (cache: CacheLoad) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['cache'],
      registers,
      collect() {
        for (const [cache, load] of readCaches()) this.set({ cache }, value(load))
      },
    })
  gauge('verbatim_cache_entries', 'Entries of a cache in memory.', (load) => load.entries)
  gauge('verbatim_cache_bytes', 'Memory that a cache counts for its entries.', (load) => load.bytes)
  const lookups = new Counter({
    name: 'verbatim_cache_lookups_total',
    help: 'Lookups in a cache in memory, by result. Page cache hits are pages with reader="cache".',
    labelNames: ['cache', 'result'],
    registers,
    collect: () => {
      lookups.reset()
      for (const [cache, { hits, misses }] of readCaches()) {
        lookups.inc({ cache, result: 'hit' }, hits)
        lookups.inc({ cache, result: 'miss' }, misses)
      }
    },
  })
}
