// Whether and where a quote stands in a text: to the letter, or but for spacing, case and typographic signs. Pure.
import { cutsNumber } from '../quotes/page-words.ts'
import { signsFor, SPELT_OUT } from '../quotes/typed-signs.ts'

export interface QuotePlace {
  match: 'exact' | 'normalised' | 'none'
  /** UTF-16 offsets into the text; null when the quote does not stand there. */
  start: number | null
  end: number | null
}

/** What stands for a character when it is compared. */
const SIGNS: Readonly<Record<string, string>> = {
  ...signsFor("'", '‘’‚‛‹›ʼ'),
  ...signsFor('"', '“”„‟«»'),
  ...signsFor('-', '‐‑‒–—―−'),
  ...SPELT_OUT,
}

/** A text in its plainest form, and for each of its units where in the original it came from. */
interface PlainText {
  text: string
  starts: readonly number[]
  ends: readonly number[]
}

/**
 * Finds quotes in one text, whose plain form is made once: the first place of a quote; an exact place is preferred to an
 * earlier normalised one. Takes time in proportion to the text, and to the text for each quote.
 */
export function createQuoteFinder(text: string): (quote: string) => QuotePlace {
  let plain: PlainText | null = null
  return function find(quote) {
    const exact = placeIn(text, quote)
    if (exact !== -1) return { match: 'exact', start: exact, end: exact + quote.length }
    const wanted = normalise(quote).text.trim()
    if (wanted === '') return { match: 'none', start: null, end: null }
    plain ??= normalise(text)
    const found = placeIn(plain.text, wanted)
    if (found === -1) return { match: 'none', start: null, end: null }
    const last = found + wanted.length - 1
    return { match: 'normalised', start: plain.starts[found] ?? 0, end: plain.ends[last] ?? 0 }
  }
}

/** So many places that cut a number are passed over; each costs up to the quote's length. */
const MOST_PASSED_OVER = 10_000

/** Where `wanted` first stands in `text` without cutting a number: "5 percent" is no part of "1.5 percent". -1 when nowhere. */
function placeIn(text: string, wanted: string): number {
  let at = text.indexOf(wanted)
  for (let passed = 0; at !== -1 && passed < MOST_PASSED_OVER; passed++) {
    if (!cutsNumber(text, at) && !cutsNumber(text, at + wanted.length)) return at
    at = text.indexOf(wanted, at + 1)
  }
  return -1
}

/** Soft hyphens and the like vanish, white space is one space, a letter and its marks are one where Unicode has one. */
function normalise(text: string): PlainText {
  // Pieces, joined at the end: a string that is looked at while it grows is copied each time.
  const pieces: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let isAfterSpace = false
  let offset = 0
  for (const [character, length] of composedCharacters(text)) {
    const folded = fold(character)
    if (folded !== '' && !(folded === ' ' && isAfterSpace)) {
      for (let unit = 0; unit < folded.length; unit += 1) {
        starts.push(offset)
        ends.push(offset + length)
      }
      pieces.push(folded)
      isAfterSpace = folded === ' '
    }
    offset += length
  }
  return { text: pieces.join(''), starts, ends }
}

/** Marks and vowels that Unicode may write together with what stands before them. */
const MAY_COMPOSE = /[\p{M}\u1161-\u11C2]/u
/** A character with those that follow it; more of them than any writing has are looked at by themselves. */
const CLUSTER = /[^](?:[\p{M}\u1161-\u11C2]{1,4})?/gu

/** The characters of a text, composed where they can be, each with how many units it has there. */
function* composedCharacters(text: string): Generator<[character: string, length: number]> {
  if (!MAY_COMPOSE.test(text)) {
    for (const character of text) yield [character, character.length]
    return
  }
  for (const [cluster] of text.matchAll(CLUSTER)) {
    const composed = cluster.normalize('NFC')
    if (composed.length < cluster.length) yield [composed, cluster.length]
    else for (const character of cluster) yield [character, character.length]
  }
}

function fold(character: string): string {
  if (/\s/u.test(character)) return ' '
  if (/[\u00AD\u200B-\u200D\u2060\uFEFF]/u.test(character)) return ''
  return SIGNS[character] ?? character.toLowerCase()
}
