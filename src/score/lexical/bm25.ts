// BM25 of a query over a pool of passages and the headings above them, with the pool's own document frequencies, and
// what else the words alone tell.
import { finish, mapInSteps, type Steps } from '../steps.ts'
import { findTerms, queryTerms, type Occurrences, type QueryTerm } from './find-terms.ts'
import { createFunctionWords } from './function-words.ts'
import { createStemming } from './stemming.ts'
import { rememberByText } from './text-cache.ts'
import { createTrigramCoverage } from './trigrams.ts'
import { createWordScanner, normalizeText } from './words.ts'

/** Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, section 3.2. */
const K1 = 1.2
const B = 0.75
/**
 * What a function word of the query counts beside a word of its subject. Measured on the nine English sets: nDCG@5 of
 * BM25 alone .732 at 1, .747 at 0.15, .750 at 0; the little that is left tells "to" from "from".
 */
const FUNCTION_WORD_WEIGHT = 0.1
/** So many imagined passages with everyday frequencies join the pool: one page cannot tell which words are common. */
const BACKGROUND_PASSAGES = 20

/** A passage's text, and its title and headings as one. */
export interface LexicalText {
  text: string
  heading: string
}

/** Aligned with the passages. BM25 is divided by the largest value any passage could reach for the query, 0..1. */
export interface LexicalScores {
  bm25Text: Float64Array
  bm25Heading: Float64Array
  /** Of title, headings and text as one. */
  bm25Full: Float64Array
  /** Share of what the query's answerable words say that stands in the passage; answerable are those the pool holds. */
  coverText: Float64Array
  coverHeading: Float64Array
  coverFull: Float64Array
  /** The same by runs of three letters, of all words of the query, in heading and text. */
  spelling: Float64Array
  /** Share of the query's neighbouring terms that are neighbours in the passage too, weighed by their rarity, 0..1. */
  adjacency: Float64Array
  /** Share of the text's words that are the query's; that stand in title or headings. */
  echo: Float64Array
  repeated: Float64Array
  words: Float32Array
  /** How much the query asks for: the inverse document frequencies of its terms in everyday text, summed, in nats. */
  queryInformation: number
  /** Share of what the query's words say that some passage of the pool holds, 0..1. */
  answerable: number
  queryTerms: number
  /** Of the pool (ISO 639-1), or '' when it cannot be told. */
  language: string
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

  /** Scores every passage; the order of the passages plays no part. */
  function* scoreInSteps(query: string, passages: readonly LexicalText[]): Steps<LexicalScores> {
    const language = stemming.languageOf([query, ...passages.map((passage) => passage.text)])
    const terms = queryTerms(splitWords(query), stemming.forLanguage(language))
    const stemmed = yield* mapInSteps(passages, ({ text, heading }) => ({
      text: stemsOf(text, language),
      heading: stemsOf(heading, language),
    }))
    const found = findTerms(terms, stemmed)
    const rates = terms.map(({ word }) => backgroundRate(word) ?? 0)
    const words = functionWords.forLanguage(language)
    const weightsOf = (rarity: readonly number[]): readonly number[] =>
      discount(rarity, terms, words, functionWordWeight)
    const holders = countHolders(found)
    const idf = weightsOf(inverseFrequencies(rates, holders, passages.length))
    const everyday = weightsOf(inverseFrequencies(rates, new Float32Array(terms.length), 0))
    const spells = createTrigramCoverage(terms.map(({ word }, at) => ({ word, weight: idf[at] ?? 0 })))
    const spelling = yield* mapInSteps(passages, ({ text, heading }) =>
      spells(normalizeText(`${heading} ${text}`)),
    )
    return {
      ...weigh(idf, holders, found),
      spelling: Float64Array.from(spelling),
      echo: found.echo,
      repeated: found.repeated,
      words: found.textLengths,
      queryInformation: sum(everyday),
      queryTerms: terms.length,
      language,
    }
  }
  return {
    scoreInSteps,
    /** All of it at once. */
    score: (query: string, passages: readonly LexicalText[]): LexicalScores =>
      finish(scoreInSteps(query, passages)),
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

/** How many passages hold each term, in text or headings. */
function countHolders({ terms, inText, inHeading }: Occurrences): Float32Array {
  const holders = new Float32Array(terms)
  for (let at = 0; at < inText.length; at++) {
    const term = at % terms
    if ((inText[at] ?? 0) + (inHeading[at] ?? 0) > 0) holders[term] = (holders[term] ?? 0) + 1
  }
  return holders
}

/**
 * Inverse document frequency of every term, from the pool and so many imagined passages of everyday text: in a pool of
 * one page, that every passage holds a word says little about the word.
 */
function inverseFrequencies(
  backgroundRates: readonly number[],
  holders: Float32Array,
  size: number,
): number[] {
  return backgroundRates.map((backgroundRate, term) => {
    const known = BACKGROUND_PASSAGES * backgroundRate + (holders[term] ?? 0)
    const rest = size + BACKGROUND_PASSAGES - known
    return Math.log(1 + (rest + 0.5) / (known + 0.5))
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

const sum = (values: ArrayLike<number>): number => {
  let total = 0
  for (let at = 0; at < values.length; at++) total += values[at] ?? 0
  return total
}

const added = (left: Float32Array, right: Float32Array): Float32Array =>
  left.map((value, at) => value + (right[at] ?? 0))

/** Everything that weighs the query's terms by `idf`. */
function weigh(idf: readonly number[], holders: Float32Array, found: Occurrences) {
  const { inText, inHeading, textLengths, headingLengths } = found
  const inFull = added(inText, inHeading)
  const answerable = idf.map((weight, term) => ((holders[term] ?? 0) > 0 ? weight : 0))
  return {
    bm25Text: bm25Of(idf, inText, textLengths),
    bm25Heading: bm25Of(idf, inHeading, headingLengths),
    bm25Full: bm25Of(idf, inFull, added(textLengths, headingLengths)),
    coverText: coverOf(answerable, inText, textLengths.length),
    coverHeading: coverOf(answerable, inHeading, textLengths.length),
    coverFull: coverOf(answerable, inFull, textLengths.length),
    adjacency: adjacencyOf(idf, found),
    answerable: sum(idf) > 0 ? sum(answerable) / sum(idf) : 0,
  }
}

function bm25Of(idf: readonly number[], counts: Float32Array, lengths: Float32Array): Float64Array {
  const total = sum(idf)
  const mean = Math.max(1, sum(lengths) / lengths.length)
  return Float64Array.from(lengths, (length, passage) => {
    const penalty = K1 * (1 - B + (B * length) / mean)
    let score = 0
    for (let term = 0; term < idf.length; term++) {
      const count = counts[passage * idf.length + term] ?? 0
      if (count > 0) score += ((idf[term] ?? 0) * count) / (count + penalty)
    }
    return total > 0 ? score / total : 0
  })
}

/** Share of the weights whose terms stand in each passage at all. */
function coverOf(weights: readonly number[], counts: Float32Array, size: number): Float64Array {
  const total = sum(weights)
  return Float64Array.from({ length: size }, (_, passage) => {
    let covered = 0
    for (let term = 0; term < weights.length; term++)
      if ((counts[passage * weights.length + term] ?? 0) > 0) covered += weights[term] ?? 0
    return total > 0 ? covered / total : 0
  })
}

function adjacencyOf(idf: readonly number[], { neighbours, textLengths }: Occurrences): Float64Array {
  const pairs = idf.slice(1).map((value, term) => Math.min(value, idf[term] ?? 0))
  const total = sum(pairs)
  return Float64Array.from(textLengths, (_, passage) => {
    let adjacent = 0
    for (let pair = 0; pair < pairs.length; pair++)
      if (neighbours[passage * idf.length + pair] === 1) adjacent += pairs[pair] ?? 0
    return total > 0 ? adjacent / total : 0
  })
}
