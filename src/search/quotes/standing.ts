// Whether a quote still stands on a page that was read before and is read again: there, elsewhere, changed or not at all.
import type { DiffPart } from './alteration.ts'
import { createPageQuotes } from './page-quotes.ts'
import { parseQuote } from './parse-quote.ts'
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
 * Compares a page's text of `before` with that of `now`. The function it returns says null of a quote that did not stand on
 * the page before. A place is the same when what stands right before or right behind it is.
 */
export function createStandings(before: string, now: string): (quote: string) => Standing | null {
  const [earlier, later] = [createPageQuotes(before), createPageQuotes(now)]
  return function standingOf(quote) {
    const stood = earlier.findTrue(parseQuote(quote))
    if (stood === null) return null
    const words = before.slice(stood.start, stood.end)
    const found = later.findTrue(parseQuote(words))
    const places = found === null ? [] : [...placesOf(now, words), found]
    const same = places.find((place) => isSamePlace(before, stood, now, place))
    const place = same ?? places[0]
    if (place !== undefined) {
      const { start, end } = place
      return { standing: same === undefined ? 'moved' : 'stands', start, end, diff: null }
    }
    const altered = later.findAltered(parseQuote(words))
    if (altered === null) return { standing: 'gone', start: null, end: null, diff: null }
    return { standing: 'changed', start: altered.start, end: altered.end, diff: altered.diff }
  }
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
