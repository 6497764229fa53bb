// The passages of a question's pages as a balanced search has them once they are scored.
import type { PoolPassage, Question } from '../../models/relevance/questions.ts'
import type { Scorer } from '../../src/score/scorer.ts'
import { DEPTHS } from '../../src/search/depth.ts'
import { joinNeighbours } from '../../src/search/snippets/join-neighbours.ts'
import type { ScoredPart, ScoredPassage } from '../../src/search/rank.ts'

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
  for (const [at, { pageText, page, start, end, text, headings, parts = [] }] of pool.entries()) {
    const known = answer.partRelevance.get(at)
    const { passages } = (pages[page] ??= { text: pageText, passages: [] })
    const [relevance = 0, scoredBy = 'first'] = [answer.relevance[at], answer.scoredBy[at]]
    const told = known === undefined ? null : partsOf(parts, known)
    const opensSection = (parts[0]?.start ?? 0) > 0
    passages.push({ start, end, text, headings, opensSection, relevance, scoredBy, parts: told })
  }
  return Array.from(pages, (page) =>
    page === undefined ? [] : joinNeighbours(page.passages, { text: page.text, threshold }),
  )
}

const partsOf = (parts: NonNullable<PoolPassage['parts']>, relevance: Float64Array): ScoredPart[] =>
  parts.map(({ start, end }, at) => ({ start, end, relevance: relevance[at] ?? 0 }))
