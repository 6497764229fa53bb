// Why a page or a file of the library could not be read, in words for who looks at the list.
import { TimeLimitError } from '../concurrency/deadline.ts'
import { UnreadableError } from '../extract/document.ts'
import { PageError } from '../pages/capture.ts'

const TOO_SLOW = 'Reading it took too long.'

/** Null for an error that is not of this page or file, and costs more than it. */
export function unreadReason(error: unknown): string | null {
  if (error instanceof TimeLimitError) return TOO_SLOW
  return error instanceof PageError || error instanceof UnreadableError ? error.message : null
}
