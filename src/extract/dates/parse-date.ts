// Reads dates out of text: ISO 8601, RFC 2822, epochs, and the ways people write a day in some sixty languages.
import { markMonths, MONTH_MARK, monthOf } from './month-names.ts'
import { FOREIGN_DATE_HINT, inWesternSpelling } from './western-dates.ts'

/** A day, with the moment where text and zone tell it. */
export interface ParsedDate {
  /** `2024-05-01`, or `2024-05-01T10:15:00+02:00` when the text gave time and zone. */
  iso: string
  /** The day as written, `YYYY-MM-DD`: in the zone of the page. */
  day: string
}

export interface DateReading {
  /** Later dates are refused. */
  now: Date
  /** What `03/04/2024` and `19.03.02` begin with; a year stands first in Chinese, Japanese and Korean. */
  firstNumber: 'day' | 'month' | 'year'
}

const EARLIEST_YEAR = 1995
const DAY_MS = 86_400_000
/** The sun rises first at UTC+14: a day may have begun there and nowhere else. */
const EARLIEST_ZONE_MS = 14 * 3_600_000
const CLOCK_SKEW_MS = 3_600_000
const LONGEST_TEXT = 400

const YEAR = '(?:19|20)\\d\\d'

type Pattern = readonly [pattern: RegExp, order: 'ymd' | 'ydm' | 'dmy' | 'mdy' | 'either']

const YMD_SEPARATOR = '(?:[-/.・–]|\\. )'
/** Between a month and the number beside it. */
const BESIDE_MONTH = "[ /-]{0,3}(?:of |de |d['’]|ב)?"
/** Words by which some languages say that a year was one. */
const YEAR_WORD = '(?:de |del |năm |ศ )?'

/** Every gap is bounded, so that none of these takes more than linear time. */
const PATTERNS: readonly Pattern[] = [
  [
    new RegExp(
      `(?<!\\d)(${YEAR})${YMD_SEPARATOR}(0?[1-9]|1[0-2])${YMD_SEPARATOR}(0?[1-9]|[12]\\d|3[01])(?!\\d)`,
      'u',
    ),
    'ymd',
  ],
  [new RegExp(`(?<!\\d)(${YEAR}) ?[年년] ?(\\d{1,2}) ?[月월] ?(\\d{1,2}) ?[日일号]?`, 'u'), 'ymd'],
  [
    new RegExp(
      `(?<![\\d\\p{L}])(\\d{1,2})(?:st|nd|rd|th|er|º|ª)?[.,]?${BESIDE_MONTH}(${MONTH_MARK})[.,،]{0,2}[ /-]{0,3}${YEAR_WORD}(${YEAR})(?!\\d)`,
      'iu',
    ),
    'dmy',
  ],
  [
    new RegExp(`(?<!\\p{L})(${MONTH_MARK})\\.? ?(\\d{1,2})(?:st|nd|rd|th)? ?[,.]? ?(${YEAR})(?!\\d)`, 'iu'),
    'mdy',
  ],
  // As Unix writes it: Tue Mar 5 10:00:00 UTC 2024.
  [
    new RegExp(
      `(?<!\\p{L})(${MONTH_MARK}) (\\d{1,2}) \\d\\d:\\d\\d:\\d\\d (?:[A-Z]{3,4} )?(${YEAR})(?!\\d)`,
      'iu',
    ),
    'mdy',
  ],
  [
    new RegExp(`(${YEAR})(?:[,.]? ?|-)(?:m\\. |թ\\. )?(${MONTH_MARK})\\.?[ -]?(\\d{1,2})(?!\\d)`, 'iu'),
    'ymd',
  ],
  [new RegExp(`(${YEAR})(?:\\. gada| ж\\.) (\\d{1,2})\\.? (${MONTH_MARK})(?!\\p{L})`, 'iu'), 'ydm'],
  [
    new RegExp(
      `(?<!\\d)(0?[1-9]|[12]\\d|3[01]) ?\\. ?(0?[1-9]|1[0-2]) ?\\. ?(${YEAR}|\\d\\d(?=\\D|$))(?!\\d)`,
      'u',
    ),
    'dmy',
  ],
  [
    new RegExp(`(?<!\\d)(0?[1-9]|[12]\\d|3[01])[/-](0?[1-9]|[12]\\d|3[01])[/-](${YEAR})(?!\\d)`, 'u'),
    'either',
  ],
  // Points are for the day first, unless no month is meant.
  [new RegExp(`(?<!\\d)(0?[1-9]|1[0-2])\\.(1[3-9]|2\\d|3[01])\\.(${YEAR})(?!\\d)`, 'u'), 'mdy'],
  [new RegExp(`(?<!\\d)(${YEAR})(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])(?!\\d)`, 'u'), 'ymd'],
]

/** A year, two stops between digits, or what other digits and calendars write: without any no pattern matches. */
const HINT_OF_DATE = new RegExp(
  `(?:19|20)\\d\\d|\\d\\s?\\.\\s?\\d{1,2}\\s?\\.\\s?\\d|${FOREIGN_DATE_HINT}`,
  'u',
)

/** False when `findDate` would find none: far quicker to see. White space must be collapsed. */
export const mayHoldDate = (text: string): boolean => HINT_OF_DATE.test(text)

/** The first date in a text of up to 400 characters, or null. */
export function findDate(text: string, reading: DateReading): ParsedDate | null {
  const written = text.slice(0, LONGEST_TEXT).replace(/\s+/g, ' ')
  if (!mayHoldDate(written)) return null
  const line = markMonths(inWesternSpelling(written))
  let found: ParsedDate | null = null
  let foundAt = Infinity
  for (const [pattern, order] of PATTERNS) {
    const match = pattern.exec(line)
    if (match === null || match.index >= foundAt) continue
    const date = toDate(match, order, reading)
    if (date === null) continue
    found = date
    foundAt = match.index
  }
  return found
}

function toDate(match: RegExpExecArray, order: Pattern[1], reading: DateReading): ParsedDate | null {
  const [, first = '', second = '', third = ''] = match
  if (order === 'ymd') return toDay(Number(first), monthOf(second), Number(third), reading)
  if (order === 'ydm') return toDay(Number(first), monthOf(third), Number(second), reading)
  if (third.length === 2 && reading.firstNumber === 'year')
    return toDay(2_000 + Number(first), monthOf(second), Number(third), reading)
  const year = third.length === 2 ? 2_000 + Number(third) : Number(third)
  if (order === 'dmy') return toDay(year, monthOf(second), Number(first), reading)
  if (order === 'mdy') return toDay(year, monthOf(first), Number(second), reading)
  const monthFirst = toDay(year, Number(first), Number(second), reading)
  const dayFirst = toDay(year, Number(second), Number(first), reading)
  // What the calendar or the clock refuses was meant the other way round.
  return reading.firstNumber === 'month' ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst)
}

const two = (number: number): string => String(number).padStart(2, '0')

/** The day when the calendar has it and it lies neither before the web nor after `now`. */
function toDay(year: number, month: number, day: number, reading: DateReading): ParsedDate | null {
  if (!(year >= EARLIEST_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= 31)) return null
  const time = Date.UTC(year, month - 1, day)
  if (new Date(time).getUTCDate() !== day || time - EARLIEST_ZONE_MS > reading.now.getTime()) return null
  const iso = `${year}-${two(month)}-${two(day)}`
  return { iso, day: iso }
}

const ISO =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]{1,2}(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?(?: ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2}))?)?(?!\d)/i
const RFC_MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const RFC_2822 = new RegExp(
  `^(?:[a-z]{3,9},? ?)?(\\d{1,2})[ -](${RFC_MONTHS.join('|')})[ -](\\d{4}) (\\d{2}):(\\d{2})(?::(\\d{2}))? ?(Z|UTC|GMT|[+-]\\d{4})\\b`,
  'i',
)

/** A date meant for machines: an attribute, a meta property, a header. Falls back to `findDate`. */
export function parseStamp(value: string, reading: DateReading): ParsedDate | null {
  const text = value.trim().slice(0, 100)
  if (/^\d{10}$/.test(text)) return fromMoment(Number(text) * 1_000, reading)
  if (/^\d{13}$/.test(text)) return fromMoment(Number(text), reading)
  const iso = ISO.exec(text)
  if (iso !== null) {
    const [, year, month, day, hour, minute, second, zone] = iso
    const date = toDay(Number(year), Number(month), Number(day), reading)
    return date === null ? null : withTime(date, { hour, minute, second, zone }, reading)
  }
  const rfc = RFC_2822.exec(text)
  if (rfc !== null) {
    const [, day, month = '', year, hour, minute, second, zone] = rfc
    const date = toDay(Number(year), RFC_MONTHS.indexOf(month.toLowerCase()) + 1, Number(day), reading)
    return date === null ? null : withTime(date, { hour, minute, second, zone }, reading)
  }
  return findDate(text, reading)
}

function fromMoment(time: number, reading: DateReading): ParsedDate | null {
  const iso = new Date(time).toISOString().replace('.000Z', 'Z')
  const [year, month, day] = iso.slice(0, 10).split('-').map(Number)
  const date = toDay(year ?? 0, month ?? 0, day ?? 0, reading)
  return date === null || time > reading.now.getTime() + CLOCK_SKEW_MS ? null : { iso, day: date.day }
}

interface TimeOfDay {
  hour: string | undefined
  minute: string | undefined
  second: string | undefined
  zone: string | undefined
}

/** Adds the time where a zone says what it means; a local time without zone tells no moment, so the day stands alone. */
function withTime(date: ParsedDate, time: TimeOfDay, reading: DateReading): ParsedDate | null {
  if (
    time.zone === undefined ||
    time.hour === undefined ||
    Number(time.hour) > 23 ||
    Number(time.minute) > 59
  )
    return date
  const iso = `${date.day}T${time.hour}:${time.minute}:${time.second ?? '00'}${isoZone(time.zone)}`
  const moment = Date.parse(iso)
  if (Number.isNaN(moment)) return date
  return moment > reading.now.getTime() + CLOCK_SKEW_MS ? null : { iso, day: date.day }
}

function isoZone(zone: string): string {
  if (/^[A-Z]/i.test(zone)) return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}

/** Whole days between two days written `YYYY-MM-DD`, regardless of order. */
export function daysApart(left: string, right: string): number {
  return Math.abs(Date.parse(left) - Date.parse(right)) / DAY_MS
}
