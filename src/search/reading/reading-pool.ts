// Reading pages away from the serving thread: hands captures to threads, PDF and other documents to processes, and
// turns what comes back into what the pipeline knows. Measured on two cores, parsing on the serving thread kept /health
// waiting for 0.6 s under load.
import { availableParallelism } from 'node:os'
import { UnreadableError } from '../../extract/document.ts'
import { isDocument } from '../../pages/fetch/media-type.ts'
import { openWorkerPool } from '../../concurrency/worker-pool.ts'
import { startWorker } from '../../concurrency/worker-thread.ts'
import { startWorkerProcess } from '../../concurrency/worker-process.ts'
import { TimeLimitError } from '../../concurrency/deadline.ts'
import type { WorkerEnd } from '../../concurrency/worker-errors.ts'
import type { PageParts } from '../gather-page.ts'
import type { CutTexts } from '../given/rerank.ts'
import type { LinkPassages } from '../proof/prove-result.ts'
import { createLoadingWork } from './loading-work.ts'
import { answerOf, READING_LIMIT_MS, submit, type Pool } from './put-task.ts'
import type { ReadUnlessKnown } from './parsed-page-cache.ts'
import { createQuoteWork } from './quote-work.ts'
import type { ReadingResult, ReadingTask } from './reading-worker.ts'

/** Half of the cores, the other half scores what was read; but never one, which a single slow page could hold. */
const THREADS_MIN = 2
const THREADS_MAX = 8
/** The others take 0.3 s to start and 40 MB each, which one page at a time does not need. */
const THREADS_AWAKE_MIN = 1
const THREAD_REST_MS = 600_000
/** Pages that take turns on a thread; of those at most half are large. */
const PAGES_PER_THREAD = 4
/** Five megabytes of the worst HTML that was found take 130 MB to read. */
const THREAD_MEMORY_MB = 768
/** A quarter of what V8 takes unasked: reading is 12 to 20 % dearer for it, and 30 with half as much. */
const THREAD_YOUNG_MEMORY_MB = 12
/**
 * A PDF or office document is neither interrupted nor bounded in what it makes of a few bytes: one at a time in a
 * process of its own.
 */
const PROCESSES = 2
const PROCESS_MEMORY_MB = 400
/** Most installations seldom meet one: a process takes 120 MB and half a second to start. */
const PROCESS_REST_MS = 60_000
/** Most are read in a tenth of it; a few that never end must not keep those from being read in time. */
const PROCESS_TURN_MS = 1_000
const QUEUE_LIMIT = 512

export interface ReadingPoolOptions {
  /** Told when a thread or process was ended or died, for the log. */
  onWorkerEnd?: (reason: WorkerEnd, cause: unknown) => void
}

export type ReadingPool = Awaited<ReturnType<typeof openReadingPool>>

/** @throws {WorkerLostError} when the threads or processes do not start. */
export async function openReadingPool(options: ReadingPoolOptions = {}) {
  const pools = await openPools(options)

  /**
   * Reads and cuts a page; null when it is the one that is known.
   * @throws {UnreadableError} when there is no text to be had; {PageError} `busy` when the queue is full, `too_large` when
   * reading it ended its thread or process; a TimeLimitError at the deadline, at most after twenty seconds; the
   * signal's reason when it is aborted.
   */
  const readUnlessKnown: ReadUnlessKnown = async (capture, reading, knownSha256, signal) => {
    const { overlap, limit, notation, deadlineMs: askedMs } = reading
    const { url, mediaType, content, lastModified, contentLanguage } = capture
    const input = { url, mediaType, content, lastModified, contentLanguage, now: new Date() }
    const deadlineMs = Math.min(askedMs, Date.now() + READING_LIMIT_MS)
    const lane = { isUrgent: false, deadlineMs }
    // What is no markup is not interrupted while it is read.
    const pool = isDocument(mediaType) ? pools.processes : pools.threads
    const written = notation === undefined ? {} : { notation }
    const task = { kind: 'read', input, overlap, limit, deadlineMs, knownSha256, ...written } as const
    const result = await submit(pool, task, url, lane, signal)
    if (result.kind === 'unchanged') return null
    if (result.kind === 'late') throw new TimeLimitError('reading a page', READING_LIMIT_MS)
    if (result.kind === 'unreadable') throw new UnreadableError(result.code, result.message)
    if (result.kind !== 'read') throw new Error(`the reading pool answered ${result.kind}`)
    const { kind: _kind, passages, ...read } = result
    const withText = passages.map((passage) =>
      Object.assign(passage, { text: read.page.text.slice(passage.start, passage.end) }),
    )
    return { ...read, passages: withText }
  }

  /** The same of a page of which nothing is known. */
  const readPage: PageParts['readPage'] = async (capture, reading, signal) => {
    const result = await readUnlessKnown(capture, reading, null, signal)
    if (result === null) throw new Error('the reading pool knows a page that nobody told it of')
    return result
  }

  /**
   * Links that open a page at spans of its text; null for one that cannot be quoted.
   * @throws {PageError} `busy` when the queue is full; TimeLimitError at the deadline; the signal's reason.
   */
  const linkPassages: LinkPassages = async ({ url, text }, spans, deadlineMs, signal) => {
    const lane = { isUrgent: true, deadlineMs }
    return (
      await answerOf('linked', submit(pools.threads, { kind: 'link', url, text, spans }, url, lane, signal))
    ).links
  }

  /**
   * Passages of plain texts, at most `limit` of each.
   * @throws {PageError} `busy` when the queue is full; TimeLimitError at the deadline; the signal's reason.
   */
  const cutTexts: CutTexts = async (texts, limit, deadlineMs, signal) => {
    const lane = { isUrgent: true, deadlineMs }
    return (
      await answerOf('cut', submit(pools.threads, { kind: 'cut', texts, limit }, 'about:blank', lane, signal))
    ).pieces
  }

  return {
    readPage,
    readUnlessKnown,
    ...createLoadingWork(pools.threads),
    ...createQuoteWork(pools.threads),
    linkPassages,
    cutTexts,
    /** Pages that wait for a thread or process. */
    waiting: (): number => pools.threads.waiting() + pools.processes.waiting(),
    /** Whether any thread is there to read a page; processes start when they are needed. */
    isUp: (): boolean => pools.threads.isUp(),
    /** Ends the threads and processes within five seconds. */
    async close(): Promise<void> {
      await Promise.all([pools.threads.close(), pools.processes.close()])
    },
  }
}

async function openPools({ onWorkerEnd }: ReadingPoolOptions): Promise<{ threads: Pool; processes: Pool }> {
  const shared = {
    isKillable: true,
    queueLimit: QUEUE_LIMIT,
    ...(onWorkerEnd === undefined ? {} : { onWorkerEnd }),
  }
  const threads = openWorkerPool<ReadingTask, ReadingResult>({
    ...shared,
    start: () =>
      startWorker(import.meta.url, 'reading-worker', {
        memoryMb: THREAD_MEMORY_MB,
        youngMemoryMb: THREAD_YOUNG_MEMORY_MB,
      }),
    workers: Math.min(THREADS_MAX, Math.max(THREADS_MIN, Math.ceil(availableParallelism() / 2))),
    awakeMin: THREADS_AWAKE_MIN,
    restMs: THREAD_REST_MS,
    tasksPerWorker: PAGES_PER_THREAD,
  })
  const processes = openWorkerPool<ReadingTask, ReadingResult>({
    ...shared,
    start: () => startWorkerProcess(import.meta.url, 'reading-worker', { memoryMb: PROCESS_MEMORY_MB }),
    workers: PROCESSES,
    tasksPerWorker: 1,
    restMs: PROCESS_REST_MS,
    turnMs: PROCESS_TURN_MS,
  })
  const [first, second] = await Promise.allSettled([threads, processes])
  if (first.status === 'fulfilled' && second.status === 'fulfilled')
    return { threads: first.value, processes: second.value }
  for (const opened of [first, second]) if (opened.status === 'fulfilled') await opened.value.close()
  throw first.status === 'rejected' ? first.reason : second.status === 'rejected' ? second.reason : null
}
