// What `search_depth` means: one table from depth to budgets.
import type { SearchDepth } from '../contract.ts'

export interface DepthBudget {
  /** Milliseconds from the request's arrival to its answer, whatever happens. */
  deadlineMs: number
  /** Longest time the search engines may take together. */
  providerBudgetMs: number
  /** The end of the deadline that page loading may not touch: it belongs to reading and scoring. */
  scoringReserveMs: number
  /** Longest time one page may take before its result becomes a warning. */
  pageBudgetMs: number
  /** Pages opened for each result asked for; the best `num_results` are returned. */
  pagesPerResult: number
  /** `auto` opens Chromium only where the plain HTML is thin or slow; `browser` opens every page in it. */
  rendering: 'auto' | 'browser'
  /** Scroll to the end, so that lazily loaded text is read too. */
  scroll: boolean
  /** Overlapping windows of sentences, so that no answer is cut in two. */
  overlap: boolean
  /** Most passages of one page that are scored at all; the rest of a longer page is left out, with a warning. */
  passagesPerPage: number
  /** Most passages that the embedding model reads after the first stage, and the re-ranker after it; less likely ones are not read. */
  candidates: number
  reranked: number
  /** Least calibrated relevance of a snippet that is returned. */
  threshold: number
}

export const DEPTHS: Readonly<Record<SearchDepth, DepthBudget>> = {
  precise: {
    deadlineMs: 4_000,
    providerBudgetMs: 2_000,
    scoringReserveMs: 1_000,
    pageBudgetMs: 2_500,
    pagesPerResult: 1,
    rendering: 'auto',
    scroll: false,
    overlap: false,
    passagesPerPage: 400,
    candidates: 48,
    reranked: 24,
    threshold: 0.6,
  },
  balanced: {
    deadlineMs: 8_000,
    providerBudgetMs: 3_500,
    scoringReserveMs: 1_700,
    pageBudgetMs: 5_000,
    pagesPerResult: 1,
    rendering: 'auto',
    scroll: false,
    overlap: false,
    passagesPerPage: 1_000,
    candidates: 64,
    reranked: 32,
    threshold: 0.02,
  },
  exhaustive: {
    deadlineMs: 15_000,
    providerBudgetMs: 6_000,
    scoringReserveMs: 3_000,
    pageBudgetMs: 9_000,
    pagesPerResult: 1.5,
    rendering: 'browser',
    scroll: true,
    overlap: true,
    passagesPerPage: 3_000,
    candidates: 128,
    reranked: 48,
    threshold: 0.01,
  },
}

/**
 * The budget of a depth for a caller who waits only so long: every time shrinks alike, so that each step keeps its
 * share. `patienceMs` counts from the request's arrival; null for one who waits as long as the depth takes.
 */
export function budgetWithin(depth: SearchDepth, patienceMs: number | null): DepthBudget {
  const budget = DEPTHS[depth]
  if (patienceMs === null || patienceMs >= budget.deadlineMs) return budget
  const share = patienceMs / budget.deadlineMs
  return {
    ...budget,
    deadlineMs: Math.round(patienceMs),
    providerBudgetMs: Math.round(budget.providerBudgetMs * share),
    scoringReserveMs: Math.round(budget.scoringReserveMs * share),
    pageBudgetMs: Math.round(budget.pageBudgetMs * share),
  }
}
