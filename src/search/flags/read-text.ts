// A passage as it is looked through for concepts: folded, its sentences told apart, and each concept looked for once.
import { wordStarts, type Concept, type Found } from './concept.ts'

/** A point inside an address or a number ends nothing. */
const SENTENCE_END = /[.!?؟](?=[\s"'»”)\]]|$)|[。！？]|\n/gu

export interface Said extends Found {
  /** Number of the sentence that it starts in. */
  sentence: number
}

export type Finder = (concept: Concept) => readonly Said[]

/** `folded` has been folded already. */
export function createFinder(folded: string): Finder {
  const starts = wordStarts(folded)
  const sentences = sentenceNumbers(folded)
  const known = new Map<Concept, readonly Said[]>()
  return (concept) => {
    const before = known.get(concept)
    if (before !== undefined) return before
    const said = concept
      .placesIn(folded, starts)
      .map(({ start, end }) => ({ start, end, sentence: sentences[start] ?? 0 }))
    known.set(concept, said)
    return said
  }
}

/** Of each character, which sentence it stands in. */
function sentenceNumbers(folded: string): Uint16Array {
  const numbers = new Uint16Array(folded.length)
  let from = 0
  let number = 0
  for (const { index } of folded.matchAll(SENTENCE_END)) {
    numbers.fill(number, from, index + 1)
    from = index + 1
    number += 1
  }
  return numbers.fill(number, from)
}
