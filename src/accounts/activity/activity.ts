// What the service did, remembered across restarts and by all replicas together: counted in memory and written once a
// second, so that remembering can neither slow nor fail a search.
import type { Logger } from '../../telemetry/log.ts'
import type { SearchObservation } from '../../telemetry/observations.ts'
import { createOutage } from '../../telemetry/outage.ts'
import { deleteInChunks } from '../store/delete-in-chunks.ts'
import type { Store } from '../store/store.ts'
import { ACTIVITY_TABLES, createPendingCounts, writeActivity } from './activity-counts.ts'
import type { ActivityReports } from './activity-reports.ts'
import { figuresOf, type ActivityFigures } from './figures.ts'
import {
  createPendingRequests,
  writeRequests,
  type LoggedRequest,
  type RequestPage,
  type RequestQuery,
} from './request-log.ts'

const FLUSH_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HOURS_KEPT_MS = 8 * DAY_MS
const DAYS_KEPT_MS = 400 * DAY_MS
const REQUESTS_KEPT_MS = 30 * DAY_MS
/** Of a busy service the last million, which is some hundred megabytes. */
const REQUESTS_MAX = 1_000_000

/** Spans that figures are told of, up to now: a day by the hour, a month by the day. */
const SPANS = {
  '24h': { unit: 'hour', spanMs: DAY_MS },
  '30d': { unit: 'day', spanMs: 29 * DAY_MS },
} as const
type FigureSpan = keyof typeof SPANS

interface ActivityOptions {
  store: Store
  /** What has been written, read beside the thread that serves requests. */
  reports: ActivityReports
  /** Whether queries are kept with their requests. */
  keepsQueries: boolean
  log: Logger
  /** Default one second. */
  flushIntervalMs?: number
}

export type Activity = ReturnType<typeof openActivity>

export function openActivity({
  store,
  reports,
  keepsQueries,
  log,
  flushIntervalMs = FLUSH_MS,
}: ActivityOptions) {
  const counts = createPendingCounts()
  const requests = createPendingRequests()
  let writing: Promise<void> = Promise.resolve()
  const old = createForgetting(store, reports, log)
  const outage = createOutage({
    begins: (error) =>
      log.warn({ err: error }, 'activity cannot be written; it is kept in memory as far as that goes'),
    ends: () => log.info({ lost: counts.lost(), missing: requests.missing() }, 'activity is written again'),
  })

  const write = async (): Promise<void> => {
    const [someCounts, someRequests] = [counts.take(), requests.take()]
    if (someCounts.size + someRequests.length === 0) return
    try {
      await store.loosely(async (transaction) => {
        await writeActivity(transaction, someCounts)
        await writeRequests(transaction, someRequests)
      })
      outage.works()
      old.forget()
    } catch (error) {
      outage.fails(error)
      counts.giveBack(someCounts)
      requests.giveBack(someRequests)
    }
  }
  const flush = (): Promise<void> => (writing = writing.then(write))
  const timer = setInterval(() => void flush(), flushIntervalMs)
  timer.unref()

  return {
    ...createCounting(counts, requests, keepsQueries),

    /** What all replicas counted in the last 24 hours (and the part of an hour before) or 30 days, up to a second ago. */
    async figures(span: FigureSpan, now = new Date()): Promise<ActivityFigures> {
      const { unit, spanMs } = SPANS[span]
      const counted = await reports.activity({ from: new Date(now.getTime() - spanMs), unit })
      return figuresOf(counted, ACTIVITY_TABLES[unit].unitMs)
    },

    /** The last requests, newest first. */
    requests: (query: RequestQuery): Promise<RequestPage> => reports.requests(query),

    /** Counts that will never be told, because the store was away for too long. */
    lostCounts: (): number => counts.lost(),

    /** Writes what there is so far; when the store is away it stays in memory. */
    flush,

    async close(): Promise<void> {
      clearInterval(timer)
      await flush()
      await old.settled()
    },
  }
}

/** Once an hour, beside what is written then. */
function createForgetting(store: Store, reports: ActivityReports, log: Logger) {
  let forgetting: Promise<void> = Promise.resolve()
  let prunedHour = 0
  return {
    forget(): void {
      const hour = Math.floor(Date.now() / HOUR_MS)
      if (hour === prunedHour) return
      prunedHour = hour
      forgetting = prune(store, reports).catch((error: unknown) =>
        log.warn({ err: error }, 'activity of long ago could not be forgotten; the next hour tries again'),
      )
    },
    /** Resolves when what was begun is done. */
    settled: (): Promise<void> => forgetting,
  }
}

/** From events to counts. None of it ever throws or waits. */
function createCounting(
  counts: ReturnType<typeof createPendingCounts>,
  requests: ReturnType<typeof createPendingRequests>,
  keepsQueries: boolean,
) {
  return {
    /** Counts a request and keeps it for the list. */
    countRequest(request: LoggedRequest): void {
      counts.add('request', request.route, String(request.status))
      requests.add(keepsQueries ? request : { ...request, query: null })
    },

    countSearch({ depth, outcome, elapsedMs, facts }: SearchObservation): void {
      counts.add('search', depth, outcome)
      if (facts === null) return
      counts.addLatency('search_ms', depth, elapsedMs)
      counts.addLatency('score_ms', depth, facts.stages['score'] ?? 0)
      counts.add('model', depth, facts.model)
      for (const engine of facts.provider.split('+')) counts.add('engine', engine, 'answered')
      for (const { host, outcome: ended, isOurFault, readBy } of facts.pages) {
        counts.add('page', ended, readBy ?? 'none')
        if (readBy === null && !isOurFault) counts.addHost(host, ended)
      }
    },

    countWait: (waitedMs: number): void => counts.addLatency('wait_ms', '', waitedMs),

    countEngineFailure: (engine: string, failure: string): void => counts.add('engine', engine, failure),
  }
}

/** Forgets what is too old, and of very many requests the oldest. */
async function prune({ database }: Store, reports: ActivityReports): Promise<void> {
  const now = Date.now()
  await deleteInChunks(database, 'activity_hours', COUNT_KEY, now - HOURS_KEPT_MS)
  await deleteInChunks(database, 'activity_days', COUNT_KEY, now - DAYS_KEPT_MS)
  const beyond = (await reports.requestMoment(REQUESTS_MAX)) ?? 0
  await deleteInChunks(
    database,
    'request_log',
    ['occurred_at', 'entry_id'],
    Math.max(now - REQUESTS_KEPT_MS, beyond),
  )
}

const COUNT_KEY = ['starts_at', 'kind', 'name', 'detail'] as const
