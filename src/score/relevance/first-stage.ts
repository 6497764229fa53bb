// The first look at every passage of every page: BM25, token MaxSim and cosine of the bundled model, made one
// probability.
import { type Calibration, type FeatureName, type Features, logitOf, sigmoid } from './calibration.ts'
import { createLexical, type LexicalScores, type ScoredText } from '../lexical/bm25.ts'
import type { StaticModel, StaticSimilarities } from '../static/static-model.ts'
import { rememberByText } from '../lexical/text-cache.ts'
import type { WordPiece } from '../models/word-piece.ts'

/** Name of the first stage's map in models/calibration.json. */
export const FIRST_STAGE_MODEL = 'bundled'
/** What its map weighs. */
export const FIRST_STAGE_FEATURES: readonly FeatureName[] = [
  'cosine',
  'maxSim',
  'information',
  'adjacency',
  'queryInformation',
  'poolBm25',
  'poolMaxSim',
]
/** What the bundled model reads of a query and of a passage, in WordPiece tokens. */
const QUERY_TOKENS_MAX = 128
const PASSAGE_TOKENS_MAX = 512

export interface FirstStageScores {
  /** What the map weighed, one record a passage. */
  features: readonly Features[]
  /** Log odds of relevance: the feature `firstStage` of the maps that come after. */
  logit: Float64Array
  /** Calibrated probability of relevance, 0..1. */
  relevance: Float64Array
}

export type FirstStage = ReturnType<typeof createFirstStage>

/**
 * Makes the first stage from the bundled model's table, its tokenizer and the calibration. Keeps memories of words
 * and stems that grow to about 40 MB, so make one per thread and keep it.
 */
export function createFirstStage(options: {
  model: StaticModel
  wordPiece: WordPiece
  calibration: Calibration
  /** For what was derived from passages seen before; 0 derives it anew. */
  memoryBytes?: number
}) {
  const { model, wordPiece, memoryBytes = 0 } = options
  const map = options.calibration.mapOf(FIRST_STAGE_MODEL)
  const maxBytes = memoryBytes / 2
  const lexical = createLexical(createBackgroundRate(model.norms, wordPiece), { memoryBytes: maxBytes })
  const read = rememberByText((text) => model.read(wordPiece.tokens(text, PASSAGE_TOKENS_MAX)), {
    maxBytes,
    bytesOf: ({ tokens, mean }) => tokens.byteLength + mean.byteLength,
  })

  return {
    /**
     * Scores all passages of one query together, as BM25 needs: pass the passages of all pages in one call. Pure
     * and synchronous; the order of the passages plays no part.
     */
    score(query: string, passages: readonly ScoredText[]): FirstStageScores {
      const lexicalScores = lexical.score(query, passages)
      const queryText = model.read(wordPiece.tokens(query, QUERY_TOKENS_MAX))
      const texts = passages.map(({ text }) => read(text))
      const features = featuresOf(lexicalScores, model.compare(queryText, texts))
      const logit = Float64Array.from(features, (record) => logitOf(map, record))
      return { features, logit, relevance: logit.map(sigmoid) }
    },
  }
}

/** The features of every passage; those of the query and of the pool are the same for all. */
function featuresOf(
  { bm25, adjacency, queryInformation: nats }: LexicalScores,
  { cosine, maxSim }: StaticSimilarities,
): Features[] {
  const queryInformation = Math.log1p(nats)
  const poolBm25 = Math.min(NOISE_BM25_MAX, noiseLevel(bm25, NOISE_BM25))
  const poolMaxSim = noiseLevel(maxSim, NOISE_MAX_SIM)
  return Array.from(bm25, (share, index) => ({
    cosine: cosine[index] ?? 0,
    maxSim: maxSim[index] ?? 0,
    information: share * queryInformation,
    adjacency: adjacency[index] ?? 0,
    queryInformation,
    poolBm25,
    poolMaxSim,
  }))
}

/** So many imagined passages of an ordinary pool join it, so that a few passages do not make a noise level. */
const NOISE_PASSAGES = 10
/** Their BM25 and MaxSim: the medians over the pools of the labelled sets. */
const NOISE_BM25 = 0.025
const NOISE_MAX_SIM = 0.37
/** A page that is all about the query has a high median too: beyond this it is a good page, not a noisy query. */
const NOISE_BM25_MAX = 0.1

/**
 * What passages reach without being relevant, from the pool's median. It is high for long queries of common words
 * (Vietnamese syllables, chatty questions) and low for rare ones, and makes scores comparable between queries.
 */
function noiseLevel(values: Float64Array, usual: number): number {
  const median = values.toSorted()[Math.floor((values.length - 1) / 2)] ?? 0
  return (values.length * median + NOISE_PASSAGES * usual) / (values.length + NOISE_PASSAGES)
}

/** Words of a passage of ordinary length, for turning a word's frequency into the share of passages that hold it. */
const BACKGROUND_PASSAGE_WORDS = 100
/** Of smooth inverse frequency, w = a / (a + p): the weights the table was trained from (Arora et al., ICLR 2017). */
const SMOOTHING = 1e-3
/** Rows longer than this share of all rows belong to words so rare that their frequency is 0. */
const RARE_QUANTILE = 0.95

/**
 * How common a word is beyond the pool, read from the length of its row in the table: training shortens the rows of
 * words that say little. Words of several pieces are unknown to it.
 */
function createBackgroundRate(norms: Float32Array, wordPiece: WordPiece) {
  const rarest = norms.toSorted()[Math.floor(RARE_QUANTILE * (norms.length - 1))] ?? 1
  return (word: string): number | undefined => {
    const [token, ...rest] = wordPiece.tokens(word, 2)
    if (token === undefined || rest.length > 0 || token === wordPiece.unknownId) return undefined
    const weight = Math.min(1, Math.max((norms[token] ?? 0) / rarest, SMOOTHING))
    const frequency = Math.min(1, SMOOTHING * (1 / weight - 1))
    return 1 - Math.exp(-BACKGROUND_PASSAGE_WORDS * frequency)
  }
}
