// Crawls shared by replicas: one job for each site in a queue on Redis (BullMQ). Any replica takes it, a killed one's is
// taken over. What is read and what waits stands in the database: the queue only tells who reads which site.
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Job, Queue, QueueEvents, WaitingError, Worker } from 'bullmq'
import { z } from 'zod'
import { OperatorError } from '../../errors.ts'
import type { OpenRedis, RedisClient } from '../../connections/redis.ts'
import { withDeadline } from '../../concurrency/deadline.ts'
import { type Crawler, type CrawlSummary, siteAddress } from './crawler.ts'
import type { CrawlProgress, CrawlRequest } from './crawl.ts'
import { pause } from './host-lock.ts'
import type { CrawlBounds, SiteSummary } from './crawled-sites.ts'

/** The braces keep all keys of the queue on one node of a Redis Cluster. */
const PREFIX = '{verbatim-crawls}'
const QUEUE = 'sites'
/** A crawl that fails, or whose replica dies, is begun again so many times. */
const ATTEMPTS_MAX = 5
const RETRY_MS = 10_000
/** Jobs that ended are kept for those who still follow them. */
const ENDED_KEPT_MAX = 100
/** How long closing waits for Redis to take back what is not finished; after it the job's lock expires by itself. */
const CLOSE_MS_MAX = 5_000
const LOCK_MS = 30_000
/** How often a follower makes sure that there is still something to follow. */
const LOOK_AGAIN_MS = 5_000
/** A crawl that Redis has lost is added again: so often without a page in between, */
const LOSSES_IN_A_ROW_MAX = 5
/** after half to all of so long, doubled each time, so that replicas do not come all at once. */
const LOSS_PAUSE_MS = 1_000
const LOSS_PAUSE_MS_MAX = 15_000
const SITES_AT_ONCE = 2

type SiteJob = Job<CrawlBounds & { siteUrl: string }, CrawlSummary>
type Connection = { connection: RedisClient; prefix: string; skipVersionCheck: boolean }

const progressSchema = z.object({
  url: z.string(),
  outcome: z.enum(['read', 'failed', 'skipped']),
  reason: z.string().nullable(),
  pagesRead: z.number(),
})
const summarySchema = z.object({
  siteUrl: z.string(),
  isResumed: z.boolean(),
  pagesRead: z.number(),
  // A replica of the version before does not tell it.
  unread: z.number().default(0),
  end: z.enum(['complete', 'limit', 'unreachable', 'busy', 'removed']),
})

export interface CrawlQueueOptions {
  /** A connection of the queue's own (`openQueueRedis`). */
  redis: OpenRedis
  /** Reads a site here. Its library and its turns must be those of all replicas. */
  crawler: Crawler
  /** What the database of all replicas knows of a site: whether its crawl has ended tells it, too. */
  getSite: (siteUrl: string) => Promise<Pick<SiteSummary, 'lastEnd' | 'counts'> | undefined>
  /** How many sites this replica reads at once. Default 2. */
  sitesAtOnce?: number
  /** A replica that is not heard of for so long has lost its crawl to another one. Default 30 seconds. */
  lockMs?: number
  /** Told of what went wrong with Redis or with a crawl, for the log; the queue goes on. */
  onError: (error: Error) => void
}

export type CrawlQueue = ReturnType<typeof openCrawlQueue>

/**
 * Joins the replicas that read sites, as soon as Redis is there; and is itself a crawler: the site is read by whichever
 * replica takes it.
 */
export function openCrawlQueue(options: CrawlQueueOptions) {
  const { redis } = options
  // That Redis is away its connection tells, once; every attempt to reach it is no news.
  const onError = (error: Error): void => {
    if (redis.isReady()) options.onError(error)
  }
  const connection: Connection = { connection: redis.client, prefix: PREFIX, skipVersionCheck: true }
  const queue = new Queue<SiteJob['data'], CrawlSummary>(QUEUE, connection).on('error', onError)
  const closing = new AbortController()
  const worker = openWorker({ ...options, onError }, connection, closing.signal)
  return {
    /**
     * As every crawler: reads the site, here or elsewhere, and tells each page. The bounds of a crawl that is under way
     * stay what they are. Aborting ends the following, not the crawl. One that Redis has lost goes on when it is back.
     */
    async crawl(seedUrl, request, signal) {
      const siteUrl = siteAddress(seedUrl)
      const before = await options.getSite(siteUrl)
      let losses = 0
      const onProgress = (progress: CrawlProgress): void => {
        losses = 0
        request.onProgress?.(progress)
      }
      for (;;) {
        const summary = await follow(
          { queue, connection, onError },
          siteUrl,
          { ...request, onProgress },
          signal,
        )
        if (summary !== null) return summary
        losses += 1
        await pause(lossPauseMs(losses), signal)
        const known = await options.getSite(siteUrl)
        if (known?.lastEnd && known.lastEnd.at !== before?.lastEnd?.at) return summaryOf(siteUrl, known)
      }
    },

    /** Whether Redis is there. */
    isReady: () => redis.isReady(),

    /** Begins again what was not finished and is in no queue, because Redis has lost it. */
    async addUnfinished(sites: readonly SiteSummary[]): Promise<void> {
      for (const site of sites) if (site.finishedAt === null) await addSite(queue, site.url, site)
    },

    /** Gives back what this replica has not finished, for another one to go on with. */
    async close(): Promise<void> {
      closing.abort()
      const closed = Promise.all([worker.close(), queue.close()]).catch(onError)
      await Promise.race([closed, delay(CLOSE_MS_MAX, undefined, { ref: false })])
      await redis.close()
    },
  } satisfies Crawler & Record<string, unknown>
}

/** A site that waits or is being read is not added again: the same job is followed by all who ask for it. */
function addSite(
  queue: Queue<SiteJob['data'], CrawlSummary>,
  siteUrl: string,
  { pageLimit, depthLimit, delayMs }: CrawlBounds,
): Promise<SiteJob> {
  return queue.add(
    'site',
    { siteUrl, pageLimit, depthLimit, delayMs },
    {
      deduplication: { id: createHash('sha256').update(siteUrl).digest('hex') },
      attempts: ATTEMPTS_MAX,
      backoff: { type: 'exponential', delay: RETRY_MS },
      removeOnComplete: { count: ENDED_KEPT_MAX },
      removeOnFail: { count: ENDED_KEPT_MAX },
    },
  )
}

interface Followed {
  queue: Queue<SiteJob['data'], CrawlSummary>
  connection: Connection
  onError: (error: Error) => void
}

/** Follows the crawl of the site to its end; null when Redis has lost it. */
async function follow(
  { queue, connection, onError }: Followed,
  siteUrl: string,
  { onProgress, ...bounds }: CrawlRequest,
  signal: AbortSignal,
): Promise<CrawlSummary | null> {
  const { id = '' } = await addSite(queue, siteUrl, bounds)
  // From the first event that is kept: what happened since the job was added is told, too.
  const events = new QueueEvents(QUEUE, { ...connection, lastEventId: '0' }).on('error', onError)
  events.on('progress', ({ jobId, data }) => {
    if (jobId === id) onProgress?.(progressSchema.parse(data))
  })
  const stop = new AbortController()
  try {
    return await withDeadline({ what: 'a shared crawl', signal }, () =>
      Promise.race([ended(events, id), lost(queue, id, stop.signal)]),
    )
  } finally {
    stop.abort()
    await events.close()
  }
}

/** How the job ended, as its last event tells. */
function ended(events: QueueEvents, id: string): Promise<CrawlSummary> {
  return new Promise((resolve, reject) => {
    events.on('completed', ({ jobId, returnvalue }) => {
      if (jobId === id) resolve(summarySchema.parse(returnvalue))
    })
    events.on('failed', ({ jobId, failedReason }) => {
      if (jobId === id) reject(new OperatorError(`The crawl was given up: ${failedReason}`))
    })
  })
}

/** Null as soon as Redis has forgotten the job, whose end nobody would ever tell. */
async function lost(queue: Pick<Queue, 'getJob'>, id: string, signal: AbortSignal): Promise<null> {
  while ((await queue.getJob(id)) !== undefined) await pause(LOOK_AGAIN_MS, signal)
  return null
}

/** @throws {OperatorError} when it is not worth going on. */
function lossPauseMs(losses: number): number {
  if (losses > LOSSES_IN_A_ROW_MAX)
    throw new OperatorError('Redis loses the crawl. The same command goes on from where it stopped.')
  return Math.min(LOSS_PAUSE_MS_MAX, LOSS_PAUSE_MS * 2 ** (losses - 1)) * (1 - Math.random() / 2)
}

/** What a crawl would have told whose end alone was lost: added again, it would begin anew. */
const summaryOf = (
  siteUrl: string,
  { lastEnd, counts }: Pick<SiteSummary, 'lastEnd' | 'counts'>,
): CrawlSummary => ({
  siteUrl,
  isResumed: true,
  pagesRead: counts.read,
  unread: counts.failed,
  end: lastEnd?.end ?? 'complete',
})

function openWorker(
  { crawler, sitesAtOnce = SITES_AT_ONCE, lockMs = LOCK_MS, onError }: CrawlQueueOptions,
  connection: Connection,
  closing: AbortSignal,
) {
  const read = async (job: SiteJob, token?: string, cancelled?: AbortSignal): Promise<CrawlSummary> => {
    const { siteUrl, ...bounds } = job.data
    const stop = cancelled === undefined ? closing : AbortSignal.any([closing, cancelled])
    const onProgress = (progress: CrawlProgress): void => void job.updateProgress(progress).catch(onError)
    try {
      return await crawler.crawl(siteUrl, { ...bounds, onProgress }, stop)
    } catch (error) {
      if (!stop.aborted) throw error
      await job.moveToWait(token)
      throw new WaitingError()
    }
  }
  const worker = new Worker<SiteJob['data'], CrawlSummary>(QUEUE, read, {
    ...connection,
    concurrency: sitesAtOnce,
    lockDuration: lockMs,
    stalledInterval: lockMs / 2,
    maxStalledCount: ATTEMPTS_MAX,
  })
  // Whoever has lost a crawl to another replica must not go on with it.
  worker.on('lockRenewalFailed', (jobIds) => jobIds.forEach((jobId) => worker.cancelJob(jobId)))
  worker.on('failed', (_, error) => onError(error))
  return worker.on('error', onError)
}
