// Finds what an answer puts in quotation marks of any language, and its block quotes.
import type { TextSpan } from '../../score/passage.ts'
import { cutFromEnd, withoutMarkup } from './answer-text.ts'
import { SOURCE_LABEL } from './citations.ts'

export interface QuotedSpan extends TextSpan {
  kind: 'quotation' | 'block_quote'
  /** What is quoted, without marks and markup. */
  quote: string
}

/** Which marks may close what a mark opened, the likeliest first. */
const CLOSERS: Readonly<Record<string, string>> = {
  '“': '”"“',
  '„': '“”"„',
  '”': '”“',
  '«': '»',
  '»': '«»',
  '「': '」',
  '『': '』',
  '"': '"”',
  '‘': '’',
  '‚': '‘’',
  '‹': '›',
  '›': '‹',
  '〝': '〟',
  '＂': '＂',
  "'": "'",
}

/** Marks that are an apostrophe inside a word, too. */
const APOSTROPHES = new Set(["'", '’', '‘'])
const QUOTE_CHARACTERS_MAX = 2_000
/** Fewer words in marks are a term, a title or irony, unless a source is named for them. */
const QUOTE_WORDS_MIN = 3
const UNSPACED_MIN = 6

/**
 * Of scripts whose words stand apart: a mark that touches one of Chinese, Japanese, Korean or Thai parts no word, and
 * neither does one that a footnote's number hangs on.
 */
const SPACED_LETTER =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{Nd}]/u
const isLetterAt = (text: string, at: number): boolean => SPACED_LETTER.test(text[at] ?? '')
const isSpaceAt = (text: string, at: number): boolean =>
  at < 0 || at >= text.length || /\s/u.test(text[at] ?? '')

/** In order and apart; block quotes hold no quotations of their own. `text` is what `readableAnswer` gave. */
export function findQuotedSpans(text: string): QuotedSpan[] {
  const blocks = findBlockQuotes(text)
  const spans = [...blocks]
  for (const paragraph of paragraphsOf(text)) {
    if (blocks.some(({ start, end }) => paragraph.start < end && start < paragraph.end)) continue
    spans.push(...findQuotations(text, paragraph))
  }
  return spans.toSorted((left, right) => left.start - right.start)
}

/** Lines up to an empty one; items of a list stand alone. */
function* paragraphsOf(text: string): Generator<TextSpan> {
  const border = /\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])/gu
  let start = 0
  for (const { index } of text.matchAll(border)) {
    if (index > start) yield { start, end: index }
    start = index
  }
  if (start < text.length) yield { start, end: text.length }
}

const BLOCK_QUOTE = /(?:^[ \t]*>[^\n]*(?:\n|$))+/gmu
/** "— Author, title" on a line of its own at a quote's end, or a citation alone. */
const ATTRIBUTION = new RegExp(
  String.raw`^[ \t>]*(?:[—–-]{1,2}[ \t]*\S[^\n]*|\(?\[[^\]\n]+\](?:\([^)\n]*\))?\)?\.?|[(（]?${SOURCE_LABEL}[ \t]?[:：][^\n]*)$`,
  'iu',
)
const ATTRIBUTION_CHARACTERS_MAX = 240
const CITATION =
  /\(?\[[^\][\n]+\]\([^()\n]+(?:\([^()\n]*\)[^()\n]*)?\)\)?|\[\^?[\w, -]{1,40}\]|【[^【】\n]+】|[¹²³⁰-⁹]{1,3}/gu
const OUTER_MARKS = /^["“„«»「『'‘](?<inner>[\s\S]{3,})["”“»«」』'’]$/u

/** "> [!NOTE]" opens a remark of the answer's own. */
const ADMONITION = /^[ \t>]*\[!\w+\]/u

function findBlockQuotes(text: string): QuotedSpan[] {
  return Array.from(text.matchAll(BLOCK_QUOTE)).flatMap(({ 0: block, index }) => {
    const inner = withoutMarkup(cutFromEnd(withoutAttribution(block), CITATION))
    const quote = (OUTER_MARKS.exec(inner)?.groups?.['inner'] ?? inner).trim()
    if (!isQuote(text, quote, index + block.length) || ADMONITION.test(block)) return []
    return [{ kind: 'block_quote' as const, start: index, end: index + block.trimEnd().length, quote }]
  })
}

function withoutAttribution(block: string): string {
  const quote = withoutEmptyEnd(block)
  const lastBreak = quote.lastIndexOf('\n')
  const lastLine = quote.slice(lastBreak + 1)
  const isAttribution = lastLine.length <= ATTRIBUTION_CHARACTERS_MAX && ATTRIBUTION.test(lastLine)
  return lastBreak !== -1 && isAttribution ? quote.slice(0, lastBreak) : block
}

/** Without the lines at the end that hold nothing but the sign of a block quote. */
function withoutEmptyEnd(block: string): string {
  let end = block.length
  while (end > 0 && ' \t>\n'.includes(block.charAt(end - 1))) end -= 1
  return block.slice(0, end)
}

const SOURCE_MARK = /\[\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,9}\]|【\d[^【】\n]{0,40}】/gu

/** Marks of sources may stand within the closing mark of a quote: "“… tall [1].”" */
function withoutLastMarks(quote: string): string {
  const stop = /[.!?,;]$/u.exec(quote)?.[0] ?? ''
  const words = quote.slice(0, quote.length - stop.length)
  const rest = cutFromEnd(words, SOURCE_MARK)
  return rest.length < words.trimEnd().length ? rest + stop : quote
}

function findQuotations(text: string, { start, end }: TextSpan): QuotedSpan[] {
  const spans: QuotedSpan[] = []
  const searched = new Map<string, number>()
  for (let at = start; at < end; at++) {
    const opener = text[at] ?? ''
    if (CLOSERS[opener] === undefined || !mayOpen(text, at, opener)) continue
    const last = Math.min(end, at + QUOTE_CHARACTERS_MAX)
    const close = mayBeClosed(text, at, last, searched) ? closingMark(text, at, last) : -1
    if (close === -1) {
      const whole = goesOn(text, at, end)
      if (whole === null) continue
      spans.push(whole)
      break
    }
    const quote = withoutMarkup(withoutLastMarks(text.slice(at + 1, close)))
    if (isQuote(text, quote, close)) {
      spans.push({ kind: 'quotation', start: at, end: close + 1, quote })
      at = close
    } else if (!/[“„«「『"]/u.test(quote)) at = close
  }
  return spans
}

/** A quote of several paragraphs opens each of them, and closes the last alone: what is quoted of this one; else null. */
function goesOn(text: string, at: number, end: number): QuotedSpan | null {
  if (!/^\s*\n/u.test(text.slice(end)) || text.slice(end).trimStart()[0] !== text[at]) return null
  const quote = withoutMarkup(cutFromEnd(text.slice(at + 1, end), CITATION))
  return isQuote(text, quote, end) ? { kind: 'quotation', start: at, end, quote } : null
}

/** Arabic writes "and", "in" and their like together with what follows, marks of quotation included. */
const ARABIC_PREFIX = /^[^\p{L}]?[وفبلك]$/u

function mayOpen(text: string, at: number, opener: string): boolean {
  if (opener === '「' || opener === '『' || opener === '«' || opener === '„' || opener === '‚') return true
  // French sets a space inside, and German opens with the mark that French closes with.
  if (opener === '»' || opener === '›')
    return (isSpaceAt(text, at - 1) || /[([]/u.test(text[at - 1] ?? '')) && !isSpaceAt(text, at + 1)
  const isInWord = isLetterAt(text, at - 1) && !ARABIC_PREFIX.test(text.slice(Math.max(0, at - 2), at))
  if (isSpaceAt(text, at + 1) || isInWord) return false
  return opener !== '”' || isLetterAt(text, at + 1)
}

/**
 * Whether any mark before `end` may close the one at `at`. `searched` tells up to where none does, by opening mark, so
 * that marks which nobody closes are looked through once.
 */
function mayBeClosed(text: string, at: number, end: number, searched: Map<string, number>): boolean {
  const opener = text[at] ?? ''
  const closers = CLOSERS[opener] ?? ''
  for (let index = Math.max(at + 1, searched.get(opener) ?? 0); index < end; index++) {
    const sign = text[index] ?? ''
    if (closers.includes(sign) && mayClose(text, index, sign, opener)) return true
  }
  searched.set(opener, end)
  return false
}

/** Quotations in quotations in quotations: beyond so many the marks are no pairs. */
const DEPTH_MAX = 3

/**
 * Where the mark that closes the one at `at` stands, before `end`; -1 when there is none. Where marks inside are not
 * closed one by one, the first that may close does.
 */
function closingMark(text: string, at: number, end: number): number {
  const opener = text[at] ?? ''
  const closers = CLOSERS[opener] ?? ''
  let [depth, depthOfSame, first] = [0, 0, -1]
  for (let index = at + 1; index < end && (depth <= DEPTH_MAX || first === -1); index++) {
    const sign = text[index] ?? ''
    if (CLOSERS[sign] === undefined && !closers.includes(sign)) continue
    const isInner = opensInside(text, index, opener)
    const isCloser = closers.includes(sign) && mayClose(text, index, sign, opener)
    const isSame = !isCloser && sign === opener && sign !== (closers[0] ?? '') && !APOSTROPHES.has(sign)
    if (isCloser && !isInner && depth === 0) return index
    depth += isInner || isSame ? 1 : isCloser ? -1 : 0
    if (isCloser && depthOfSame === 0 && first === -1) first = index
    depthOfSame += isSame ? 1 : isCloser ? -1 : 0
  }
  return first
}

/** Whether a mark opens a quotation inside one that its closing mark could close: "He said “no” to it". */
function opensInside(text: string, at: number, opener: string): boolean {
  const sign = text[at] ?? ''
  if (!'"“„'.includes(sign) || !(CLOSERS[opener] ?? '').includes(CLOSERS[sign]?.[0] ?? '')) return false
  if (sign === '“' && opener === '"') return true
  return (isSpaceAt(text, at - 1) || /[([]/u.test(text[at - 1] ?? '')) && isLetterAt(text, at + 1)
}

function mayClose(text: string, at: number, sign: string, opener: string): boolean {
  if (APOSTROPHES.has(sign)) return !isLetterAt(text, at + 1) && !isSpaceAt(text, at - 1)
  if (opener === '»' && sign === '»') return !isLetterAt(text, at + 1) && !isSpaceAt(text, at - 1)
  if (opener !== '„' && sign === '“') return !isLetterAt(text, at + 1) && !isSpaceAt(text, at - 1)
  if (sign === '"') return !isLetterAt(text, at + 1) && (!isSpaceAt(text, at - 1) || isSpaceAt(text, at + 1))
  return true
}

const CITED = new RegExp(
  String.raw`^\s{0,2}[.,;:]?\s{0,2}(?:[[［〔]\^?[\w, -]{1,40}\^?[\]］〕]|【|[¹²³⁴-⁹]|\(?\[[^\]\n]{1,200}\]\(|[(（](?:https?:|${SOURCE_LABEL}))`,
  'iu',
)

/** Whether what stands in marks quotes something: enough of it, or a source follows. */
function isQuote(text: string, quote: string, close: number): boolean {
  if (!/\p{L}/u.test(quote) || /^https?:\/\/\S+$/u.test(quote)) return false
  const words = quote.split(/\s+/u).length
  const isUnspaced = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/u.test(quote)
  const isLong = words >= QUOTE_WORDS_MIN || (isUnspaced && quote.length >= UNSPACED_MIN)
  return isLong || CITED.test(text.slice(close + 1, close + 300))
}
