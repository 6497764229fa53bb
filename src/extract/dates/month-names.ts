// Names of months in some sixty languages, as a pattern and as numbers.

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

/** Source of a regular expression that matches any of the names, the longest first. */
export const monthPattern = (): string =>
  [...months().keys()]
    .toSorted((left, right) => right.length - left.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')

/** 1 to 12 for a name or a number; NaN for what is neither. */
export const monthOf = (text: string): number => months().get(text.toLowerCase()) ?? Number(text)
