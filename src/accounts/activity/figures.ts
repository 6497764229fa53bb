// From counts to what a page tells of a span of time. Pure.
import { bucketLatency } from '../usage/latency-histogram.ts'
import type { ActivityKind, SpanCount } from './activity-counts.ts'

export interface ActivityFigures {
  requests: { total: number; refused: number; rateLimited: number; failed: number }
  searches: { total: number; answered: number; failed: number }
  /** Of answered searches, in ms, within nine per cent; null without any. */
  latency: { p50Ms: number | null; p95Ms: number | null; p99Ms: number | null }
  /** How long 95 of 100 searches waited for a place at most. */
  waitP95Ms: number | null
  pages: { total: number; cached: number; rendered: number; failed: number }
  engines: readonly EngineFigures[]
  models: readonly ModelFigures[]
  /** Those with most failures first. */
  failingHosts: readonly HostFigures[]
}

export interface EngineFigures {
  name: string
  answered: number
  failed: number
  /** Start of the first hour or day without an answer of those since which it only failed; null where it answered last. */
  failingSince: Date | null
  /** The kind of failure that was counted last, of several in one hour or day the most frequent; null without any. */
  lastFailure: string | null
}

export interface ModelFigures {
  depth: string
  model: string
  searches: number
  /** Median time that scoring took at this depth. */
  medianMs: number | null
}

export interface HostFigures {
  host: string
  failures: number
  /** By how often, most first. */
  reasons: readonly { reason: string; count: number }[]
}

/** How a search ends that is nobody's failure: answered, or its client left. */
const NO_FAILURES = new Set(['answered', 'gone'])
const READ = new Set(['read', 'cut_short'])

/** `unitMs`: how long the hour or day is that the counts come in. */
export function figuresOf(counts: readonly SpanCount[], unitMs: number): ActivityFigures {
  const of = (kind: ActivityKind) => counts.filter((count) => count.kind === kind)
  const [requests, searches, pages] = [of('request'), of('search'), of('page')]
  const statuses = (from: number, below: number): number =>
    sum(requests.filter(({ detail }) => Number(detail) >= from && Number(detail) < below))
  const rateLimited = statuses(429, 430)
  return {
    requests: {
      total: sum(requests),
      refused: statuses(400, 500) - rateLimited,
      rateLimited,
      failed: statuses(500, 600),
    },
    searches: {
      total: sum(searches),
      answered: sum(searches.filter(({ detail }) => detail === 'answered')),
      failed: sum(searches.filter(({ detail }) => !NO_FAILURES.has(detail))),
    },
    latency: {
      p50Ms: quantile(of('search_ms'), 0.5),
      p95Ms: quantile(of('search_ms'), 0.95),
      p99Ms: quantile(of('search_ms'), 0.99),
    },
    waitP95Ms: quantile(of('wait_ms'), 0.95),
    pages: {
      total: sum(pages),
      cached: sum(pages.filter(({ detail }) => detail === 'cache')),
      rendered: sum(pages.filter(({ detail }) => detail === 'browser')),
      failed: sum(pages.filter(({ name }) => !READ.has(name))),
    },
    engines: enginesOf(of('engine'), unitMs),
    models: modelsOf(of('model'), of('score_ms')),
    failingHosts: hostsOf(of('host')),
  }
}

const sum = (counts: readonly { count: number }[]): number =>
  counts.reduce((total, { count }) => total + count, 0)

/** Of counts whose details are latency buckets; null without any. */
function quantile(counts: readonly SpanCount[], share: number): number | null {
  const wanted = sum(counts) * share
  let seen = 0
  for (const { detail, count } of counts.toSorted(
    (left, right) => Number(left.detail) - Number(right.detail),
  )) {
    seen += count
    if (seen >= wanted) return bucketLatency(Number(detail))
  }
  return null
}

function groupByName(counts: readonly SpanCount[]): [string, SpanCount[]][] {
  const groups = new Map<string, SpanCount[]>()
  for (const count of counts) groups.set(count.name, [...(groups.get(count.name) ?? []), count])
  return [...groups]
}

const enginesOf = (counts: readonly SpanCount[], unitMs: number): EngineFigures[] =>
  groupByName(counts).map(([name, own]) => {
    const answers = own.filter(({ detail }) => detail === 'answered')
    const failures = own.filter(({ detail }) => detail !== 'answered')
    const [answered, failed] = [sum(answers), sum(failures)]
    const failingSince = failingSinceOf(answers, failures, unitMs)
    return { name, answered, failed, failingSince, lastFailure: lastFailureOf(failures) }
  })

/** Within one hour nobody knows which came last: that counts as answered. */
function failingSinceOf(
  answers: readonly SpanCount[],
  failures: readonly SpanCount[],
  unitMs: number,
): Date | null {
  const answeredAt = Math.max(...answers.map(({ lastAt }) => lastAt))
  const failedAt = Math.max(...failures.map(({ lastAt }) => lastAt))
  if (failures.length === 0 || answeredAt >= failedAt) return null
  const firstFailedAt = Math.min(...failures.map(({ firstAt }) => firstAt))
  return new Date(answers.length > 0 ? answeredAt + unitMs : firstFailedAt)
}

const lastFailureOf = (failures: readonly SpanCount[]): string | null =>
  failures.toSorted((left, right) => right.lastAt - left.lastAt || right.count - left.count)[0]?.detail ??
  null

function modelsOf(models: readonly SpanCount[], latencies: readonly SpanCount[]): ModelFigures[] {
  return models
    .map(({ name: depth, detail: model, count: searches }) => ({
      depth,
      model,
      searches,
      medianMs: quantile(
        latencies.filter(({ name }) => name === depth),
        0.5,
      ),
    }))
    .toSorted((left, right) => right.searches - left.searches)
}

const hostsOf = (counts: readonly SpanCount[]): HostFigures[] =>
  groupByName(counts)
    .map(([host, own]) => ({
      host,
      failures: sum(own),
      reasons: own
        .map(({ detail: reason, count }) => ({ reason, count }))
        .toSorted((left, right) => right.count - left.count),
    }))
    .toSorted((left, right) => right.failures - left.failures || (left.host < right.host ? -1 : 1))
