// Cuts a passage's text where its sentences end and where the parts begin and end that are compared by themselves, so
// that of every word piece it is known which sentence and which part it stands in.
import type { TextSpan } from '../passage.ts'

/** Where a sentence may end, or a line: near enough to tell which words belong together. */
const SENTENCE_BORDER = /(?<=[.!?]["'”’)]?\s)|(?<=[。！？\n])/u

/** A passage to be compared with a query: the line above it, and its text. */
export interface RelatedText {
  context: string
  text: string
  /** Stretches of the text, in order and apart, that are compared with the query each by itself, too. */
  parts?: readonly TextSpan[]
}

export interface TextPiece {
  text: string
  /** Its sentence, from 0. */
  sentence: number
  /** Its part, from 0; -1 between parts. */
  part: number
}

/** The pieces of `text` in order, which together are `text`. `parts` must be in order and may not overlap. */
export function cutIntoPieces(text: string, parts: readonly TextSpan[]): TextPiece[] {
  const pieces: TextPiece[] = []
  let [at, next] = [0, 0]
  for (const [sentence, { length }] of text.split(SENTENCE_BORDER).entries()) {
    const sentenceEnd = at + length
    while (at < sentenceEnd) {
      while (next < parts.length && (parts[next]?.end ?? 0) <= at) next++
      const { start, end } = parts[next] ?? { start: sentenceEnd, end: sentenceEnd }
      const isInside = start <= at
      const to = Math.min(sentenceEnd, isInside ? end : start)
      pieces.push({ text: text.slice(at, to), sentence, part: isInside ? next : -1 })
      at = to
    }
  }
  return pieces
}
