// What stands right before and after a span of a page that was quoted: a sentence on each side, from the text that was
// kept when it was read.
import { captureUnknown, invalidFields } from '../../errors.ts'
import { createSentenceFinder } from '../../extract/passages/sentences.ts'
import type { ProofStore } from './proof-store.ts'
import type { TextSpan } from './text-fragment.ts'

/** Sentences are looked for within so much of the text on each side; of a longer one its nearer end is shown. */
const REACH_CHARACTERS = 600

export interface Surroundings {
  /** '' where the text begins with the span. */
  before: string
  text: string
  /** '' where it ends with it. */
  after: string
}

export type FindSurroundings = (textSha256: string, span: TextSpan) => Promise<Surroundings>

/**
 * Makes the function that finds a page by the digest of its text, and the sentences around `span` of it.
 * @throws {ApiError} 404 when the page is not kept (any more), 422 for a span that is none of its text.
 */
export const createSurroundings =
  ({ proofStore }: { proofStore: Pick<ProofStore, 'find'> }): FindSurroundings =>
  async (textSha256, { start, end }) => {
    const page = await proofStore.find(textSha256)
    if (page === null) throw captureUnknown()
    const { text } = page
    if (start >= end || end > text.length)
      throw invalidFields([{ pointer: '/end', message: 'start and end must enclose a part of the text.' }])
    return {
      before: sentenceBefore(text, start),
      text: text.slice(start, end),
      after: sentenceAfter(text, end),
    }
  }

const sentencesOf = createSentenceFinder(null)

function sentenceBefore(text: string, start: number): string {
  const from = Math.max(0, start - REACH_CHARACTERS)
  const reach = text.slice(from, start)
  const last = sentencesOf(reach).at(-1)
  if (last === undefined) return ''
  const isCut = from > 0 && last.start === 0
  return isCut ? `…${reach.slice(reach.indexOf(' ') + 1).trim()}` : reach.slice(last.start, last.end)
}

function sentenceAfter(text: string, end: number): string {
  const to = Math.min(text.length, end + REACH_CHARACTERS)
  const reach = text.slice(end, to)
  const [first] = sentencesOf(reach)
  if (first === undefined) return ''
  const isCut = to < text.length && first.end === reach.length
  return isCut ? `${reach.slice(0, reach.lastIndexOf(' ') + 1).trim()}…` : reach.slice(first.start, first.end)
}
