// Orders texts of the caller's own: the same stages as a search, over a pool that nobody had to open a page for.
import { TimeLimitError } from '../../concurrency/deadline.ts'
import { QueueFullError } from '../../concurrency/worker-pool.ts'
import { overloaded } from '../../errors.ts'
import { PageError } from '../../pages/capture.ts'
import type { ScoreAnswer, ScoredPassage, Scorer } from '../../score/scorer.ts'
import { chooseLanguage } from '../query-language.ts'
import { roundScore } from '../rank.ts'
import type { SearchOptions } from '../search-context.ts'

/** Longer documents are cut: beyond the length of a passage the scores mean less, and models read no further. */
const WHOLE_CHARACTERS = 1_000
/** Of all documents together; what is left of the longest ones is not read. */
const PIECES_MAX = 4_000
/** Of one document. */
const PIECES_PER_DOCUMENT = 200
/** How many pieces the embedding model reads, the most promising first. */
const CANDIDATES = 64
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
 * their order. It rejects with `ApiError` overloaded (429) when a queue is full, with the abort reason when `signal`
 * aborts.
 */
export function createRerank({ score, cutTexts }: RerankParts) {
  return async function rerank(
    { query, documents }: { query: string; documents: readonly string[] },
    { arrivedAtMs, patienceMs = RERANK_DEADLINE_MS }: Pick<SearchOptions, 'arrivedAtMs' | 'patienceMs'>,
    signal: AbortSignal,
  ): Promise<RerankOutcome> {
    const deadlineMs = arrivedAtMs + Math.min(patienceMs, RERANK_DEADLINE_MS)
    // In an order of their own, each once: wherever stages break ties by place, the caller's order plays no part.
    const texts = [...new Set(documents)].toSorted()
    const places = new Map(texts.map((text, place) => [text, place]))
    const pieces = await cutLong(texts, deadlineMs, signal)
    const answer = await scorePieces(query, pieces, deadlineMs, signal)
    const best = bestByDocument(pieces, answer)
    const ranked = documents
      .map((text, index) => ({ index, relevance: roundScore(best[places.get(text) ?? 0] ?? 0) }))
      .toSorted((left, right) => right.relevance - left.relevance || left.index - right.index)
    return { ranked, warning: answer.warning }
  }

  async function cutLong(texts: readonly string[], deadlineMs: number, signal: AbortSignal) {
    const long = texts.filter(isLong)
    const cut = long.length === 0 ? [] : await cutOrRefuse(long, deadlineMs, signal)
    const cutOf = new Map(long.map((text, index) => [text, cut[index] ?? []]))
    return texts.flatMap((text, document) =>
      (cutOf.get(text) ?? [text]).map((piece) => ({ document, piece })),
    )
  }

  async function cutOrRefuse(texts: readonly string[], deadlineMs: number, signal: AbortSignal) {
    try {
      return await cutTexts(texts, PIECES_PER_DOCUMENT, deadlineMs, signal)
    } catch (error) {
      throw error instanceof PageError || error instanceof TimeLimitError ? overloaded() : error
    }
  }

  async function scorePieces(
    query: string,
    pieces: readonly { document: number; piece: string }[],
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<ScoreAnswer> {
    const passages = pieces.slice(0, PIECES_MAX).map(({ document, piece }): ScoredPassage => ({
      text: piece,
      title: '',
      headings: [],
      contentWeight: 1,
      place: 0,
      page: document,
    }))
    const { language } = chooseLanguage({ query, language: 'en', isLanguageGiven: false })
    const limits = { tier: 'balanced', language, candidates: CANDIDATES, reranked: 0, deadlineMs } as const
    try {
      return await score(query, passages, limits, signal)
    } catch (error) {
      throw error instanceof QueueFullError ? overloaded() : error
    }
  }
}

const isLong = (text: string): boolean => text.length > WHOLE_CHARACTERS

/** A document is worth what its best piece is. */
function bestByDocument(
  pieces: readonly { document: number }[],
  { relevance }: Pick<ScoreAnswer, 'relevance'>,
): number[] {
  const best: number[] = []
  for (const [row, { document }] of pieces.entries())
    best[document] = Math.max(best[document] ?? 0, relevance[row] ?? 0)
  return best
}
