// The passages of a question's pages as a balanced search has them once they are scored.
import type { PoolPassage, Question } from '../../models/relevance/questions.ts'
import type { Scorer } from '../../src/score/scorer.ts'
import { DEPTHS } from '../../src/search/depth.ts'
import { joinNeighbours } from '../../src/search/snippets/join-neighbours.ts'
import type { ScoredPassage } from '../../src/search/rank.ts'
import { likeliestElsewhere, scoredPassage } from '../../src/search/score-pages.ts'

/** The evaluation waits for every passage. */
const PATIENCE_MS = 600_000

/**
 * Page by page, likeliest first, with neighbours joined, at or above `threshold`. `highlighted` of the best are told part
 * by part.
 */
export async function scorePagesOf(
  scorer: Scorer,
  { query, lang }: Pick<Question, 'query' | 'lang'>,
  pool: readonly PoolPassage[],
  { threshold, highlighted = 0 }: { threshold: number; highlighted?: number },
): Promise<ScoredPassage[][]> {
  const { candidates, reranked } = DEPTHS.balanced
  const deadlineMs = Date.now() + PATIENCE_MS
  const answer = await scorer.score(
    query,
    pool,
    { tier: 'balanced', language: lang, candidates, reranked, highlighted, deadlineMs },
    AbortSignal.timeout(PATIENCE_MS),
  )
  const pages: { text: string; passages: ScoredPassage[] }[] = []
  for (const [at, passage] of pool.entries()) {
    const { passages } = (pages[passage.page] ??= { text: passage.pageText, passages: [] })
    passages.push(scoredPassage(passage, answer, at))
  }
  const elsewhere = likeliestElsewhere(new Map(pages.flatMap((page, at) => [[at, page.passages] as const])))
  return Array.from(pages, (page, at) =>
    page === undefined
      ? []
      : joinNeighbours(page.passages, {
          text: page.text,
          threshold,
          likeliestElsewhere: elsewhere.get(at) ?? 0,
        }),
  )
}
