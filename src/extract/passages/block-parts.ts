// What a block falls into: sentences of prose, rows of a table, lines of code.
import type { Block } from '../document.ts'
import { createSentenceFinder } from './sentences.ts'
import { type Span, trimSpan, weighedLength, wholeOf } from './spans.ts'
import type { PartLength } from './split-long-sentence.ts'

/**
 * Returns a function that gives the parts of a block, as offsets into the slice that it is. A row is one part, unless it
 * is longer than a passage may be: then the sentences of its cells are. `language` is a BCP 47 primary sub-tag.
 */
export function createPartFinder(
  language: string | null,
  { max }: PartLength,
): (slice: string, block: Block) => Span[] {
  const findSentences = createSentenceFinder(language)
  return (slice, block) => {
    const isRow = block.kind === 'table' && (block.table?.cells.length ?? 0) !== 1
    if (isRow && slice.length <= max) return wholeOf(slice)
    if (isRow) return cellsOf(slice).flatMap((cell) => within(cell, slice, findSentences))
    return block.kind === 'code' && !isWrittenProse(slice, block) ? linesOf(slice) : findSentences(slice)
  }
}

const linesOf = (text: string): Span[] => splitAt(text, '\n')
const cellsOf = (text: string): Span[] => splitAt(text, '\t')

function splitAt(text: string, separator: string): Span[] {
  const spans: Span[] = []
  let from = 0
  while (from < text.length) {
    const found = text.indexOf(separator, from)
    const to = found === -1 ? text.length : found
    const span = trimSpan(text, from, to)
    if (span !== null) spans.push(span)
    from = to + 1
  }
  return spans
}

const within = ({ start, end }: Span, text: string, find: (text: string) => Span[]): Span[] =>
  find(text.slice(start, end)).map((span) => ({ start: start + span.start, end: start + span.end }))

const PROSE = { wordShare: 0.8, lineCharacters: 40 } as const
const WORD = /^["'“”„«(]?\p{L}[\p{L}\p{M}'’-]*["'“”»)]?[.,;:!?]?["'“”»)]?$/u

/** Prose in a fixed layout: a memo, a mail, the text of a standard. Code names its language, and is no run of words. */
function isWrittenProse(slice: string, { code }: Block): boolean {
  if (code !== undefined && code.language !== null) return false
  const lines = linesOf(slice)
  const characters = lines.reduce((sum, { start, end }) => sum + weighedLength(slice.slice(start, end)), 0)
  if (characters < lines.length * PROSE.lineCharacters) return false
  const words = slice.match(/\S+/gu) ?? []
  return words.filter((word) => WORD.test(word)).length >= words.length * PROSE.wordShare
}
