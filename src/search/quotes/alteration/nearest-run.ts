// Where on a page the words of a quote stand closest together: what an altered quote was made from, if from anything.
import type { PageWords } from '../page-words.ts'

/** A page whose words can be looked up. */
export interface WordIndex {
  words: PageWords
  /** The first place of a word on the page, and -1 for one that stands nowhere. */
  firstOf: (hash: number) => number
  /** How often the word whose first place is `first` stands on the page. */
  countAt: (first: number) => number
  /** For each place the next one of the same word; -1 after the last. */
  next: Int32Array
}

/** Time and memory in proportion to the page. A table of our own: twenty pages hold a hundred thousand words. */
export function indexWords(words: PageWords): WordIndex {
  const size = 2 ** Math.ceil(Math.log2(words.count * 2 + 2))
  const slots = new Int32Array(size).fill(-1)
  const counts = new Int32Array(words.count)
  const next = new Int32Array(words.count).fill(-1)
  /** The slot that holds the word, or would. */
  const slotOf = (hash: number): number => {
    let slot = Math.imul(hash, 0x9e3779b1) & (size - 1)
    for (let at = slots[slot] ?? -1; at !== -1 && words.hashes[at] !== hash; at = slots[slot] ?? -1)
      slot = (slot + 1) & (size - 1)
    return slot
  }
  for (let at = words.count - 1; at >= 0; at--) {
    const slot = slotOf(words.hashes[at] ?? 0)
    const following = slots[slot] ?? -1
    next[at] = following
    counts[at] = 1 + (following === -1 ? 0 : (counts[following] ?? 0))
    slots[slot] = at
  }
  return {
    words,
    next,
    firstOf: (hash) => slots[slotOf(hash)] ?? -1,
    countAt: (first) => counts[first] ?? 0,
  }
}

/** Words that stand oftener than this tell nothing of where a quote is, unless all do. */
const COMMON = 60
/** Places that are looked at in all; a page of one word repeated has no more to say. */
const PLACES_MAX = 20_000

interface Place {
  /** Index of the word on the page. */
  at: number
  /** Which different word of the quote it is. */
  term: number
}

export interface WordRun {
  /** Indexes of words: [from, to). */
  from: number
  to: number
  /** How many different words of the quote it holds. */
  terms: number
}

/** The run of up to `length` words that holds most of the quote's different words; null when it holds none. */
export function nearestRun(index: WordIndex, quote: Int32Array, length: number): WordRun | null {
  const places = placesOf(index, quote)
  const counts = new Map<number, number>()
  let best: WordRun | null = null
  let tail = 0
  for (const head of places) {
    counts.set(head.term, (counts.get(head.term) ?? 0) + 1)
    while (head.at - (places[tail]?.at ?? 0) >= length) {
      const { term } = places[tail] ?? head
      const left = (counts.get(term) ?? 1) - 1
      if (left === 0) counts.delete(term)
      else counts.set(term, left)
      tail += 1
    }
    if (counts.size > (best?.terms ?? 0))
      best = { from: places[tail]?.at ?? head.at, to: head.at + 1, terms: counts.size }
  }
  return best
}

function placesOf({ firstOf, countAt, next }: WordIndex, quote: Int32Array): Place[] {
  const firsts = [...new Set(quote)].map(firstOf).filter((at) => at !== -1)
  const telling = firsts.filter((at) => countAt(at) <= COMMON)
  const places: Place[] = []
  for (const [term, first] of (telling.length > 1 ? telling : firsts).entries())
    for (let at = first; at !== -1 && places.length < PLACES_MAX; at = next[at] ?? -1)
      places.push({ at, term })
  return places.toSorted((left, right) => left.at - right.at)
}
