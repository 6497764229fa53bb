import { describe, expect, test } from 'vitest'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import type { SearchObservation, ServiceLoad } from '../../src/telemetry/observations.ts'

const LOAD: ServiceLoad = {
  searches: { running: 3, waiting: 5 },
  browser: { tabs: 3, busy: 2, waiting: 7, starts: 4 },
  reading: { waiting: 6 },
  scoring: { waiting: 11 },
  engines: [
    { name: 'brave', isLeftAlone: true },
    { name: 'searxng', isLeftAlone: false },
  ],
  caches: { readings: { entries: 2, bytes: 640, hits: 9, misses: 4 } },
  redisReady: false,
}

const ANSWERED: SearchObservation = {
  depth: 'balanced',
  outcome: 'answered',
  elapsedMs: 700,
  facts: {
    provider: 'brave+searxng',
    model: 'bundled',
    stages: { provider: 100, pages: 400, score: 50 },
    pages: [
      { host: 'site.example', outcome: 'read', isOurFault: false, readBy: 'static', elapsedMs: 200 },
      { host: 'site.example', outcome: 'read', isOurFault: false, readBy: 'cache', elapsedMs: 2 },
      { host: 'site.example', outcome: 'timeout', isOurFault: false, readBy: null, elapsedMs: 5_000 },
    ],
    dropped: { language: 2 },
  },
}

/** The value of exactly this sample, or null when there is none. */
function sample(text: string, series: string): number | null {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length))
}

describe('the metrics of a service', () => {
  test('count an answered search once, with its stages, pages, engines and model', async () => {
    const metrics = createMetrics()
    metrics.observeSearch(ANSWERED)
    const text = await metrics.render()
    expect(sample(text, 'verbatim_searches_total{depth="balanced",outcome="answered"}')).toBe(1)
    expect(sample(text, 'verbatim_search_duration_seconds_sum{depth="balanced"}')).toBeCloseTo(0.7)
    expect(sample(text, 'verbatim_search_stage_duration_seconds_sum{stage="pages"}')).toBeCloseTo(0.4)
    expect(sample(text, 'verbatim_pages_total{outcome="read",reader="cache"}')).toBe(1)
    expect(sample(text, 'verbatim_pages_total{outcome="timeout",reader="none"}')).toBe(1)
    expect(sample(text, 'verbatim_pages_dropped_total{filter="language"}')).toBe(2)
    expect(sample(text, 'verbatim_provider_answers_total{provider="brave"}')).toBe(1)
    expect(sample(text, 'verbatim_provider_answers_total{provider="searxng"}')).toBe(1)
    expect(sample(text, 'verbatim_model_searches_total{depth="balanced",model="bundled"}')).toBe(1)
  })

  test('a refused search counts as one and tells nothing of stages', async () => {
    const metrics = createMetrics()
    metrics.observeSearch({ depth: 'precise', outcome: 'overloaded', elapsedMs: 1, facts: null })
    const text = await metrics.render()
    expect(sample(text, 'verbatim_searches_total{depth="precise",outcome="overloaded"}')).toBe(1)
    expect(text).not.toContain('verbatim_search_duration_seconds_sum{depth="precise"}')
  })

  test('every scrape reads the load anew, and totals are not added up twice', async () => {
    const metrics = createMetrics()
    let load = LOAD
    metrics.watchService({ version: '1.2.3', describeLoad: () => load })
    await metrics.render()
    load = {
      ...LOAD,
      searches: { running: 1, waiting: 0 },
      caches: { readings: { entries: 3, bytes: 700, hits: 10, misses: 4 } },
    }
    const text = await metrics.render()
    expect(sample(text, 'verbatim_build_info{version="1.2.3"}')).toBe(1)
    expect(sample(text, 'verbatim_searches_running')).toBe(1)
    expect(sample(text, 'verbatim_searches_waiting')).toBe(0)
    expect(sample(text, 'verbatim_browser_starts_total')).toBe(4)
    expect(sample(text, 'verbatim_cache_lookups_total{cache="readings",result="hit"}')).toBe(10)
    expect(sample(text, 'verbatim_cache_lookups_total{cache="readings",result="miss"}')).toBe(4)
    expect(sample(text, 'verbatim_redis_ready')).toBe(0)
    expect(sample(text, 'verbatim_provider_left_alone{provider="brave"}')).toBe(1)
    expect(sample(text, 'verbatim_provider_left_alone{provider="searxng"}')).toBe(0)
  })

  test('without Redis are told apart from Redis being away', async () => {
    const metrics = createMetrics()
    metrics.watchService({ version: '1', describeLoad: () => ({ ...LOAD, redisReady: null }) })
    expect(sample(await metrics.render(), 'verbatim_redis_ready')).toBe(-1)
  })

  test('two services in one process do not count together', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    one.observeRateLimitRefusal('key')
    expect(sample(await one.render(), 'verbatim_rate_limit_refusals_total{quota="key"}')).toBe(1)
    expect(sample(await other.render(), 'verbatim_rate_limit_refusals_total{quota="key"}')).toBeNull()
  })
})
