// When a page was published and last updated: every date the page gives, weighed by how much it can be trusted.
import { gatherDates, type DateCandidate } from './date-evidence.ts'
import { type DateReading, daysApart, parseStamp } from './parse-date.ts'
import type { DateSource, FoundDate, OtherDate, PageText } from '../document.ts'
import { SHOWN_TRUST } from './bylines.ts'
import type { HtmlRuns } from '../html/collector/collector.ts'
import { otherDates } from './other-dates.ts'
import type { PageOrigin } from '../page-input.ts'

export interface PageDates {
  published: FoundDate | null
  updated: FoundDate | null
}

export interface ChosenDates extends PageDates {
  /** Further ones that the page gives; none where all agree. */
  others: OtherDate[]
}

/** Below these a candidate is a guess, and no date is the better answer. */
const LEAST_TRUST = { published: 1.9, updated: 3 } as const
/** From here on a date of modification is believed even against a later "publication" found in the text. */
const STRONG_TRUST = 8
const WEAK_TRUST = 7

/**
 * The dates of an HTML page. `Last-Modified` counts only for `updated` and only when the page says nothing itself,
 * because most servers send the time of the request or of the last deployment.
 */
export function chooseHtmlDates(page: HtmlRuns, input: PageOrigin): ChosenDates {
  const reading: DateReading = {
    now: input.now,
    firstNumber: firstNumberIn(page.head.language(), input.url),
  }
  const candidates = gatherDates(page, input.url, reading)
  const published = mostTrusted(candidates, LEAST_TRUST.published, 'published', 'any')
  const updated = mostTrusted(candidates, LEAST_TRUST.updated, 'modified')
  const zoned = published === null ? null : asShown(inZoneOfSite(published, candidates), candidates)
  const settled = settle(zoned, updated)
  const others = otherDates(candidates, [settled.published, settled.updated], [zoned, updated])
  return {
    published: settled.published,
    updated: settled.updated ?? fromHeader(input, settled.published),
    others,
  }
}

function mostTrusted(candidates: readonly DateCandidate[], least: number, ...kinds: DateCandidate['kind'][]) {
  let best: DateCandidate | null = null
  for (const candidate of candidates) {
    if (kinds.includes(candidate.kind) && candidate.trust > (best?.trust ?? 0)) best = candidate
  }
  return best !== null && best.trust >= least ? best : null
}

/** A stamp that tells its zone is written in the site's own; +00:00 is what a server writes that knows none. */
const OWN_ZONE = /[+-](?!00:00)\d\d:\d\d$/

/** So is a path such as /2024/05/01/: it settles a difference of one day from a stamp that is not. */
function inZoneOfSite(published: DateCandidate, candidates: readonly DateCandidate[]): DateCandidate {
  const path = candidates.find(({ source, isPath }) => source === 'url' && isPath === true)
  if (path === undefined || path.date.day === published.date.day || OWN_ZONE.test(published.date.iso))
    return published
  return daysApart(path.date.day, published.date.day) <= 1 ? path : published
}

/** Told by machines in Greenwich's time so late in the day, a day may have been the next one where the site is. */
const LATE_IN_GREENWICH = /T2[23]:\d\d:\d\d(?:Z|\+00:00)$/
const FOR_MACHINES: ReadonlySet<DateSource> = new Set<DateSource>(['json-ld', 'meta'])

/**
 * What a page says to people counts against what it says to machines where that is the day before, by another zone, or
 * later by more than a day: it was published again.
 */
function asShown(published: DateCandidate, candidates: readonly DateCandidate[]): DateCandidate {
  if (!FOR_MACHINES.has(published.source)) return published
  const shown = mostTrusted(
    candidates.filter(({ source }) => source === 'byline'),
    SHOWN_TRUST,
    'published',
  )
  if (shown === null) return published
  const days = daysApart(shown.date.day, published.date.day)
  const isLater = shown.date.day > published.date.day
  const counts = isLater ? days === 1 && LATE_IN_GREENWICH.test(published.date.iso) : days > 1
  return counts ? shown : published
}

/** Nothing is updated before it is published: the less trusted of the two gives way. */
function settle(published: DateCandidate | null, updated: DateCandidate | null): PageDates {
  if (published === null || updated === null) {
    const only = published ?? updated
    return { published: found(only), updated: found(updated) }
  }
  if (updated.date.day >= published.date.day) return { published: found(published), updated: found(updated) }
  const isUpdateTrusted = updated.trust >= STRONG_TRUST && published.trust < WEAK_TRUST
  return isUpdateTrusted
    ? { published: found(updated), updated: found(updated) }
    : { published: found(published), updated: null }
}

const found = (candidate: DateCandidate | null): FoundDate | null =>
  candidate === null ? null : { iso: candidate.date.iso, source: candidate.source }

function fromHeader(input: PageOrigin, published: FoundDate | null): FoundDate | null {
  if (input.lastModified === null) return null
  const date = parseStamp(input.lastModified, { now: input.now, firstNumber: 'month' })
  if (date === null || (published !== null && date.day < published.iso.slice(0, 10))) return null
  return { iso: date.iso, source: 'header' }
}

/** The dates of a format that carries none itself: `Last-Modified` alone. */
export function datesFromHeader(input: PageOrigin): Pick<PageText, 'publishDate' | 'lastUpdated'> {
  return { publishDate: null, lastUpdated: fromHeader(input, null) }
}

const DAY_FIRST_ENGLISH = /^en[-_](?:gb|au|nz|ie|in|za)/i
const DAY_FIRST_HOST = /\.(?:uk|au|nz|ie|in|za|de|fr|it|es|eu)$/

/** Only American English writes the month first; a page without a language is judged by its host. */
function firstNumberIn(language: string, url: string): DateReading['firstNumber'] {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  if (/^(?:zh|ja|ko)/i.test(language)) return 'year'
  const isMonth =
    language === ''
      ? /\.(?:com|org|net|us|gov|edu)$/.test(host)
      : /^en/i.test(language) && !DAY_FIRST_ENGLISH.test(language) && !DAY_FIRST_HOST.test(host)
  return isMonth ? 'month' : 'day'
}
