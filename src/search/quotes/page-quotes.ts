// What a quote is to a page: to the letter on it, but for typography, an altered form of something on it, or none of it.
import type { TextSpan } from '../../score/passage.ts'
import { describeAlteration } from './alteration/describe-alteration.ts'
import type { DiffPart } from './alteration/word-diff.ts'
import { foldText, type FoldedText } from './folded-text.ts'
import { indexWords, type WordIndex } from './alteration/nearest-run.ts'
import { isInsideWord, readWords } from './page-words.ts'
import { deniesSomething, type ParsedQuote, type QuotePiece } from './parse-quote.ts'

/** Offsets into the page's text, in UTF-16 units. */
export interface QuoteMatch extends TextSpan {
  match: 'exact' | 'typographic' | 'altered'
  /** What was changed, word by word; null unless it is altered. */
  diff: readonly DiffPart[] | null
  /** How much of quote and page agree, 0..1. */
  similarity: number
}

/** How far apart the pieces of one quote may stand, in characters. */
const ELISION_CHARACTERS = 3_000
const INSERTION_CHARACTERS = 100
/** Words left out by […] that are so few and deny something change what the sentence says. */
const SHORT_GAP_CHARACTERS = 60
/** Places of a quote's first piece that are tried. */
const TRIES_MAX = 200

/** Looks quotes up in one page, whose plain form and words are made once and only when they are needed. */
export function createPageQuotes(text: string) {
  let folded: FoldedText | null = null
  let index: WordIndex | null = null
  const foldedOnce = (): FoldedText => (folded ??= index?.words.folded ?? foldText(text))
  const indexOnce = (): WordIndex => (index ??= indexWords(readWords(text)))

  return {
    /** The quote as it stands, or but for typography; null when it does not. */
    findTrue(quote: ParsedQuote): QuoteMatch | null {
      return findWhole(text, foldedOnce, quote.text) ?? findPieces(text, foldedOnce, quote)
    },
    /** What the quote was most likely made from; null when nothing on the page is like it. */
    findAltered(quote: ParsedQuote): QuoteMatch | null {
      const altered = describeAlteration(text, indexOnce(), quote)
      return altered === null ? null : { match: 'altered', ...altered }
    },
  }
}

const truly = (match: 'exact' | 'typographic', { start, end }: TextSpan): QuoteMatch => ({
  match,
  start,
  end,
  diff: null,
  similarity: 1,
})

/** Signs that belong to the sentence a quote stands in: "…," she said. */
const LAST_SIGN = /[.,;:]$/u

function findWhole(text: string, folded: () => FoldedText, quote: string): QuoteMatch | null {
  const wanted = quote.trim()
  const exact = findSpan(text, wanted, 0)
  if (exact !== null) return truly('exact', exact)
  const plain = foldText(wanted).text.trim()
  for (const spelling of new Set([plain, plain.replace(LAST_SIGN, '').trimEnd()])) {
    const found = findFolded(folded(), spelling, 0)
    if (found !== null) return truly('typographic', found.span)
  }
  return null
}

/** The first place from `from` on that does not begin or end within a word or a number. */
function findSpan(text: string, wanted: string, from: number): TextSpan | null {
  if (!/[\p{L}\p{N}]/u.test(wanted)) return null
  let at = text.indexOf(wanted, from)
  for (let tries = 0; at !== -1 && tries < TRIES_MAX; tries++) {
    const end = at + wanted.length
    if (!isInsideWord(text, at) && !isInsideWord(text, end)) return { start: at, end }
    at = text.indexOf(wanted, at + 1)
  }
  return null
}

function findFolded(folded: FoldedText, wanted: string, from: number) {
  const found = findSpan(folded.text, wanted, from)
  return found === null ? null : { ...found, span: folded.originalOf(found.start, found.end) }
}

/** The pieces of a quote one after the other, no farther apart than what was left out or put in between may be. */
function findPieces(text: string, folded: () => FoldedText, quote: ParsedQuote): QuoteMatch | null {
  const [first, ...rest] = quote.pieces
  if (first === undefined || quote.changesMeaning) return null
  const plainOf = (piece: QuotePiece): string =>
    foldText(quote.text.slice(piece.start, piece.end)).text.trim().replace(LAST_SIGN, '')
  const page = folded()
  const plain = plainOf(first)
  let opening = findFolded(page, plain, 0)
  for (let tries = 0; opening !== null && tries < TRIES_MAX; tries++) {
    const chain = follow(text, page, opening, rest, plainOf)
    if (chain !== null) {
      const spans = [opening.span, ...chain]
      const isExact = spans.every(({ start, end }, at) => {
        const { start: from, end: to } = quote.pieces[at] ?? first
        return quote.text.slice(from, to).replace(LAST_SIGN, '') === text.slice(start, end)
      })
      const whole = { start: opening.span.start, end: spans.at(-1)?.end ?? opening.span.end }
      return truly(isExact ? 'exact' : 'typographic', whole)
    }
    opening = findFolded(page, plain, opening.start + 1)
  }
  return null
}

/** Where the other pieces stand behind the first; null when one does not, or when what lies between denies. */
function follow(
  text: string,
  page: FoldedText,
  opening: { end: number; span: TextSpan },
  rest: readonly QuotePiece[],
  plainOf: (piece: QuotePiece) => string,
): TextSpan[] | null {
  const spans: TextSpan[] = []
  let { end: at, span: last } = opening
  for (const piece of rest) {
    const found = findFolded(page, plainOf(piece), at)
    if (found === null) return null
    const between = text.slice(last.end, found.span.start)
    const most = piece.gap === 'elision' ? ELISION_CHARACTERS : INSERTION_CHARACTERS
    if (between.length > most || (between.length <= SHORT_GAP_CHARACTERS && deniesSomething(between)))
      return null
    if (piece.gap === 'insertion' && /\p{Nd}/u.test(between)) return null
    spans.push(found.span)
    ;[at, last] = [found.end, found.span]
  }
  return spans
}
