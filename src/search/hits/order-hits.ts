// Which pages to open when the engine found more than will be: its order is a prior, title and excerpt are the evidence.
import type { SearchHit } from '../../providers/provider.ts'
import { QueueFullError } from '../../concurrency/worker-pool.ts'
import { logOddsOf } from '../../score/relevance/calibration.ts'
import type { ScoreAnswer } from '../../score/scorer.ts'
import type { SearchContext } from '../search-context.ts'
import { type HitWindow, knownTogether, pagesToOpen } from './hit-window.ts'

/** Beyond these a hit is opened only when those before it fail. */
const JUDGED_MAX = 30
/**
 * Log odds that a hit loses from the first place to one e times as far down: the fifth begins .5 behind, the twentieth
 * .9. A good engine's first pages are passed over only for one whose words answer far better.
 */
const PLACE_WEIGHT = 0.3
/** Of a page whose title and excerpt say nothing, which is no sign that the page does not. */
const RELEVANCE_MIN = 0.005
/** Thirty titles with excerpts take a tenth of it. */
const LIMIT_MS = 600

/** The asked page's share of the window's hits, in the order they are worth opening in. Rejects as `orderHits` does. */
export async function chooseHits(
  context: SearchContext,
  hits: readonly SearchHit[],
  window: HitWindow,
): Promise<SearchHit[]> {
  const ordered: SearchHit[] = []
  for (const part of knownTogether(hits, window, context.request.num_results)) {
    const isOnPage = ordered.length < window.to && ordered.length + part.length > window.from
    ordered.push(...(isOnPage ? await orderHits(context, part, pagesToOpen(context)) : part))
  }
  return ordered.slice(window.from, window.to)
}

/**
 * The hits in the order they are worth opening in; as they came when no more than `pageCount` are there, or when there
 * is no time to judge them. A later page of results keeps the order of the one before it. Never rejects, unless the search
 * is aborted.
 */
export async function orderHits(
  context: SearchContext,
  hits: readonly SearchHit[],
  pageCount: number,
): Promise<SearchHit[]> {
  if (hits.length <= pageCount) return [...hits]
  const { request, orders } = context
  const known = (request.page ?? 1) > 1 ? orders.find(request, hits) : null
  if (known !== null) return known
  const ordered = await byRelevance(context, hits)
  orders.keep(request, hits, ordered)
  return ordered
}

async function byRelevance(context: SearchContext, hits: readonly SearchHit[]): Promise<SearchHit[]> {
  const judged = hits.slice(0, JUDGED_MAX)
  try {
    const relevance = await context.timer.time('choose', () => judge(context, judged))
    return [...byWorth(judged, relevance), ...hits.slice(JUDGED_MAX)]
  } catch (error) {
    if (error instanceof QueueFullError) return [...hits]
    throw error
  }
}

/**
 * The probability that the page answers, as far as title and excerpt tell. When the time ended while a model read, what the
 * first stage says of all of them: what the model said of some and the stage before of others are not to be compared, and
 * the same question would open other pages each time.
 */
async function judge(context: SearchContext, hits: readonly SearchHit[]): Promise<ArrayLike<number>> {
  const { relevance, scoredBy, warning } = await score(context, hits, JUDGED_MAX)
  if (warning === null || !scoredBy.includes('model')) return relevance
  const first = await score(context, hits, 0)
  return first.relevance
}

/** Lets a model read so many of the hits, the likeliest. */
async function score(
  { request, budget, parts, signal }: SearchContext,
  hits: readonly SearchHit[],
  candidates: number,
): Promise<ScoreAnswer> {
  const passages = hits.map(({ title, excerpt }, page) => ({
    // A hit without an excerpt is judged by its title alone.
    text: excerpt ?? title,
    title,
    headings: [],
    contentWeight: 1,
    place: 0,
    page,
  }))
  const limits = {
    tier: request.search_depth,
    language: request.language,
    candidates,
    reranked: 0,
    deadlineMs: Date.now() + Math.min(LIMIT_MS, budget.scoringReserveMs),
  }
  return parts.score(request.query, passages, limits, signal)
}

function byWorth(hits: readonly SearchHit[], relevance: ArrayLike<number>): SearchHit[] {
  const worth = (index: number): number =>
    logOddsOf(relevance[index] ?? 0, RELEVANCE_MIN) - PLACE_WEIGHT * Math.log(1 + index)
  return hits
    .map((hit, index) => ({ hit, worth: worth(index) }))
    .toSorted((left, right) => right.worth - left.worth)
    .map(({ hit }) => hit)
}
