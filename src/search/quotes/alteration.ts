// How an altered quote differs from what stands on the page, word by word, and whether the two are alike enough to say
// that one was made from the other.
import type { TextSpan } from '../../score/passage.ts'
import { alignWords, type AlignedPair } from './align-words.ts'
import { nearestRun, type WordIndex } from './nearest-run.ts'
import { readWords, wordAt, type PageWords } from './page-words.ts'
import type { ParsedQuote } from './parse-quote.ts'

/** A run of words that both have, that the page alone has, or the quote alone. */
export interface DiffPart {
  op: 'same' | 'page' | 'quote'
  text: string
}

export interface Alteration extends TextSpan {
  diff: readonly DiffPart[]
  similarity: number
}

/** Words of a quote that are laid beside a page; what is longer is judged by its beginning. */
const WORDS_MAX = 1_000
/** How much longer than the quote the run of the page may be. */
const RUN_SHARE = 1.5
const RUN_EXTRA = 8
/** Of the quote's different words, how many the page must have close together before the two are laid side by side. */
const TERMS_SHARE_MIN = 0.3
/** From how much agreement on a quote was made from what stands on the page. */
const SIMILARITY_MIN = 0.5
/** So many words must agree in one run: words that merely all occur there are no quote. */
const COMMON_RUN_MIN = 3
/** Characters of a script without spaces that say about as much as one word. */
const SHORT_WORD_CHARACTERS = 2

/**
 * @returns null when nothing on the page is like the quote. Time grows with the page, and with the square of the quote.
 */
export function describeAlteration(
  text: string,
  index: WordIndex,
  { text: quoteText, pieces }: ParsedQuote,
): Alteration | null {
  const literal = pieces.map(({ start, end }) => quoteText.slice(start, end)).join(' ')
  const quote = readWords(literal)
  const hashes = quote.hashes.slice(0, WORDS_MAX)
  const run = nearestRun(index, hashes, Math.ceil(hashes.length * RUN_SHARE) + RUN_EXTRA)
  if (run === null || run.terms < new Set(hashes).size * TERMS_SHARE_MIN) return null
  const margin = Math.ceil(hashes.length / 2)
  const from = Math.max(0, run.from - margin)
  const to = Math.min(index.words.count, run.to + margin)
  const isSimilar = (quoteWord: number, pageWord: number): boolean =>
    firstUnit(quote, quoteWord) === firstUnit(index.words, from + pageWord) &&
    areSimilar(wordAt(quote, quoteWord), wordAt(index.words, from + pageWord))
  const page = index.words.hashes.subarray(from, to)
  const pairs = trim(alignWords({ quote: hashes, page, isSimilar })).map((pair) => ({
    quote: pair.quote,
    page: pair.page < 0 ? -1 : pair.page + from,
  }))
  const equal = pairs.map((pair) => isEqual(quote, index.words, pair))
  const similarity = similarityOf(quote, index.words, pairs, equal)
  if (similarity < SIMILARITY_MIN || !sharesRun(quote, pairs, equal, hashes.length)) return null
  const onPage = pairs.filter(({ page: at }) => at >= 0).map(({ page: at }) => at)
  const [firstWord, lastWord] = [onPage[0] ?? 0, onPage.at(-1) ?? 0]
  const { folded, starts, ends } = index.words
  const words = folded.originalOf(starts[firstWord] ?? 0, ends[lastWord] ?? 0)
  const span = withSigns(text, words, literal)
  return {
    ...span,
    diff: diffOf({ text: literal, words: quote }, { text, words: index.words }, pairs, equal),
    similarity,
  }
}

const OPENING_SIGNS = /(?<![\p{Ps}\p{Pi}"'¿¡])[\p{Ps}\p{Pi}"'¿¡]+$/u
const CLOSING_SIGNS = /^[\p{Pe}\p{Pf}\p{Po}]+/u
const SIGNS_MAX = 4

/** The words with the signs that open and close them, where the quote has such signs too. */
function withSigns(text: string, { start, end }: TextSpan, quote: string): TextSpan {
  const before = /^[^\p{L}\p{N}]/u.test(quote)
    ? OPENING_SIGNS.exec(text.slice(Math.max(0, start - SIGNS_MAX), start))
    : null
  const after = /[^\p{L}\p{N}]$/u.test(quote) ? CLOSING_SIGNS.exec(text.slice(end, end + SIGNS_MAX)) : null
  return { start: start - (before?.[0].length ?? 0), end: end + (after?.[0].length ?? 0) }
}

const isEqual = (quote: PageWords, page: PageWords, pair: AlignedPair): boolean =>
  pair.quote >= 0 && pair.page >= 0 && quote.hashes[pair.quote] === page.hashes[pair.page]

const isQuoted = ({ quote }: AlignedPair): boolean => quote >= 0

/** Words of the page alone say nothing at either end. */
function trim(pairs: readonly AlignedPair[]): AlignedPair[] {
  return pairs.slice(pairs.findIndex(isQuoted), pairs.findLastIndex(isQuoted) + 1)
}

const firstUnit = ({ folded, starts }: PageWords, at: number): number =>
  folded.text.charCodeAt(starts[at] ?? 0)

/** A slip of the pen, another ending, another spelling: most of the longer word is the beginning of both. */
function areSimilar(left: string, right: string): boolean {
  const longer = Math.max(left.length, right.length)
  if (longer < 4 || left[0] !== right[0] || /\d/u.test(left)) return false
  let shared = 0
  while (shared < longer && left[shared] === right[shared]) shared++
  return shared >= longer * 0.6
}

/** A long word says more than a short one. */
const weightOf = ({ starts, ends }: PageWords, at: number): number =>
  Math.min(6, 1 + ((ends[at] ?? 0) - (starts[at] ?? 0)))

/** Weight of the words that agree by that of all words of the longer side. */
function similarityOf(
  quote: PageWords,
  page: PageWords,
  pairs: readonly AlignedPair[],
  equal: readonly boolean[],
): number {
  let [agreed, quoted, found] = [0, 0, 0]
  for (const [at, pair] of pairs.entries()) {
    const [left, right] = [
      pair.quote < 0 ? 0 : weightOf(quote, pair.quote),
      pair.page < 0 ? 0 : weightOf(page, pair.page),
    ]
    quoted += left
    found += right
    if (equal[at] === true) agreed += left
    else if (left > 0 && right > 0 && areSimilar(wordAt(quote, pair.quote), wordAt(page, pair.page)))
      agreed += Math.min(left, right) / 2
  }
  return quoted === 0 ? 0 : agreed / Math.max(quoted, Math.min(found, quoted * 2))
}

/** Whether enough words agree one after the other: all of a very short quote but one. */
function sharesRun(
  quote: PageWords,
  pairs: readonly AlignedPair[],
  equal: readonly boolean[],
  count: number,
): boolean {
  let [longest, run, agreed] = [0, 0, 0]
  let isUnspaced = true
  for (const [at, same] of equal.entries()) {
    run = same ? run + 1 : 0
    longest = Math.max(longest, run)
    if (!same) continue
    agreed += 1
    const word = pairs[at]?.quote ?? 0
    isUnspaced &&= (quote.ends[word] ?? 0) - (quote.starts[word] ?? 0) < SHORT_WORD_CHARACTERS
  }
  const scale = isUnspaced ? 2 : 1
  return (
    longest >= Math.min(COMMON_RUN_MIN * scale, Math.ceil(count / 2)) &&
    agreed >= Math.min(3 * scale, count - 1)
  )
}

interface Side {
  text: string
  words: PageWords
}

/** The differences as runs, in the spelling of their side. */
function diffOf(
  quote: Side,
  page: Side,
  pairs: readonly AlignedPair[],
  equal: readonly boolean[],
): DiffPart[] {
  const parts: DiffPart[] = []
  let at = 0
  while (at < pairs.length) {
    const same = equal[at] === true
    let end = at
    while (end < pairs.length && (equal[end] === true) === same) end += 1
    const run = pairs.slice(at, end)
    if (same) parts.push(...agreedParts(quote, page, run))
    else {
      const [missing, added] = [
        textOf(
          page,
          run.map((pair) => pair.page),
        ),
        textOf(
          quote,
          run.map((pair) => pair.quote),
        ),
      ]
      if (missing !== '') parts.push({ op: 'page', text: missing })
      if (added !== '') parts.push({ op: 'quote', text: added })
    }
    at = end
  }
  return parts
}

/** Words that agree, parted where the signs beside them do not: "$5" is not "€5". */
function agreedParts(quote: Side, page: Side, run: readonly AlignedPair[]): DiffPart[] {
  const parts: DiffPart[] = []
  let from = 0
  for (let at = 0; at <= run.length; at++) {
    const signs = differingSigns(quote, page, run[at - 1], run[at])
    if (signs.length === 0 && at < run.length) continue
    const text = textOf(
      page,
      run.slice(from, at).map((pair) => pair.page),
    )
    parts.push(...(text === '' ? [] : [{ op: 'same' as const, text }]), ...signs)
    from = at
  }
  return parts
}

/** What stands between two words that agree, or beside the quote's first or last one, where it is not the same. */
function differingSigns(quote: Side, page: Side, left?: AlignedPair, right?: AlignedPair): DiffPart[] {
  const isWithin = left !== undefined && right !== undefined
  if (left === undefined && right?.quote !== 0) return []
  if (right === undefined && left?.quote !== quote.words.count - 1) return []
  const quoted = signsBetween(quote, left?.quote, right?.quote)
  const found = signsBetween(page, left?.page, right?.page)
  // The page goes on where the quote ends, and the quote may close with a sign of its own sentence.
  const isEndAlike =
    left === undefined ? found.plain.endsWith(quoted.plain) : found.plain.startsWith(quoted.plain)
  const isOwnSign = right === undefined && /^[.,;:]$/u.test(quoted.plain)
  if (quoted.plain === found.plain || (!isWithin && (isEndAlike || isOwnSign))) return []
  const parts: DiffPart[] = [
    { op: 'page', text: found.text },
    { op: 'quote', text: quoted.text },
  ]
  return parts.filter(({ text }) => text !== '')
}

const SIGNS_BEFORE = /[^\s\p{L}\p{N}]{0,4}$/u
const SIGNS_BEHIND = /^[^\s\p{L}\p{N}]{0,4}/u

/** The signs between two neighbouring words, or those that touch the one that is given; `plain` as they are compared. */
function signsBetween({ text, words }: Side, left?: number, right?: number): { plain: string; text: string } {
  const { folded, starts, ends } = words
  let [start, end] = [ends[left ?? -1] ?? 0, starts[right ?? -1] ?? folded.text.length]
  if (left === undefined)
    start = end - (SIGNS_BEFORE.exec(folded.text.slice(Math.max(0, end - SIGNS_MAX), end))?.[0].length ?? 0)
  if (right === undefined)
    end = start + (SIGNS_BEHIND.exec(folded.text.slice(start, start + SIGNS_MAX))?.[0].length ?? 0)
  const plain = folded.text.slice(start, end).replace(/\s/gu, '')
  const span = folded.originalOf(start, end)
  return { plain, text: plain === '' ? '' : text.slice(span.start, span.end).trim() }
}

/** The text from the first to the last of these words. */
function textOf({ text, words }: Side, indexes: readonly number[]): string {
  const known = indexes.filter((index) => index >= 0)
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return ''
  const { start, end } = words.folded.originalOf(words.starts[first] ?? 0, words.ends[last] ?? 0)
  return text.slice(start, end)
}
