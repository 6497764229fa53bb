// Whether a quote still stands on a page that was read before and is read again: there, elsewhere, changed or not at
// all.
import type { DiffPart } from './alteration/word-diff.ts'
import { foldText } from './folded-text.ts'
import { createKeptOrder } from './kept-order.ts'
import { createPageQuotes } from './page-quotes.ts'
import { parseQuote, type ParsedQuote } from './parse-quote.ts'
import type { TextSpan } from '../../score/passage.ts'

export interface Standing {
  standing: 'stands' | 'moved' | 'changed' | 'gone'
  /** UTF-16 offsets into the page's text as it is now; null when it is gone. */
  start: number | null
  end: number | null
  /** What of it was changed: `page` is what stands there now; null unless it was changed. */
  diff: readonly DiffPart[] | null
}

/** Letters beside a quote by which its place is known again; white space does not count. */
const NEIGHBOUR_LETTERS = 30
const NEIGHBOUR_CHARACTERS = 150
/** Places of the same words that are looked at. */
const PLACES_MAX = 200

/**
 * Compares a page's text of `before` with that of `now`. The function it returns says null of a quote that did not
 * stand on the page before. A place is the same when it lies between the same parts of the page; where none of them is
 * left, when what stands right before or right behind it is the same.
 */
export function createStandings(before: string, now: string): (quote: string) => Standing | null {
  const [earlier, later] = [createPageQuotes(before), createPageQuotes(now)]
  let order: ReturnType<typeof createKeptOrder> | null = null
  return function standingOf(quote) {
    const stood = earlier.findTrue(parseQuote(quote))
    if (stood === null) return null
    const words = before.slice(stood.start, stood.end)
    const found = later.findTrue(literally(words))
    const places = found === null ? [] : [...placesOf(now, words), found]
    if (places.length > 0) order ??= createKeptOrder(before, now)
    const same = places.find((place) => order?.(stood, place) ?? isSamePlace(before, stood, now, place))
    const place = same ?? places[0]
    if (place !== undefined) {
      const { start, end } = place
      return { standing: same === undefined ? 'moved' : 'stands', start, end, diff: null }
    }
    const altered = later.findAltered(literally(words))
    if (altered === null || wasElsewhere(before, stood, now.slice(altered.start, altered.end)))
      return { standing: 'gone', start: null, end: null, diff: null }
    return { standing: 'changed', start: altered.start, end: altered.end, diff: altered.diff }
  }
}

/** The page's own words: dots and brackets in them are its own, too, and leave nothing out. */
const literally = (text: string): ParsedQuote => ({
  text,
  pieces: [{ start: 0, end: text.length, gap: null }],
  changesMeaning: false,
})

/** What is like the quote stood on the page before, beside it: it is something else, which was not changed. */
function wasElsewhere(before: string, { start, end }: TextSpan, words: string): boolean {
  const wanted = foldText(words).text.trim()
  const stands = (text: string): boolean => foldText(text).text.includes(wanted)
  return !stands(before.slice(start, end)) && (stands(before.slice(0, start)) || stands(before.slice(end)))
}

function placesOf(text: string, words: string): TextSpan[] {
  const places: TextSpan[] = []
  for (
    let at = text.indexOf(words);
    at !== -1 && places.length < PLACES_MAX;
    at = text.indexOf(words, at + 1)
  )
    places.push({ start: at, end: at + words.length })
  return places
}

const isSamePlace = (before: string, stood: TextSpan, now: string, place: TextSpan): boolean =>
  lettersBefore(before, stood.start) === lettersBefore(now, place.start) ||
  lettersBehind(before, stood.end) === lettersBehind(now, place.end)

const lettersBefore = (text: string, at: number): string =>
  text
    .slice(Math.max(0, at - NEIGHBOUR_CHARACTERS), at)
    .replace(/\s+/gu, '')
    .slice(-NEIGHBOUR_LETTERS)

const lettersBehind = (text: string, at: number): string =>
  text
    .slice(at, at + NEIGHBOUR_CHARACTERS)
    .replace(/\s+/gu, '')
    .slice(0, NEIGHBOUR_LETTERS)
