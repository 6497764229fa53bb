// BM25 of a query over a pool of passages, with the pool's own document frequencies.
import { createFunctionWords } from './function-words.ts'
import { createStemming, type Stem } from './stemming.ts'
import { rememberByText } from './text-cache.ts'
import { createWordScanner, normalizeText } from './words.ts'

/** Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, section 3.2. */
const K1 = 1.2
const B = 0.75
/** A query term that stands in the headings above a passage counts like this much of one occurrence in it. */
const HEADING_OCCURRENCE = 0.5
/** Distinct query terms; the rest of a longer query is not looked for. */
const QUERY_TERMS_MAX = 64
/**
 * What a function word of the query counts beside a word of its subject. Measured on the nine English sets: nDCG@5 of
 * BM25 alone .732 at 1, .747 at 0.15, .750 at 0; the little that is left tells "to" from "from".
 */
const FUNCTION_WORD_WEIGHT = 0.1
/** So many imagined passages with everyday frequencies join the pool: one page cannot tell which words are common. */
const BACKGROUND_PASSAGES = 20

/** A passage and the headings above it, which help to score it and are not part of its text. */
export interface ScoredText {
  text: string
  heading: string
}

export interface LexicalScores {
  /** BM25 divided by the largest value any passage could reach for the query, 0..1. */
  bm25: Float64Array
  /** Share of the query's neighbouring terms that are neighbours in the passage too, weighed by their rarity, 0..1. */
  adjacency: Float64Array
  /** How much the query asks for: the inverse document frequencies of its terms in everyday text, summed, in nats. */
  queryInformation: number
}

interface QueryTerm {
  stem: string
  /** The word of the query it came from. */
  word: string
}

interface Occurrences {
  /** passages x terms: how often each term stands in each passage. */
  counts: Float32Array
  /** passages x terms: 1 where a term is directly followed by the query's next term. */
  neighbours: Uint8Array
  /** Words per passage. */
  lengths: Float32Array
}

export interface LexicalOptions {
  /** With 1 every word counts in full, as in plain BM25. */
  functionWordWeight?: number
  /** For the stems of passages seen before; 0 finds them anew. */
  memoryBytes?: number
}

/**
 * Makes the lexical scorer. `backgroundRate` tells the share of passages of any page that hold a word, 0..1, or
 * undefined for a word it does not know.
 */
export function createLexical(
  backgroundRate: (word: string) => number | undefined,
  { functionWordWeight = FUNCTION_WORD_WEIGHT, memoryBytes = 0 }: LexicalOptions = {},
) {
  const splitWords = createWordSplitter()
  const stemming = createStemming()
  const functionWords = createFunctionWords()
  const stemsOf = rememberByText((text, language) => splitWords(text).map(stemming.forLanguage(language)), {
    maxBytes: memoryBytes,
    bytesOf: (stems) => stems.length * STEM_BYTES,
  })
  return {
    /** Scores every passage; the order of the passages plays no part. */
    score(query: string, passages: readonly ScoredText[]): LexicalScores {
      const language = stemming.languageOf([query, ...passages.map((passage) => passage.text)])
      const terms = queryTerms(splitWords(query), stemming.forLanguage(language))
      const found = findTerms(terms, passages, (text) => stemsOf(text, language))
      const rates = terms.map(({ word }) => backgroundRate(word) ?? 0)
      const words = functionWords.forLanguage(language)
      const weightsOf = (rarity: readonly number[]): readonly number[] =>
        discount(rarity, terms, words, functionWordWeight)
      const idf = weightsOf(inverseFrequencies(rates, found.counts, passages.length))
      const everyday = weightsOf(inverseFrequencies(rates, new Float32Array(0), 0))
      return { ...weigh(idf, found), queryInformation: everyday.reduce((sum, value) => sum + value, 0) }
    },
  }
}

/** What a stem takes in the memory: a short string, which not all languages share between passages, and its place. */
const STEM_BYTES = 32

/** Makes the function that gives the words of a text in their order, normalized. */
function createWordSplitter(): (text: string) => readonly string[] {
  const scanner = createWordScanner()
  return (raw) => {
    const text = normalizeText(raw)
    const words: string[] = []
    scanner.scan(text, (start, end) => words.push(text.slice(start, end)))
    return words
  }
}

/** The distinct stems of the query in their order. */
function queryTerms(words: readonly string[], stem: Stem): QueryTerm[] {
  const known = new Map<string, string>()
  for (const word of words) {
    const term = stem(word)
    if (!known.has(term) && known.size < QUERY_TERMS_MAX) known.set(term, word)
  }
  return Array.from(known, ([term, word]) => ({ stem: term, word }))
}

function findTerms(
  terms: readonly QueryTerm[],
  passages: readonly ScoredText[],
  stemsOf: (text: string) => readonly string[],
): Occurrences {
  const width = terms.length
  const indexOfTerm = new Map(terms.map(({ stem }, index) => [stem, index]))
  const counts = new Float32Array(passages.length * width)
  const neighbours = new Uint8Array(passages.length * width)
  const lengths = new Float32Array(passages.length)
  for (const [passage, { text, heading }] of passages.entries()) {
    const row = passage * width
    const stems = stemsOf(text)
    let previous = -1
    for (const stem of stems) {
      const index = indexOfTerm.get(stem) ?? -1
      if (index >= 0) {
        counts[row + index] = (counts[row + index] ?? 0) + 1
        if (previous >= 0 && index === previous + 1) neighbours[row + previous] = 1
      }
      previous = index
    }
    lengths[passage] = stems.length
    for (const stem of new Set(stemsOf(heading))) {
      const index = indexOfTerm.get(stem)
      if (index === undefined) continue
      counts[row + index] = (counts[row + index] ?? 0) + HEADING_OCCURRENCE
    }
  }
  return { counts, neighbours, lengths }
}

/**
 * Inverse document frequency of every term, from the pool and so many imagined passages of everyday text: in a pool of
 * one page, that every passage holds a word says little about the word.
 */
function inverseFrequencies(
  backgroundRates: readonly number[],
  counts: Float32Array,
  size: number,
): number[] {
  return backgroundRates.map((backgroundRate, index) => {
    let holders = BACKGROUND_PASSAGES * backgroundRate
    for (let at = index; at < counts.length; at += backgroundRates.length)
      if ((counts[at] ?? 0) > 0) holders++
    const rest = size + BACKGROUND_PASSAGES - holders
    return Math.log(1 + (rest + 0.5) / (holders + 0.5))
  })
}

/** Takes the function words down, unless the query consists of nothing else ("To be or not to be"). */
function discount(
  idf: readonly number[],
  terms: readonly QueryTerm[],
  functionWords: ReadonlySet<string>,
  weight: number,
): readonly number[] {
  if (terms.every(({ word }) => functionWords.has(word))) return idf
  return idf.map((value, index) => (functionWords.has(terms[index]?.word ?? '') ? value * weight : value))
}

function weigh(idf: readonly number[], { counts, neighbours, lengths }: Occurrences) {
  const bm25 = new Float64Array(lengths.length)
  const adjacency = new Float64Array(lengths.length)
  const idfSum = idf.reduce((sum, value) => sum + value, 0)
  const pairs = idf.slice(1).map((value, index) => Math.min(value, idf[index] ?? 0))
  const pairSum = pairs.reduce((sum, value) => sum + value, 0)
  const meanLength = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / lengths.length)
  for (let passage = 0; passage < lengths.length; passage++) {
    const row = passage * idf.length
    const penalty = K1 * (1 - B + (B * (lengths[passage] ?? 0)) / meanLength)
    let score = 0
    let adjacent = 0
    for (let index = 0; index < idf.length; index++) {
      const count = counts[row + index] ?? 0
      if (count > 0) score += ((idf[index] ?? 0) * count) / (count + penalty)
      if (neighbours[row + index] === 1) adjacent += pairs[index] ?? 0
    }
    bm25[passage] = idfSum > 0 ? score / idfSum : 0
    adjacency[passage] = pairSum > 0 ? adjacent / pairSum : 0
  }
  return { bm25, adjacency }
}
