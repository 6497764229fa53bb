// Which pages a caller asked for: domains, publish date, language.
import { RECENCIES, type Recency, type SearchRequest } from '../contract.ts'
import { isOnAskedDomains } from '../providers/hit-urls.ts'

/** `duplicate`: another hit led to the same page. */
export type DropReason = 'domain' | 'recency' | 'language' | 'duplicate' | 'copy'

/** What is known of a page when it is judged. Dates are ISO 8601; null means that the page does not tell. */
export interface PageFacts {
  url: string
  publishDate: string | null
  language: string | null
}

export interface FilterContext {
  now: Date
  /** True when the provider filtered by date itself, so that an undated page is taken at its word. */
  undatedIsRecent: boolean
}

const DAY_MS = 86_400_000
const WINDOW_DAYS: Readonly<Record<Recency, number>> = { day: 1, week: 7, month: 31, year: 366 }

/** A page stamped in another zone, or by a clock that runs ahead, may seem to come from tomorrow. */
const CLOCK_TOLERANCE_MS = DAY_MS

/** Codes that name one language: macro-language and member, or the code's old form (ISO 639, BCP 47 registry). */
const SAME_LANGUAGE: Readonly<Record<string, string>> = {
  nb: 'no',
  nn: 'no',
  iw: 'he',
  in: 'id',
  ji: 'yi',
  tl: 'fil',
  cmn: 'zh',
  yue: 'zh',
}

/** True when the URL is allowed by `include_domains` and not shut out by `exclude_domains`, which wins. */
export function passesDomains(
  url: string,
  request: Pick<SearchRequest, 'include_domains' | 'exclude_domains'>,
): boolean {
  const { include_domains: includeDomains, exclude_domains: excludeDomains } = request
  return isOnAskedDomains(url, { includeDomains, excludeDomains })
}

/** True when `isoDate` lies within the window that ends now. A bare date counts as its whole day, in any zone. */
export function isWithin(recency: Recency, isoDate: string, now: Date): boolean {
  const time = Date.parse(isoDate)
  if (Number.isNaN(time)) return false
  const isBareDate = !isoDate.includes('T')
  const oldest = now.getTime() - WINDOW_DAYS[recency] * DAY_MS - (isBareDate ? DAY_MS : 0)
  return time >= oldest && time <= now.getTime() + CLOCK_TOLERANCE_MS
}

/**
 * True when the day of `isoDate`, as it is written there, lies on one of the days or between them; null for no border.
 */
function isBetween(isoDate: string, start: string | null, end: string | null): boolean {
  const day = isoDate.slice(0, 10)
  return (start === null || day >= start) && (end === null || day <= end)
}

/** The shortest window that holds everything since `start` (YYYY-MM-DD), for engines that know windows alone. */
export function recencySince(start: string | null, now: Date): Recency | null {
  if (start === null) return null
  return RECENCIES.find((recency) => isWithin(recency, start, now)) ?? null
}

/** True when both tags name the same language: only the primary sub-tag counts ("en-GB" is "en"). */
export function isSameLanguage(left: string, right: string): boolean {
  return primaryLanguage(left) === primaryLanguage(right)
}

/**
 * Why the page must not be in the answer, or null when it may. A page that does not tell its language is kept; a page
 * that does not tell its date is kept only when the provider vouches for it.
 */
export function dropReason(
  facts: PageFacts,
  request: SearchRequest,
  context: FilterContext,
): DropReason | null {
  if (!passesDomains(facts.url, request)) return 'domain'
  if (request.recency !== null) {
    const recent =
      facts.publishDate === null
        ? context.undatedIsRecent
        : isWithin(request.recency, facts.publishDate, context.now)
    if (!recent) return 'recency'
  }
  if (!liesInDates(facts.publishDate, request)) return 'recency'
  if (facts.language !== null && !isSameLanguage(facts.language, request.language)) return 'language'
  return null
}

/** No engine vouches for days: a page that does not tell its own is not known to lie between them. */
function liesInDates(
  publishDate: string | null,
  { start_date: start = null, end_date: end = null }: SearchRequest,
): boolean {
  if (start === null && end === null) return true
  return publishDate !== null && isBetween(publishDate, start, end)
}

function primaryLanguage(tag: string): string {
  const primary = tag.toLowerCase().split(/[-_]/u)[0] ?? ''
  return SAME_LANGUAGE[primary] ?? primary
}
