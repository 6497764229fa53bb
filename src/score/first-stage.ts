// The first look at every passage of every page: BM25, token MaxSim and cosine of the bundled model, made one
// probability. Apart from the transformers after it, because it is synchronous, needs no session and never fails.
import { type Calibration, type FeatureName, logitOf, sigmoid } from './calibration.ts'
import { createLexical, type ScoredText } from './lexical.ts'
import { createStaticQuery, type StaticTable } from './static-model.ts'
import type { WordPiece } from './word-piece.ts'

/** Name of the first stage's map in models/calibration.json. */
export const FIRST_STAGE_MODEL = 'bundled'
/** What its map weighs. */
export const FIRST_STAGE_FEATURES: readonly FeatureName[] = [
  'cosine',
  'maxSim',
  'bm25',
  'adjacency',
  'poolBm25',
  'poolMaxSim',
]
/** What the bundled model reads of a query and of a passage, in WordPiece tokens. */
const QUERY_TOKENS_MAX = 128
const PASSAGE_TOKENS_MAX = 512

export interface FirstStageScores {
  /** Cosine of the bundled model's mean vectors, -1..1. */
  cosine: Float64Array
  /** Weighted best token similarity, 0..1. */
  maxSim: Float64Array
  /** BM25 over the most the query could reach, 0..1. */
  bm25: Float64Array
  /** Share of the query's word pairs found side by side, 0..1. */
  adjacency: Float64Array
  /** BM25 of the pool's median passage, eased and capped: one number for the whole pool, 0..0.1. */
  poolBm25: number
  /** MaxSim of the pool's median passage, eased, 0..1. */
  poolMaxSim: number
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
  table: StaticTable
  wordPiece: WordPiece
  calibration: Calibration
}) {
  const { table, wordPiece } = options
  const map = options.calibration.mapOf(FIRST_STAGE_MODEL)
  const lexical = createLexical(createBackgroundRate(table, wordPiece))

  return {
    /**
     * Scores all passages of one query together, as BM25 needs: pass the passages of all pages in one call. Pure
     * and synchronous; the order of the passages plays no part.
     */
    score(query: string, passages: readonly ScoredText[]): FirstStageScores {
      const { bm25, adjacency } = lexical.score(query, passages)
      const staticQuery = createStaticQuery(table, wordPiece.tokens(query, QUERY_TOKENS_MAX))
      const cosine = new Float64Array(passages.length)
      const maxSim = new Float64Array(passages.length)
      for (const [index, { text }] of passages.entries()) {
        const tokens = wordPiece.tokens(text, PASSAGE_TOKENS_MAX)
        cosine[index] = staticQuery.cosine(tokens)
        maxSim[index] = staticQuery.maxSim(tokens)
      }
      const poolBm25 = Math.min(NOISE_BM25_MAX, noiseLevel(bm25, NOISE_BM25))
      const poolMaxSim = noiseLevel(maxSim, NOISE_MAX_SIM)
      const logit = cosine.map((value, index) =>
        logitOf(map, {
          cosine: value,
          maxSim: maxSim[index] ?? 0,
          bm25: bm25[index] ?? 0,
          adjacency: adjacency[index] ?? 0,
          poolBm25,
          poolMaxSim,
        }),
      )
      const relevance = logit.map(sigmoid)
      return { cosine, maxSim, bm25, adjacency, poolBm25, poolMaxSim, logit, relevance }
    },
  }
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
function createBackgroundRate(table: StaticTable, wordPiece: WordPiece) {
  const rarest = table.norms.toSorted()[Math.floor(RARE_QUANTILE * (table.norms.length - 1))] ?? 1
  return (word: string): number | undefined => {
    const [token, ...rest] = wordPiece.tokens(word, 2)
    if (token === undefined || rest.length > 0 || token === wordPiece.unknownId) return undefined
    const weight = Math.min(1, Math.max((table.norms[token] ?? 0) / rarest, SMOOTHING))
    const frequency = Math.min(1, SMOOTHING * (1 / weight - 1))
    return 1 - Math.exp(-BACKGROUND_PASSAGE_WORDS * frequency)
  }
}
