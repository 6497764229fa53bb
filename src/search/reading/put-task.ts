// How a task is put to the threads and processes that read, and what its caller hears when they fail.
import { PageError } from '../../pages/capture.ts'
import {
  QueueFullError,
  WorkerLostError,
  type Lane,
  type openWorkerPool,
} from '../../concurrency/worker-pool.ts'
import type { ReadingResult, ReadingTask } from './reading-worker.ts'

/** No page is waited for longer than this, whatever its search's deadline; ordinary ones are read in 10 ms. */
export const READING_LIMIT_MS = 20_000
/** Tasks of so many characters take turns of their own, so that small ones need not wait for their end. */
const LARGE_CHARACTERS = 500_000
const BUSY = 'Too many pages are being read at this moment.'
const TOO_DEMANDING = 'The page takes more time or memory to read than this service gives to one.'

/** The threads, or the processes. */
export type Pool = Awaited<ReturnType<typeof openWorkerPool<ReadingTask, ReadingResult>>>

/** How much there is to read, as far as it is known before. */
function charactersOf(task: ReadingTask): number {
  if (task.kind === 'read') return task.input.content.length
  if (task.kind === 'decode') return task.bytes.length
  if (task.kind === 'assess') return task.html.length
  if (task.kind === 'cut') return task.texts.reduce((sum, text) => sum + text.length, 0)
  if (task.kind === 'check') return task.sources.reduce((sum, { text }) => sum + (text?.length ?? 0), 0)
  if (task.kind === 'recheck') return task.before.length + task.now.length
  return task.text.length
}

/**
 * What a worker makes of the task; `url` names the page in what its caller hears.
 * @throws {PageError} `busy` when the queue is full, `too_large` when the task ended its worker; TimeLimitError at the
 * lane's deadline; the signal's reason when it is aborted.
 */
export async function submit(
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

/** The answer of the kind that its task has. Rejects as `answer` does. */
export async function answerOf<Kind extends ReadingResult['kind']>(
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

/** Ahead of the pages that wait to be read. */
export const urgent = (): Lane => ({ isUrgent: true, deadlineMs: Date.now() + READING_LIMIT_MS })
