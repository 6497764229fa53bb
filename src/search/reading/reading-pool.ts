// Reading pages away from the serving thread: hands captures to threads, PDF and other documents to processes, and
// turns what comes back into what the pipeline knows. Measured on two cores, parsing on the serving thread kept /health
// waiting for 0.6 s under load.
import { availableParallelism } from 'node:os'
import { UnreadableError } from '../../extract/document.ts'
import type { RenderingNeed } from '../../extract/classify/rendering-need.ts'
import { PageError } from '../../pages/capture.ts'
import { isDocument } from '../../pages/fetch/media-type.ts'
import { openWorkerPool, QueueFullError, WorkerLostError, type Lane } from '../../concurrency/worker-pool.ts'
import { startWorker } from '../../concurrency/worker-thread.ts'
import { startWorkerProcess } from '../../concurrency/worker-process.ts'
import { TimeLimitError } from '../../concurrency/deadline.ts'
import type { WorkerEnd } from '../../concurrency/worker-errors.ts'
import type { PageParts } from '../gather-page.ts'
import type { CutTexts } from '../given/rerank.ts'
import type { LinkPassages } from '../proof/prove-result.ts'
import type { FindQuotes, RecheckQuotes } from '../proof/single-page.ts'
import type { CheckAnswer } from '../proof/verify-answer.ts'
import type { ReadingResult, ReadingTask } from './reading-worker.ts'

/** Half of the cores, the other half scores what was read; but never one, which a single slow page could hold. */
const THREADS_MIN = 2
const THREADS_MAX = 8
/** The others take 0.3 s to start and 40 MB each, which one page at a time does not need. */
const THREADS_AWAKE_MIN = 1
const THREAD_REST_MS = 600_000
/** Pages that take turns on a thread. */
const PAGES_PER_THREAD = 4
/** Of those at most half have so many characters, so that small ones need not wait for the end of large ones. */
const LARGE_CHARACTERS = 500_000
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
/** No page is waited for longer than this, whatever its search's deadline; ordinary ones are read in 10 ms. */
const READING_LIMIT_MS = 20_000
const BUSY = 'Too many pages are being read at this moment.'
const TOO_DEMANDING = 'The page takes more time or memory to read than this service gives to one.'

export interface ReadingPoolOptions {
  /** Told when a thread or process was ended or died, for the log. */
  onWorkerEnd?: (reason: WorkerEnd, cause: unknown) => void
}

export type ReadingPool = Awaited<ReturnType<typeof openReadingPool>>

/** @throws {WorkerLostError} when the threads or processes do not start. */
export async function openReadingPool(options: ReadingPoolOptions = {}) {
  const pools = await openPools(options)

  /**
   * Reads and cuts a page.
   * @throws {UnreadableError} when there is no text to be had; {PageError} `busy` when the queue is full, `too_large` when
   * reading it ended its thread or process; a TimeLimitError at the deadline, at most after twenty seconds; the
   * signal's reason when it is aborted.
   */
  const readPage: PageParts['readPage'] = async (capture, { overlap, limit, notation, ...asked }, signal) => {
    const { url, mediaType, content, lastModified, contentLanguage } = capture
    const input = { url, mediaType, content, lastModified, contentLanguage, now: new Date() }
    const deadlineMs = Math.min(asked.deadlineMs, Date.now() + READING_LIMIT_MS)
    const lane = { isUrgent: false, deadlineMs }
    // What is no markup is not interrupted while it is read.
    const pool = isDocument(mediaType) ? pools.processes : pools.threads
    const written = notation === undefined ? {} : { notation }
    const task = { kind: 'read', input, overlap, limit, deadlineMs, ...written } as const
    const result = await submit(pool, task, url, lane, signal)
    if (result.kind === 'late') throw new TimeLimitError('reading a page', READING_LIMIT_MS)
    if (result.kind === 'unreadable') throw new UnreadableError(result.code, result.message)
    if (result.kind !== 'read') throw new Error(`the reading pool answered ${result.kind}`)
    const { kind: _kind, passages, ...read } = result
    const withText = passages.map((passage) =>
      Object.assign(passage, { text: read.page.text.slice(passage.start, passage.end) }),
    )
    return { ...read, passages: withText }
  }

  /**
   * Whether a browser would show more than the markup holds. Ahead of the pages that wait to be read: a page that needs
   * the browser is the last to arrive.
   * @throws {PageError} `busy` when the queue is full; the signal's reason when it is aborted.
   */
  async function assessRendering(
    html: string,
    url: string,
    signal: AbortSignal,
  ): Promise<RenderingNeed['verdict']> {
    return (
      await answerOf('assessed', submit(pools.threads, { kind: 'assess', html, url }, url, urgent(), signal))
    ).verdict
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
    ...createQuoteWork(pools.threads),
    assessRendering,
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

/** What is done to quotes, on a thread: it takes time in proportion to the pages they are looked up in. */
function createQuoteWork(threads: Pool) {
  /**
   * Whether and where each quote stands in the page's text.
   * @throws {PageError} `busy` when the queue is full; TimeLimitError after twenty seconds; the signal's reason.
   */
  const findQuotes: FindQuotes = async ({ url, text }, quotes, signal) => {
    return (await answerOf('found', submit(threads, { kind: 'find', text, quotes }, url, urgent(), signal)))
      .places
  }

  /**
   * What has become of quotes since a page was read before; null for one that did not stand on it then.
   * @throws {PageError} `busy` when the queue is full; TimeLimitError after twenty seconds; the signal's reason.
   */
  const recheckQuotes: RecheckQuotes = async (before, page, quotes, signal) => {
    const task = { kind: 'recheck', before: before.text, now: page.text, quotes } as const
    return (await answerOf('rechecked', submit(threads, task, page.url, urgent(), signal))).standings
  }

  /**
   * What of an answer its sources bear out.
   * @throws {PageError} `busy` when the queue is full; TimeLimitError after twenty seconds; the signal's reason.
   */
  const checkAnswer: CheckAnswer = async (answer, sources, limit, signal) => {
    const task = { kind: 'check', answer, sources, limit } as const
    return (await answerOf('checked', submit(threads, task, '', urgent(), signal))).claims
  }

  return { findQuotes, recheckQuotes, checkAnswer }
}

/** The answer of the kind that its task has. */
async function answerOf<Kind extends ReadingResult['kind']>(
  kind: Kind,
  answer: Promise<ReadingResult>,
): Promise<Extract<ReadingResult, { kind: Kind }>> {
  const result = await answer
  if (!isOfKind(result, kind)) throw new Error(`the reading pool answered ${result.kind}`)
  return result
}

const isOfKind = <Kind extends ReadingResult['kind']>(
  result: ReadingResult,
  kind: Kind,
): result is Extract<ReadingResult, { kind: Kind }> => result.kind === kind

const urgent = (): Lane => ({ isUrgent: true, deadlineMs: Date.now() + READING_LIMIT_MS })

type Pool = Awaited<ReturnType<typeof openWorkerPool<ReadingTask, ReadingResult>>>

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

/** How much there is to read, as far as it is known before. */
function charactersOf(task: ReadingTask): number {
  if (task.kind === 'read') return task.input.content.length
  if (task.kind === 'assess') return task.html.length
  if (task.kind === 'cut') return task.texts.reduce((sum, text) => sum + text.length, 0)
  if (task.kind === 'check') return task.sources.reduce((sum, { text }) => sum + (text?.length ?? 0), 0)
  if (task.kind === 'recheck') return task.before.length + task.now.length
  return task.text.length
}

async function submit(
  pool: Pool,
  task: ReadingTask,
  url: string,
  lane: Lane,
  signal: AbortSignal,
): Promise<ReadingResult> {
  try {
    const [result] = pool.submit([task], { ...lane, isLarge: charactersOf(task) >= LARGE_CHARACTERS }, signal)
    if (result === undefined) throw new Error('the reading pool took no task')
    return await result
  } catch (error) {
    if (error instanceof QueueFullError) throw new PageError(url, { code: 'busy', message: BUSY }, error)
    if (error instanceof WorkerLostError)
      throw new PageError(url, { code: 'too_large', message: TOO_DEMANDING }, error)
    throw error
  }
}
