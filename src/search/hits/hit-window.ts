// Which of the engine's hits a page of results is chosen from.
import type { SearchRequest } from '../../contract.ts'
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

const isFiltered = (request: SearchRequest): boolean =>
  [request.recency, request.start_date, request.end_date].some((asked) => typeof asked === 'string') ||
  request.include_domains.length + request.exclude_domains.length > 0
