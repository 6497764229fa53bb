// Which of the engine's hits a page of results is chosen from.
import type { SearchRequest } from '../../contract.ts'
import type { SearchHit } from '../../providers/provider.ts'
import type { SearchContext } from '../search-context.ts'

/** Hits that are ordered together at the least: what most engines give for one request, so that none goes unlooked at. */
const TOGETHER_MIN = 20
/** The most that one page of results is chosen from. */
const SHARE_MAX = 30

export interface HitWindow {
  /** Hits that belong to earlier pages, whichever of them were opened. */
  skipped: number
  /** How many hits after those are put in order together. */
  together: number
  /** The page's share of that order, as for `slice`. */
  from: number
  to: number
}

export const pagesToOpen = ({ request, budget }: Pick<SearchContext, 'request' | 'budget'>): number =>
  Math.ceil(request.num_results * budget.pagesPerResult)

/**
 * A page has twice as many hits to choose from as it opens, three times where a filter will cost some. Several pages'
 * hits are put in order together, so that the first page gets the best of them and no hit is on two pages.
 */
export function hitWindow({ request, budget }: Pick<SearchContext, 'request' | 'budget'>): HitWindow {
  const { page = 1 } = request
  const share = Math.min(SHARE_MAX, pagesToOpen({ request, budget }) * (isFiltered(request) ? 3 : 2))
  const pagesTogether = Math.ceil(TOGETHER_MIN / share)
  const together = share * pagesTogether
  const from = ((page - 1) % pagesTogether) * share
  return { skipped: Math.floor((page - 1) / pagesTogether) * together, together, from, to: from + share }
}

/**
 * The window's hits in parts, each of what a page of results finds that the pages before it did not: every page asks the
 * engine only for as much as it needs. Whoever puts each part in order alone gets the same order for every page.
 */
export function knownTogether(
  hits: readonly SearchHit[],
  { from, to }: HitWindow,
  resultCount: number,
): SearchHit[][] {
  const parts: SearchHit[][] = []
  let start = 0
  for (let needed = resultCount; start < hits.length; needed += to - from) {
    const last = hits[needed - 1]
    const end = hits.findLastIndex((hit) => last === undefined || requestOf(hit) === requestOf(last)) + 1
    if (end > start) parts.push(hits.slice(start, end))
    start = Math.max(start, end)
  }
  return parts
}

const requestOf = ({ requestsBefore = 0 }: SearchHit): number => requestsBefore

const isFiltered = (request: SearchRequest): boolean =>
  [request.recency, request.start_date, request.end_date].some((asked) => typeof asked === 'string') ||
  request.include_domains.length + request.exclude_domains.length > 0
