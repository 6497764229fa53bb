// Names of months in some sixty languages: finds them in a text and tells which month each is.

const LOCALES = (
  'en de fr es it pt nl sv da nb fi pl cs sk hu ro bg hr sr sl uk ru el tr id ms vi ca et lv lt eu gl fa ar he hi th ' +
  'be is sq hy ka az kk uz bn ta te ml kn mr gu pa ur sw fil ne'
).split(' ')

/** What the locales' data lack: spellings of their own, and Vietnamese months by numerals in words. */
const FURTHER_NAMES: readonly (readonly [name: string, month: number])[] = [
  ['sept', 9],
  ['mär', 3],
  ['mrz', 3],
  ['maerz', 3],
  ['jänner', 1],
  ...['một', 'hai', 'ba', 'tư', 'năm', 'sáu', 'bảy', 'tám', 'chín', 'mười', 'mười một', 'mười hai'].map(
    (numeral, index) => [`tháng ${numeral}`, index + 1] as const,
  ),
]

/**
 * Long and short, nominative and as used in dates, in lower case. Asking the locales takes 60 ms, so it waits for the first
 * text that may hold a date.
 */
let namedMonths: ReadonlyMap<string, number> | null = null
const months = (): ReadonlyMap<string, number> => (namedMonths ??= readMonthNames())

function readMonthNames(): Map<string, number> {
  const named = new Map<string, number>()
  for (const locale of LOCALES) {
    for (const month of ['long', 'short'] as const) {
      for (const form of [{ month }, { month, day: 'numeric' as const }]) addMonths(named, locale, form)
    }
  }
  for (const [name, month] of FURTHER_NAMES) named.set(name, month)
  return named
}

function addMonths(named: Map<string, number>, locale: string, form: Intl.DateTimeFormatOptions): void {
  const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, { ...form, timeZone: 'UTC' })
  for (let month = 0; month < 12; month++) {
    const part = format.formatToParts(Date.UTC(2020, month, 15)).find(({ type }) => type === 'month')
    const name = part?.value.toLowerCase().replace(/\.$/, '') ?? ''
    const isTelling = name.length > 2 || /[^a-z]/.test(name)
    if (isTelling && !/^\d*$/.test(name) && !named.has(name)) named.set(name, month + 1)
  }
}

/** The first of the characters that stand for months; Unicode keeps them free for such uses within a program. */
const MARK_BASE = 0xfdd0
/** Source of a regular expression that matches the mark of any month. */
export const MONTH_MARK = '[\\uFDD1-\\uFDDC]'
const FOREIGN_MARKS = /[\uFDD0-\uFDEF]/gu

/**
 * What may be a name: a Vietnamese month with its number, a Thai abbreviation, a word of letters with what Hebrew, Hindi and
 * Malayalam write in them.
 */
const WORD =
  /(?:tháng|thg) (?:mười (?:một|hai)|[\p{L}\p{M}]+|\d{1,2})|[\u0E00-\u0E7F]{1,3}\.[\u0E00-\u0E7F](?![\u0E00-\u0E7F])|(?:d['’])?[\p{L}\p{M}][\p{L}\p{M}׳॰\u200C]*/giu
/** "Of" in Catalan and French and "in" in Hebrew are written together with the month. */
const BEFORE_NAME = /^(?:d['’]|ב)/iu

/**
 * The text with a mark in place of each name of a month. Looked up word by word, because a regular expression of a
 * thousand names takes half a second to get going, in every thread.
 */
export function markMonths(text: string): string {
  return text.replace(FOREIGN_MARKS, ' ').replace(WORD, (word) => markOf(word) ?? markWithin(word) ?? word)
}

function markOf(name: string): string | null {
  const month = months().get(name.toLowerCase())
  return month === undefined ? null : String.fromCharCode(MARK_BASE + month)
}

function markWithin(word: string): string | null {
  const before = BEFORE_NAME.exec(word)?.[0] ?? ''
  const mark = before === '' ? null : markOf(word.slice(before.length))
  return mark === null ? null : before + mark
}

/** 1 to 12 for a mark or a number; NaN for what is neither. */
export function monthOf(text: string): number {
  const month = text.charCodeAt(0) - MARK_BASE
  return month >= 1 && month <= 12 ? month : Number(text)
}
