// Breaks a sentence that is longer than a passage may be: at a clause, a cell, a word, in the end at a grapheme
// cluster.
import { GRAPHEME_CONTEXT, graphemes, isGraphemeBorder, type Span, trimSpan } from './spans.ts'

/** Best first: the end of a clause, a dash, a cell or line; white space. Every part of a pattern is bounded. */
const BREAKING_POINTS = [/[;:,،؛、，；：。]["'”’)»]?\s{0,9}|\s[–—-]\s|[\t\n]/g, /\s/g]

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

export interface PartLength {
  min: number
  max: number
}

/**
 * Breaks a span of `text` into parts of at most `length.max` UTF-16 units. A grapheme cluster is parted only when it
 * is longer than that by itself, a surrogate pair never.
 */
export function breakUp(text: string, span: Span, length: PartLength): Span[] {
  const parts: Span[] = []
  let rest: Span | null = span
  while (rest !== null && rest.end - rest.start > length.max) {
    const at: number = breakingPoint(text, rest.start, length)
    const part = trimSpan(text, rest.start, at)
    if (part !== null) parts.push(part)
    rest = trimSpan(text, at, rest.end)
  }
  if (rest !== null) parts.push(rest)
  return parts
}

function breakingPoint(text: string, start: number, { min, max }: PartLength): number {
  const window = text.slice(start, start + max)
  for (const pattern of BREAKING_POINTS) {
    let last = -1
    for (const match of window.matchAll(pattern)) last = match.index + match[0].length
    if (last >= min && isGraphemeBorder(text, start + last)) return start + last
  }
  return withoutSpaces(text, start, { min, max })
}

/** For text without spaces: the last word border by the dictionary, else the last border of a grapheme cluster. */
function withoutSpaces(text: string, start: number, { min, max }: PartLength): number {
  const window = text.slice(start, start + max + GRAPHEME_CONTEXT)
  const word = words.segment(window).containing(max)?.index ?? 0
  if (word >= min && isGraphemeBorder(text, start + word)) return start + word
  const cluster = graphemes.segment(window).containing(max)?.index ?? 0
  if (cluster > 0) return start + cluster
  const isLowSurrogate = (text.charCodeAt(start + max) & 0xfc00) === 0xdc00
  return start + (isLowSurrogate ? max - 1 : max)
}
