// Where the words of a query stand in a pool of passages and in the headings above them.
import type { Stem } from './stemming.ts'

export interface QueryTerm {
  stem: string
  /** The word of the query it came from. */
  word: string
}

/** The stems of one passage: of its text, and of its title and headings. */
export interface StemmedPassage {
  text: readonly string[]
  heading: readonly string[]
}

/** Tables of passages x terms, row by row. */
export interface Occurrences {
  terms: number
  inText: Float32Array
  inHeading: Float32Array
  /** 1 where a term is directly followed by the query's next term. */
  neighbours: Uint8Array
  /** Words of each text, and of each heading. */
  textLengths: Float32Array
  headingLengths: Float32Array
  /** Share of a text's words that are words of the query. */
  echo: Float64Array
  /** Share of a text's words that stand in its title or headings. */
  repeated: Float64Array
}

/** Distinct query terms; the rest of a longer query is not looked for. */
const QUERY_TERMS_MAX = 64

/** The distinct stems of the query in their order. */
export function queryTerms(words: readonly string[], stem: Stem): QueryTerm[] {
  const known = new Map<string, string>()
  for (const word of words) {
    const term = stem(word)
    if (!known.has(term) && known.size < QUERY_TERMS_MAX) known.set(term, word)
  }
  return Array.from(known, ([term, word]) => ({ stem: term, word }))
}

export function findTerms(terms: readonly QueryTerm[], passages: readonly StemmedPassage[]): Occurrences {
  const cells = passages.length * terms.length
  const found: Occurrences = {
    terms: terms.length,
    inText: new Float32Array(cells),
    inHeading: new Float32Array(cells),
    neighbours: new Uint8Array(cells),
    textLengths: new Float32Array(passages.length),
    headingLengths: new Float32Array(passages.length),
    echo: new Float64Array(passages.length),
    repeated: new Float64Array(passages.length),
  }
  const indexOf = new Map(terms.map(({ stem }, index) => [stem, index]))
  for (const [index, passage] of passages.entries()) {
    findInText(found, index, passage, indexOf)
    findInHeading(found, index, passage.heading, indexOf)
  }
  return found
}

function findInText(
  found: Occurrences,
  passage: number,
  { text, heading }: StemmedPassage,
  indexOf: ReadonlyMap<string, number>,
): void {
  const row = passage * found.terms
  const above = new Set(heading)
  const { inText, neighbours } = found
  let [previous, echoes, repeats] = [-1, 0, 0]
  for (const stem of text) {
    const term = indexOf.get(stem) ?? -1
    if (term >= 0) {
      inText[row + term] = (inText[row + term] ?? 0) + 1
      if (previous >= 0 && term === previous + 1) neighbours[row + previous] = 1
      echoes += 1
    }
    if (above.has(stem)) repeats += 1
    previous = term
  }
  const words = Math.max(1, text.length)
  found.textLengths[passage] = text.length
  found.echo[passage] = echoes / words
  found.repeated[passage] = repeats / words
}

function findInHeading(
  { terms, inHeading, headingLengths }: Occurrences,
  passage: number,
  heading: readonly string[],
  indexOf: ReadonlyMap<string, number>,
): void {
  const row = passage * terms
  for (const stem of heading) {
    const term = indexOf.get(stem)
    if (term !== undefined) inHeading[row + term] = (inHeading[row + term] ?? 0) + 1
  }
  headingLengths[passage] = heading.length
}
