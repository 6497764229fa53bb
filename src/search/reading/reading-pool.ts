// Reading pages away from the serving thread: hands captures to the reading threads and turns what comes back into
// what the pipeline knows. Measured on two cores, parsing on the serving thread kept /health waiting for 0.6 s under load.
import { availableParallelism } from 'node:os'
import { UnreadableError } from '../../extract/document.ts'
import type { RenderingNeed } from '../../extract/classify/rendering-need.ts'
import { PageError } from '../../pages/capture.ts'
import { openWorkerPool, QueueFullError } from '../../concurrency/worker-pool.ts'
import { startWorker } from '../../concurrency/start-worker.ts'
import type { GatherParts } from '../gather.ts'
import type { ReadingResult, ReadingTask } from './reading-worker.ts'

/** Half of the cores: the other half scores what was read. */
const THREADS_MAX = 8
/** Pages that take turns on a thread. */
const PAGES_PER_THREAD = 4
const QUEUE_LIMIT = 512
/** No page is read for longer than this, whatever its search's deadline; ordinary ones take 10 ms. */
const READING_LIMIT_MS = 10_000
const PATIENT = { isUrgent: false } as const
const URGENT = { isUrgent: true } as const
const BUSY = 'Too many pages are being read at this moment.'

export type ReadingPool = Awaited<ReturnType<typeof openReadingPool>>

/** @throws {WorkerLostError} when the threads do not start. */
export async function openReadingPool() {
  const pool = await openWorkerPool<ReadingTask, ReadingResult>({
    start: () => startWorker(import.meta.url, 'reading-worker'),
    workers: Math.min(THREADS_MAX, Math.ceil(availableParallelism() / 2)),
    tasksPerWorker: PAGES_PER_THREAD,
    queueLimit: QUEUE_LIMIT,
  })

  /**
   * Reads and cuts a page.
   * @throws {UnreadableError} when there is no text to be had; {PageError} `busy` when the queue is full; a TimeoutError
   * after ten seconds; the signal's reason when it is aborted.
   */
  const readPage: GatherParts['readPage'] = async (capture, options, signal) => {
    const { url, mediaType, content, lastModified, contentLanguage } = capture
    const input = { url, mediaType, content, lastModified, contentLanguage, now: new Date() }
    const deadlineMs = Date.now() + READING_LIMIT_MS
    const result = await submit({ kind: 'read', input, ...options, deadlineMs }, url, PATIENT, signal)
    if (result.kind === 'unreadable') throw new UnreadableError(result.code, result.message)
    if (result.kind === 'late') throw new DOMException('reading took too long', 'TimeoutError')
    if (result.kind !== 'read') throw new Error(`the reading pool answered ${result.kind}`)
    const { page, passages, truncated } = result
    const withText = passages.map(({ start, end, headings }) => {
      return { start, end, headings, text: page.text.slice(start, end) }
    })
    return { page, passages: withText, truncated }
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
    const result = await submit({ kind: 'assess', html, url }, url, URGENT, signal)
    if (result.kind !== 'assessed') throw new Error(`the reading pool answered ${result.kind}`)
    return result.verdict
  }

  async function submit(
    task: ReadingTask,
    url: string,
    lane: { isUrgent: boolean },
    signal: AbortSignal,
  ): Promise<ReadingResult> {
    try {
      const [result] = pool.submit([task], lane, signal)
      if (result === undefined) throw new Error('the reading pool took no task')
      return await result
    } catch (error) {
      if (error instanceof QueueFullError) throw new PageError(url, { code: 'busy', message: BUSY }, error)
      throw error
    }
  }

  return {
    readPage,
    assessRendering,
    /** Pages that wait for a thread. */
    waiting: pool.waiting,
    /** Whether any thread is there to read one. */
    isUp: pool.isUp,
    /** Ends the threads within five seconds. */
    close: pool.close,
  }
}
