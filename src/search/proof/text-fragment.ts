// Links that open a page scrolled to a passage and highlight it (WICG Scroll-to-Text-Fragment).

/** Passages up to this length are quoted whole; longer ones by their first and last words. */
const QUOTED_WHOLE_CHARACTERS = 80
const WORDS_AT_EACH_END = 5
/** An end that stands earlier on the page too grows up to this before the words around it are added. */
const WORDS_AT_EACH_END_MAX = 12
const WORDS_AROUND_MAX = 8
/** How far around a passage such words are looked for. */
const NEIGHBOUR_CHARACTERS = 400
/** A "word" of a thousand letters is no text that a link could quote. */
const TERM_CHARACTERS_MAX = 300

/** UTF-16 offsets into the page's text. */
export interface TextSpan {
  start: number
  end: number
}

/** What a directive quotes; `end` is null when `start` is the whole passage. */
interface Quotation {
  prefix: TextSpan | null
  start: TextSpan
  end: TextSpan | null
  suffix: TextSpan | null
}

/**
 * Makes links into one page whose text is `text`. A link is null when the passage cannot be quoted: no words, or one of
 * absurd length. A browser takes the first place that fits, comparing whole words without regard to case and accents,
 * and every quoted piece must lie within one block element; so pieces never cross a line of the text, and they grow
 * until they stand nowhere earlier on the page.
 */
export function createTextFragmentLinks(pageUrl: string, text: string): (passage: TextSpan) => string | null {
  const folded = fold(text)
  return function linkTo(passage) {
    const quotation = quote(text, folded, passage)
    if (quotation === null || !URL.canParse(pageUrl)) return null
    const encode = (span: TextSpan | null): string | null => (span === null ? null : encodePiece(text, span))
    const [prefix, suffix] = [encode(quotation.prefix), encode(quotation.suffix)]
    const pieces = [
      prefix === null ? null : `${prefix}-`,
      encode(quotation.start),
      encode(quotation.end),
      suffix === null ? null : `-${suffix}`,
    ]
    const url = new URL(pageUrl)
    const anchor = url.hash.replace(/:~:.*$/su, '')
    url.hash = ''
    const directive = pieces.filter((piece) => piece !== null).join(',')
    return `${url.href}${anchor === '' ? '#' : anchor}:~:text=${directive}`
  }
}

function quote(text: string, folded: string, passage: TextSpan): Quotation | null {
  const lines = linesOf(text, passage)
  const [first, last] = [lines[0], lines.at(-1)]
  if (first === undefined || last === undefined) return null
  const quotation =
    lines.length === 1 && first.end - first.start <= QUOTED_WHOLE_CHARACTERS
      ? quoteWhole(text, folded, first)
      : quoteRange(text, folded, first, last)
  const spans = Object.values(quotation).filter((span) => span !== null)
  return spans.every((span) => isQuotable(text, span)) ? quotation : null
}

/** Half of a surrogate pair cannot be written in a URL. */
const isQuotable = (text: string, { start, end }: TextSpan): boolean =>
  end - start <= TERM_CHARACTERS_MAX && !/\p{Cs}/u.test(text.slice(start, end))

function quoteWhole(text: string, folded: string, line: TextSpan): Quotation {
  return { prefix: prefixFor(text, folded, line), start: line, end: null, suffix: null }
}

/** The first and the last words of a passage, as few as tell them apart from what stands before. */
function quoteRange(text: string, folded: string, first: TextSpan, last: TextSpan): Quotation {
  const opening = wordsOf(text, first)
  const closing = wordsOf(text, last)
  const isOneLine = first.start === last.start
  if (isOneLine && opening.length < 2 * WORDS_AT_EACH_END) return quoteWhole(text, folded, first)
  const most = (words: readonly TextSpan[]): number =>
    Math.min(WORDS_AT_EACH_END_MAX, isOneLine ? Math.floor(words.length / 2) : words.length)
  const start = grow(WORDS_AT_EACH_END, most(opening), (count) => {
    const span = firstWords(opening, count)
    return { span, isEnough: standsFirst(folded, [span], 0) }
  })
  const end = grow(WORDS_AT_EACH_END, most(closing), (count) => {
    const span = lastWords(closing, count)
    return { span, isEnough: standsFirst(folded, [span], start.end) }
  })
  return { prefix: prefixFor(text, folded, start), start, end, suffix: suffixFor(text, folded, start, end) }
}

/** The lines and table cells of a passage that hold a letter or digit, without the spaces around them. */
function linesOf(text: string, passage: TextSpan): TextSpan[] {
  const lines: TextSpan[] = []
  for (const { 0: line, index } of text.slice(passage.start, passage.end).matchAll(/[^\n\t]+/gu)) {
    if (!/[\p{L}\p{N}]/u.test(line)) continue
    const start = passage.start + index + (line.length - line.trimStart().length)
    lines.push({ start, end: start + line.trim().length })
  }
  return lines
}

/**
 * The words of a line; the first with the signs before it, the last with those behind it. Unspaced scripts are cut by
 * the segmenter, since the browser matches whole words.
 */
function wordsOf(text: string, line: TextSpan): TextSpan[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
  const words: TextSpan[] = []
  for (const { segment, index, isWordLike } of segmenter.segment(text.slice(line.start, line.end))) {
    const start = line.start + index
    if (isWordLike === true) words.push({ start, end: start + segment.length })
  }
  const [first, last] = [words[0], words.at(-1)]
  if (first === undefined || last === undefined) return [line]
  first.start = line.start
  last.end = line.end
  return words
}

function prefixFor(text: string, folded: string, start: TextSpan): TextSpan | null {
  if (standsFirst(folded, [start], 0)) return null
  const words = wordsBefore(text, start.start)
  if (words.length === 0) return null
  return grow(1, WORDS_AROUND_MAX, (count) => {
    const span = lastWords(words, count)
    return { span, isEnough: standsFirst(folded, [span, start], 0) }
  })
}

function suffixFor(text: string, folded: string, start: TextSpan, end: TextSpan): TextSpan | null {
  if (standsFirst(folded, [end], start.end)) return null
  const words = wordsAfter(text, end.end)
  if (words.length === 0) return null
  return grow(1, WORDS_AROUND_MAX, (count) => {
    const span = firstWords(words, count)
    return { span, isEnough: standsFirst(folded, [end, span], start.end) }
  })
}

/** The span of the fewest words, from `least` to `most`, that is enough; else that of the most. */
function grow(
  least: number,
  most: number,
  tryOut: (count: number) => { span: TextSpan; isEnough: boolean },
): TextSpan {
  for (let count = least; count < most; count += 1) {
    const { span, isEnough } = tryOut(count)
    if (isEnough) return span
  }
  return tryOut(Math.max(least, most)).span
}

const spanOver = (words: readonly TextSpan[]): TextSpan => ({
  start: words[0]?.start ?? 0,
  end: words.at(-1)?.end ?? 0,
})
const firstWords = (words: readonly TextSpan[], count: number): TextSpan => spanOver(words.slice(0, count))
const lastWords = (words: readonly TextSpan[], count: number): TextSpan => spanOver(words.slice(-count))

/** The words directly before `offset`, of one line; none when signs alone stand there. */
function wordsBefore(text: string, offset: number): TextSpan[] {
  const from = Math.max(0, offset - NEIGHBOUR_CHARACTERS)
  const window = text.slice(from, offset).trimEnd()
  const lineStart = Math.max(window.lastIndexOf('\n'), window.lastIndexOf('\t')) + 1
  if (!/[\p{L}\p{N}]/u.test(window.slice(lineStart))) return []
  const words = wordsOf(text, { start: from + lineStart, end: from + window.length })
  // The first word of a window that does not begin with a line may be half a word.
  return from === 0 || lineStart > 0 ? words : words.slice(1)
}

/** The words directly after `offset`, of one line; none when signs alone stand there. */
function wordsAfter(text: string, offset: number): TextSpan[] {
  const window = text.slice(offset, offset + NEIGHBOUR_CHARACTERS)
  const start = offset + (window.length - window.trimStart().length)
  const line = /^[^\n\t]+/u.exec(text.slice(start, offset + NEIGHBOUR_CHARACTERS))
  if (line === null || !/[\p{L}\p{N}]/u.test(line[0])) return []
  const end = start + line[0].trimEnd().length
  const words = wordsOf(text, { start, end })
  return end < offset + NEIGHBOUR_CHARACTERS ? words : words.slice(0, -1)
}

/** Whether the words of `spans`, which follow each other, stand nowhere else between `from` and their own place. */
function standsFirst(folded: string, spans: readonly TextSpan[], from: number): boolean {
  const words = spans
    .flatMap(({ start, end }) => folded.slice(start, end).split(' '))
    .filter((word) => word !== '')
  if (words.length === 0) return true
  const pattern = new RegExp(words.join(' +'), 'gu')
  pattern.lastIndex = from
  const found = pattern.exec(folded)
  return found === null || found.index >= (spans[0]?.start ?? 0)
}

/**
 * The text as a browser compares it, unit for unit: letters and digits without case and accents, a space for all else.
 * A little coarser than the browser, which only makes some quotations a word longer than they need to be.
 */
function fold(text: string): string {
  // Few characters stand for most of a text, and normalising one is slow: each is folded once.
  const known = new Map<string, string>()
  return text.replace(/[^a-z0-9 ]/gu, (character) => {
    const folded = known.get(character) ?? foldCharacter(character)
    known.set(character, folded)
    return folded
  })
}

function foldCharacter(character: string): string {
  const plain = character.normalize('NFKD').toLowerCase()
  const base = String.fromCodePoint(plain.codePointAt(0) ?? 32)
  return base.length === character.length && /[\p{L}\p{N}]/u.test(base) ? base : ' '.repeat(character.length)
}

/** Percent-encodes what a text directive gives a meaning to ("-", ",", "&") besides what every URL needs. */
function encodePiece(text: string, { start, end }: TextSpan): string {
  return encodeURIComponent(text.slice(start, end)).replace(/-/gu, '%2D')
}
