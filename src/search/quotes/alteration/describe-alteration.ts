// Whether a quote and what stands on the page are alike enough to say that one was made from the other.
import type { TextSpan } from '../../../score/passage.ts'
import { alignWords, type AlignedPair } from './align-words.ts'
import { nearestRun, type WordIndex } from './nearest-run.ts'
import { readWords, wordAt, type PageWords } from '../page-words.ts'
import type { ParsedQuote } from '../parse-quote.ts'
import { type DiffPart, diffOf } from './word-diff.ts'

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
