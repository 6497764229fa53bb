// Orders texts of the caller's own: the same stages as a search, over a pool that nobody had to open a page for.
import { TimeLimitError } from '../../concurrency/deadline.ts'
import { NOTHING_TO_READ } from '../../contract/fields.ts'
import { QueueFullError } from '../../concurrency/worker-pool.ts'
import { overloaded } from '../../errors.ts'
import { PageError } from '../../pages/capture.ts'
import type { ScoreAnswer, ScoredPassage, Scorer } from '../../score/scorer.ts'
import { logOddsOf } from '../../score/relevance/calibration.ts'
import { DEPTHS } from '../depth.ts'
import { chooseLanguage } from '../query-language.ts'
import { roundScore } from '../rank.ts'
import type { SearchOptions } from '../search-context.ts'

/** Longer documents are cut: beyond the length of a passage the scores mean less, and models read no further. */
const WHOLE_CHARACTERS = 1_000
/** Of all documents together; of the longest ones the rest is not read. */
const PIECES_MAX = 4_000
/** Of one document. */
const PIECES_PER_DOCUMENT = 200
/** Of the time that is left, what cutting the long ones may take. */
const CUTTING_SHARE = 1 / 2
/** Clients that send hundreds of texts give up after ten seconds (LibreChat). */
export const RERANK_DEADLINE_MS = 8_000

/** Cuts plain texts into passages, off the serving thread. */
export type CutTexts = (
  texts: readonly string[],
  limit: number,
  deadlineMs: number,
  signal: AbortSignal,
) => Promise<string[][]>

export interface RerankParts {
  score: Scorer['score']
  cutTexts: CutTexts
}

export interface RankedDocument {
  /** Place in the request. */
  index: number
  /** Calibrated, 0..1. */
  relevance: number
  /** Of the relevance before it was rounded; finite. */
  logOdds: number
}

export interface RerankOutcome {
  /** Every document, the best first; equal ones in the order of the request. */
  ranked: RankedDocument[]
  /** A sentence for the caller when the scores are rougher than usual. */
  warning: string | null
}

export type Rerank = ReturnType<typeof createRerank>

/**
 * Makes the function that scores documents. A document's score depends on the query and the set of documents, never on
 * their order; one with nothing to read in it has 0. It rejects with `ApiError` overloaded (429) when a queue is full, with
 * the abort reason when `signal` aborts.
 */
export function createRerank({ score, cutTexts }: RerankParts) {
  return async function rerank(
    { query, documents }: { query: string; documents: readonly string[] },
    { arrivedAtMs, patienceMs = RERANK_DEADLINE_MS }: Pick<SearchOptions, 'arrivedAtMs' | 'patienceMs'>,
    signal: AbortSignal,
  ): Promise<RerankOutcome> {
    const deadlineMs = arrivedAtMs + Math.min(patienceMs, RERANK_DEADLINE_MS)
    // In an order of their own, each once: wherever stages break ties by place, the caller's order plays no part.
    const texts = [...new Set(documents)].filter((text) => !NOTHING_TO_READ.test(text)).toSorted()
    const { pieces, isWhole } = chooseToRead(texts, await cutLong(texts, deadlineMs, signal))
    const answer = await scorePieces(query, pieces, deadlineMs, signal)
    const best = bestByDocument(pieces, answer)
    const relevanceOf = new Map(texts.map((text, place) => [text, best[place]]))
    const ranked = documents
      .map((text, index) => rankedAt(index, relevanceOf.get(text) ?? 0))
      .toSorted((left, right) => right.logOdds - left.logOdds || left.index - right.index)
    return { ranked, warning: answer.warning ?? (isWhole ? null : NOT_WHOLE) }
  }

  /** Passages of the long documents; none where cutting them takes too long. */
  async function cutLong(
    texts: readonly string[],
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const long = texts.filter(isLong)
    if (long.length === 0) return new Map()
    const now = Date.now()
    const untilMs = now + (deadlineMs - now) * CUTTING_SHARE
    try {
      const cut = await cutTexts(long, PIECES_PER_DOCUMENT + 1, untilMs, signal)
      return new Map(long.map((text, index) => [text, cut[index] ?? []]))
    } catch (error) {
      if (error instanceof TimeLimitError) return new Map()
      throw error instanceof PageError ? overloaded() : error
    }
  }

  async function scorePieces(
    query: string,
    pieces: readonly Piece[],
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<ScoreAnswer> {
    const passages = pieces.map(({ document, piece }): ScoredPassage => ({
      text: piece,
      title: '',
      headings: [],
      contentWeight: 1,
      place: 0,
      page: document,
    }))
    const { language } = chooseLanguage({ query, language: 'en', isLanguageGiven: false })
    const { candidates, reranked } = DEPTHS.balanced
    const limits = { candidates, reranked, areTexts: true, deadlineMs }
    try {
      return await score(query, passages, { tier: 'balanced', language, ...limits }, signal)
    } catch (error) {
      throw error instanceof QueueFullError ? overloaded() : error
    }
  }
}

/** A document, or a passage of a long one. */
interface Piece {
  document: number
  piece: string
  /** Its place in the document, from 0. */
  turn: number
}

const NOT_WHOLE =
  'Some documents are longer than what is read of them; their scores are those of their beginnings.'

/**
 * As many beginnings of documents as can be read: the first passages of all come before the second of any. `cut`: the
 * passages of long documents; of one that is not there the first characters are read.
 */
function chooseToRead(
  texts: readonly string[],
  cut: ReadonlyMap<string, readonly string[]>,
): { pieces: readonly Piece[]; isWhole: boolean } {
  const pieces = texts.flatMap((text, document) =>
    (cut.get(text) ?? [text.slice(0, WHOLE_CHARACTERS)])
      .slice(0, PIECES_PER_DOCUMENT)
      .map((piece, turn) => ({ document, piece, turn })),
  )
  const chosen = pieces.toSorted((left, right) => left.turn - right.turn).slice(0, PIECES_MAX)
  const isKnown = (text: string): boolean =>
    !isLong(text) || (cut.get(text)?.length ?? Number.POSITIVE_INFINITY) <= PIECES_PER_DOCUMENT
  return { pieces: chosen, isWhole: chosen.length === pieces.length && texts.every(isKnown) }
}

const rankedAt = (index: number, relevance: number): RankedDocument => ({
  index,
  relevance: roundScore(relevance),
  logOdds: logOddsOf(relevance),
})

const isLong = (text: string): boolean => text.length > WHOLE_CHARACTERS

/** A document is worth what its best piece is. */
function bestByDocument(pieces: readonly Piece[], { relevance }: Pick<ScoreAnswer, 'relevance'>): number[] {
  const best: number[] = []
  for (const [row, { document }] of pieces.entries())
    best[document] = Math.max(best[document] ?? 0, relevance[row] ?? 0)
  return best
}
