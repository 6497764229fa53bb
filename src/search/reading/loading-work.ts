// What loaders have done to a page that has come, on the threads that read. It goes ahead of the pages that wait to be
// read: a long page is on its way to them, and one that needs the browser is the last to arrive.
import type { RenderingNeed } from '../../extract/classify/rendering-need.ts'
import type { LongPage } from '../../pages/fetch/decode-page.ts'
import { answerOf, submit, urgent, type Pool } from './put-task.ts'

/** Decodes and judges pages for the loaders. */
export function createLoadingWork(threads: Pool) {
  /**
   * The text of a long page.
   * @throws {PageError} `busy` when the queue is full; TimeLimitError at its deadline; the signal's reason.
   */
  async function decodeLong(
    { url, bytes, hints, deadlineMs }: LongPage,
    signal: AbortSignal,
  ): Promise<string> {
    const lane = { isUrgent: true, deadlineMs }
    const task = { kind: 'decode', bytes, hints } as const
    return (await answerOf('decoded', submit(threads, task, url, lane, signal))).text
  }

  /**
   * Whether a browser would show more than the markup holds.
   * @throws {PageError} `busy` when the queue is full; the signal's reason when it is aborted.
   */
  async function assessRendering(
    html: string,
    url: string,
    signal: AbortSignal,
  ): Promise<RenderingNeed['verdict']> {
    return (await answerOf('assessed', submit(threads, { kind: 'assess', html, url }, url, urgent(), signal)))
      .verdict
  }

  return { decodeLong, assessRendering }
}
