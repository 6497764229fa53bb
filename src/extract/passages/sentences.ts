// Where sentences begin and end: ICU's rules by Intl.Segmenter, mended where they take an abbreviation for an end.
import { isShortened } from './abbreviations.ts'
import { isQuoteGoingOn, mendedBorder } from './sentence-borders.ts'
import { type Span, trimSpan, weighedLength, wholeOf } from './spans.ts'

/** Languages that write ordinals as a number and a stop: "am 3. Oktober". */
const STOP_AFTER_ORDINAL: ReadonlySet<string> = new Set(
  'de da nb nn no fi is et lv cs sk sl hr bs sr hu pl tr lb fo'.split(' '),
)

const LOOK_AHEAD = 4

/**
 * Returns a function that splits a text into sentences: spans of UTF-16 offsets, in order, without the white space
 * around them. A line break ends a sentence unless it only wraps a long line. `language` is a BCP 47 primary sub-tag.
 */
export function createSentenceFinder(language: string | null): (text: string) => Span[] {
  const segmenter = new Intl.Segmenter(language ?? 'en', { granularity: 'sentence' })
  const ordinals = language !== null && STOP_AFTER_ORDINAL.has(language)
  return (text) => {
    if (text.length <= WINDOW_CHARACTERS && NO_END_INSIDE.test(text)) return wholeOf(text)
    const spans: Span[] = []
    const softened = softenLineBreaks(text)
    for (const piece of mendedPieces(softened, piecesOf(segmenter, softened))) {
      const span = trimSpan(text, piece.start, piece.end)
      if (span === null) continue
      const last = spans.at(-1)
      if (last !== undefined && belongTogether(text, last, span, ordinals)) last.end = span.end
      else spans.push(span)
    }
    return spans
  }
}

/**
 * Latin letters and signs of which none ends a line, or a sentence in any language (";" does in Greek). Labels, titles
 * and items of lists are told to be one sentence by it, without the segmenter.
 */
const NO_END_INSIDE = /^[\t "-\-/-:<->@-~\u00a0-\u024f\u2010-\u201f]*$/

/**
 * What the segmenter sees at a time. V8's `Intl.Segmenter` takes time linear in the length of the whole text for every
 * segment it gives, so a long text must be given to it in windows.
 */
const WINDOW_CHARACTERS = 2_000

/** The pieces with the borders that a reader sees where two of them touch. */
function* mendedPieces(text: string, pieces: Iterable<Span>): Generator<Span> {
  let held: Span = { start: 0, end: 0 }
  for (const { start, end } of pieces) {
    // Read to its end as the marks of the sentence before.
    if (end <= held.start) continue
    const isTouching = start <= held.end
    const border: number = isTouching ? mendedBorder(text, held.start, Math.max(start, held.start)) : start
    yield { start: held.start, end: isTouching ? border : held.end }
    held = { start: border, end: Math.max(border, end) }
  }
  yield held
}

function* piecesOf(segmenter: Intl.Segmenter, text: string): Generator<Span> {
  let lineStart = 0
  while (lineStart < text.length) {
    const newline = text.indexOf('\n', lineStart)
    const lineEnd = newline === -1 ? text.length : newline
    let at = lineStart
    while (at < lineEnd) {
      const end = Math.min(at + WINDOW_CHARACTERS, lineEnd)
      let last = at
      for (const { segment, index } of segmenter.segment(text.slice(at, end))) {
        // The last sentence of a window may go on: it opens the next window, unless it fills this one.
        if (end < lineEnd && index > 0 && index + segment.length === end - at) break
        last =
          at + index + (end < lineEnd && segment.length === end - at ? wholeWords(segment) : segment.length)
        yield { start: at + index, end: last }
      }
      at = last
    }
    lineStart = lineEnd + 1
  }
}

/** How much of a text that goes on behind its end is whole words; all of it where nothing parts them. */
const wholeWords = (text: string): number => (text.includes(' ') ? text.lastIndexOf(' ') + 1 : text.length)

/** A line at least this long that ends in the middle of a sentence was wrapped, not ended. */
const WRAPPED_LINE_CHARACTERS = 50
const ENDS_LINE = /[.!?:;。！？：；…|]["'”’」』»)）]?\s?$/u
const GOES_ON = /^( {0,99})[\p{L}\p{N}("'“„「『《（]/u
/** A line that begins so goes on with the one before it, however short that is: Chinese is wrapped before a stop, too. */
const BEGINS_WITH_END = /^[。，、；：！？）」』】》”,;)]/u
/** A line set in further than this, and further than the one before it, begins something. */
const INDENT_MAX = 3

/** The text with a space for every line break that only wraps: offsets stay what they were. */
function softenLineBreaks(text: string): string {
  if (!text.includes('\n')) return text
  const lines = text.split('\n')
  let softened = lines[0] ?? ''
  for (let index = 1; index < lines.length; index++) {
    const after = lines[index] ?? ''
    softened += (isWrapped(lines[index - 1] ?? '', after) ? ' ' : '\n') + after
  }
  return softened
}

function isWrapped(before: string, after: string): boolean {
  if (BEGINS_WITH_END.test(after) && before.trim() !== '') return true
  if (weighedLength(before) < WRAPPED_LINE_CHARACTERS || ENDS_LINE.test(before)) return false
  const indent = GOES_ON.exec(after)?.[1]?.length
  if (indent === undefined) return false
  return indent <= INDENT_MAX || indent === before.length - before.trimStart().length
}

function belongTogether(text: string, left: Span, right: Span, ordinals: boolean): boolean {
  if (text.slice(left.end, right.start).includes('\n')) return false
  const next = text.slice(right.start, right.start + 2)
  // "Yahoo! is …", "“Really?” he asked": a sentence does not begin with a small letter.
  if (/^\p{Ll}/u.test(next)) return true
  if (/^[)\]”»’]/.test(next)) return true
  const isTouching = left.end === right.start
  const before = text.slice(left.start, left.end)
  if (isTouching && isQuoteGoingOn(before, text.slice(right.start, right.start + LOOK_AHEAD))) return true
  return isShortened(before, next, isTouching, ordinals)
}
