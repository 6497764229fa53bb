// The dates of a result: what the page says of itself, and where site, search engine and page contradict each other.
import type { DateSource, FoundDate, OtherDate } from '../../extract/document.ts'
import type { GatheredPage } from '../gather-page.ts'

/**
 * What the page says of its last change; else what the sitemap of its site does, which is believed before the server's
 * `Last-Modified`, and not when the page was published later.
 */
export function lastUpdatedOf({ hit, page }: GatheredPage): FoundDate | null {
  const own = page?.lastUpdated ?? null
  const { sitemapDate = null } = hit
  if (sitemapDate === null || page === null || (own !== null && own.source !== 'header')) return own
  const isAfter = sitemapDate.slice(0, 10) >= (page.publishDate?.iso ?? '').slice(0, 10)
  return isAfter ? { iso: sitemapDate, source: 'sitemap' } : own
}

interface ExplainedDate {
  /** ISO 8601. */
  date: string
  says: OtherDate['says']
  source: DateSource | 'search_engine'
  reason: OtherDate['reason']
}

/** A day more or less is a matter of zones. */
const SAME_MS = 1.5 * 86_400_000

const areFar = (left: string, right: string): boolean =>
  Math.abs(Date.parse(left.slice(0, 10)) - Date.parse(right.slice(0, 10))) > SAME_MS

/** Dates that are not shown because others are believed before them, each with where it stands and why it gave way. */
export function otherDatesOf(gathered: GatheredPage): ExplainedDate[] {
  const { hit, page } = gathered
  const told = (page?.otherDates ?? []).map(({ iso, says, source, reason }) => ({
    date: iso,
    says,
    source,
    reason,
  }))
  const [published, updated] = [page?.publishDate?.iso, lastUpdatedOf(gathered)?.iso]
  const further: ExplainedDate[] = []
  const add = (
    date: string | null | undefined,
    says: ExplainedDate['says'],
    source: ExplainedDate['source'],
  ) => {
    const shown = says === 'published' ? published : updated
    if (typeof date === 'string' && shown !== undefined && areFar(date, shown))
      further.push({ date, says, source, reason: 'less_trusted' })
  }
  add(hit.publishedAt, 'published', 'search_engine')
  add(hit.sitemapDate, 'updated', 'sitemap')
  return [...told, ...further]
}
