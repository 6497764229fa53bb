// How numbers and moments are written on every page. All times are UTC and say so: the server does not know where
// its reader sits, and a page must read the same with and without scripts.

const COUNT = new Intl.NumberFormat('en')
const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** 12345 → "12,345". */
export const formatCount = (count: number): string => COUNT.format(count)

/** "12 (3.4 %)", "120 (34 %)"; "0" and "–" where there is nothing to divide. Only all of it is 100 %. */
export function formatShare(count: number, total: number): string {
  if (total === 0) return '–'
  return count === 0 ? '0' : `${formatCount(count)} (${percentageOf(count, total)} %)`
}

function percentageOf(count: number, total: number): string {
  const percentage = (100 * count) / total
  if (percentage < 0.1) return 'under 0.1'
  if (percentage > 99.9 && count < total) return 'over 99.9'
  const isNearAnEnd = percentage < 10 || (percentage > 99 && count < total)
  return percentage.toFixed(isNearAnEnd ? 1 : 0)
}

/** Milliseconds as a person reads them: "87 ms", "1.24 s", "12.3 s"; "–" for null. */
export function formatDuration(durationMs: number | null): string {
  if (durationMs === null) return '–'
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`
  return `${(durationMs / 1_000).toFixed(durationMs < 10_000 ? 2 : 1)} s`
}

/** "21 Nov 2026". */
export const formatDay = (moment: Date): string => DAY.format(moment)

/** "21 Nov 2026, 01:13 UTC". */
export const formatMoment = (moment: Date): string => `${DAY.format(moment)}, ${CLOCK.format(moment)} UTC`

/** How long ago `moment` was, in the largest unit that fits: "just now", "5 min ago", "3 h ago", "2 days ago". */
export function formatAge(moment: Date, now: Date): string {
  const ageMs = now.getTime() - moment.getTime()
  if (ageMs < MINUTE_MS) return 'just now'
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} h ago`
  const days = Math.floor(ageMs / DAY_MS)
  return days === 1 ? 'yesterday' : `${days} days ago`
}

/** A span such as an uptime: "4 min", "3 h 12 min", "5 days 2 h". */
export function formatSpan(spanMs: number): string {
  const minutes = Math.floor(spanMs / MINUTE_MS)
  if (minutes < 1) return 'under a minute'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h ${minutes % 60} min`
  const days = Math.floor(hours / 24)
  return `${days} ${days === 1 ? 'day' : 'days'} ${hours % 24} h`
}

/** `url` when a reader may follow it (http or https), else null: titles and links of foreign pages are hostile. */
export function safeLink(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? url : null
}
