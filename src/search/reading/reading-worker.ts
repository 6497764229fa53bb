// The thread pages are read on: parsing HTML and PDF takes longer than the serving thread may be kept from its work.
// Several pages take turns on it, since reading gives the thread back every few milliseconds; a huge page holds up none.
import { parentPort } from 'node:worker_threads'
import { UnreadableError } from '../../extract/document.ts'
import { cutPassages } from '../../extract/passages/cut-passages.ts'
import { readPage, type PageInput } from '../../extract/read-page.ts'
import { assessRendering, type RenderingNeed } from '../../extract/classify/rendering-need.ts'
import type { WorkerReply } from '../../concurrency/worker-pool.ts'
import { yieldToServing } from '../../concurrency/start-worker.ts'
import type { PagePassage, ReadPageText } from '../gather.ts'

/** Read a page and cut it, or say whether its markup is enough to be read. */
export type ReadingTask = ReadTask | { kind: 'assess'; html: string; url: string }

interface ReadTask {
  kind: 'read'
  input: PageInput
  overlap: boolean
  /** Most passages to cut. */
  limit: number
  /** Epoch milliseconds after which nobody waits for the page any more. */
  deadlineMs: number
}

/** Passages come without their text: it is a slice of the page's, and need not travel twice. */
export type ReadingResult =
  | { kind: 'read'; page: ReadPageText; passages: Omit<PagePassage, 'text'>[]; truncated: boolean }
  | { kind: 'unreadable'; code: UnreadableError['code']; message: string }
  | { kind: 'late' }
  | { kind: 'assessed'; verdict: RenderingNeed['verdict'] }

async function read({ input, overlap, limit, deadlineMs }: ReadTask): Promise<ReadingResult> {
  const signal = AbortSignal.timeout(Math.max(0, deadlineMs - Date.now()))
  try {
    const { blocks, ...page } = await readPage(input, signal)
    const passages = cutPassages({ ...page, blocks }, { overlap, limit: limit + 1 })
    return {
      kind: 'read',
      page,
      passages: passages.slice(0, limit).map(({ start, end, headings }) => ({ start, end, headings })),
      truncated: passages.length > limit,
    }
  } catch (error) {
    if (error instanceof UnreadableError)
      return { kind: 'unreadable', code: error.code, message: error.message }
    if (signal.aborted) return { kind: 'late' }
    throw error
  }
}

async function answer(id: number, task: ReadingTask): Promise<WorkerReply<ReadingResult>> {
  try {
    if (task.kind === 'read') return { id, result: await read(task) }
    const { verdict } = assessRendering(task.html, task.url)
    return { id, result: { kind: 'assessed', verdict } }
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

yieldToServing()
const port = parentPort
if (!port) throw new Error('This module runs as a worker thread.')
port.on('message', ({ id, task }: { id: number; task: ReadingTask }) => {
  void answer(id, task).then((reply) => port.postMessage(reply, []))
})
port.postMessage({ ready: true } satisfies WorkerReply<ReadingResult>, [])
