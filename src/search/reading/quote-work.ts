// What is done to quotes, on the threads that read: it takes time in proportion to the pages they are looked up in.
import type { FindQuotes, RecheckQuotes } from '../proof/single-page.ts'
import type { CheckAnswer } from '../proof/verify-answer.ts'
import { answerOf, submit, urgent, type Pool } from './put-task.ts'

/** Finds, follows and judges quotes. */
export function createQuoteWork(threads: Pool) {
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
