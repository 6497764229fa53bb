// A stretch of a page's text, and how its ends are cleaned. At the bottom of the cutter: finding and breaking sentences
// both trim what they find.

/** UTF-16 offsets. */
export interface Span {
  start: number
  end: number
}

/** Enough text around a border to tell whether it parts a grapheme cluster. */
export const GRAPHEME_CONTEXT = 64

export const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Characters that may join what stands before them, a space too (UAX 29: Extend, SpacingMark, ZWJ). */
const MAY_JOIN_BEFORE = /^[\p{M}\p{Cf}\p{Grapheme_Extend}\p{Emoji_Modifier}]/u
/** Characters that may join what comes after them (UAX 29: Prepend). */
const MAY_JOIN_AFTER =
  /[\p{Cf}\u0d4e\u{111c2}\u{111c3}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]$/u

export function isGraphemeBorder(text: string, at: number): boolean {
  const cluster = clusterAt(text, at)
  return cluster === null || cluster.start === at
}

/** The grapheme cluster that holds the character at `at`; null behind the text. */
function clusterAt(text: string, at: number): Span | null {
  const from = Math.max(0, at - GRAPHEME_CONTEXT)
  const found = graphemes.segment(text.slice(from, at + GRAPHEME_CONTEXT)).containing(at - from)
  if (found === undefined) return null
  return { start: from + found.index, end: from + found.index + found.segment.length }
}

/**
 * The span without white space at its ends; null when nothing is left. A space that carries a combining mark stays: it
 * and the mark are one character to a reader.
 */
export function trimSpan(text: string, from: number, to: number): Span | null {
  const slice = text.slice(from, to)
  const trimmed = slice.trimStart()
  const start = from + slice.length - trimmed.length
  const end = start + trimmed.trimEnd().length
  if (start >= end) return null
  const isJoined = start > from && MAY_JOIN_BEFORE.test(trimmed)
  const isJoining = end < to && MAY_JOIN_AFTER.test(text.slice(start, end).slice(-2))
  return {
    start: isJoined ? Math.max(from, clusterAt(text, start)?.start ?? start) : start,
    end: isJoining ? Math.min(to, clusterAt(text, end - 1)?.end ?? end) : end,
  }
}

/** What a character of Chinese, Japanese, Korean or Thai says, in letters of an alphabet. */
const DENSE_CHARACTER = 2.5
const DENSE = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/gu

/** The length of a text in characters of an alphabet: one of a script that needs fewer counts as several. */
export function weighedLength(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0
  return text.length + dense * (DENSE_CHARACTER - 1)
}

/** The text as one span, without the white space around it; none where it is nothing else. */
export function wholeOf(text: string): Span[] {
  const span = trimSpan(text, 0, text.length)
  return span === null ? [] : [span]
}
