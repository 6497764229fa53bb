// Where pages are read: a thread or, for PDF, a process. Parsing takes longer than the serving thread may be kept from its
// work. Several pages take turns on a thread, since reading gives it back every few milliseconds; a huge page holds up none.
import { UnreadableError } from '../../extract/document.ts'
import { cutPassages } from '../../extract/passages/cut-passages.ts'
import { readPage, type PageInput } from '../../extract/read-page.ts'
import { assessRendering, type RenderingNeed } from '../../extract/classify/rendering-need.ts'
import { TimeLimitError } from '../../concurrency/deadline.ts'
import { serveTasks } from '../../concurrency/serve-tasks.ts'
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
  /** Time was up before anything was read. */
  | { kind: 'late' }
  | { kind: 'unreadable'; code: UnreadableError['code']; message: string }
  | { kind: 'assessed'; verdict: RenderingNeed['verdict'] }

/** What is left of a PDF's time when it is enough: laying its lines out and cutting them takes about as long as reading. */
const PDF_TIME_SHARE = 0.5

async function read(task: ReadTask, signal: AbortSignal): Promise<ReadingResult> {
  const { input, overlap, limit, deadlineMs } = task
  const untilMs = Date.now() + (deadlineMs - Date.now()) * PDF_TIME_SHARE
  try {
    const { blocks, ...page } = await readPage({ ...input, untilMs }, signal)
    const passages = cutPassages({ ...page, blocks }, { overlap, limit: limit + 1 })
    return {
      kind: 'read',
      page,
      passages: passages.slice(0, limit).map(({ start, end, headings, contentWeight }) => ({
        start,
        end,
        headings,
        contentWeight,
      })),
      truncated: passages.length > limit || page.isCut,
    }
  } catch (error) {
    if (error instanceof UnreadableError)
      return { kind: 'unreadable', code: error.code, message: error.message }
    if (error instanceof TimeLimitError) return { kind: 'late' }
    throw error
  }
}

yieldToServing()
serveTasks(async (task: ReadingTask, signal): Promise<ReadingResult> => {
  if (task.kind === 'read') return read(task, signal)
  return { kind: 'assessed', verdict: assessRendering(task.html, task.url).verdict }
})
