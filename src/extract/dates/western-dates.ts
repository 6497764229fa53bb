// Dates as other digits and calendars write them, spelled with Western digits and years of the Common Era.

/** The zeros of the digits that pages write dates in; each is followed by its one to nine. */
const ZEROS = '٠۰०০੦૦௦౦೦൦๐０'
const FOREIGN_DIGITS = Array.from(ZEROS)
  .map((zero) => `${zero}-${String.fromCharCode(zero.charCodeAt(0) + 9)}`)
  .join('')
const FOREIGN_DIGIT = new RegExp(`[${FOREIGN_DIGITS}]`, 'gu')

/** Years before the first of each era. 元 is the first year of one. */
const ERAS: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 民國: 1911, 民国: 1911 }
const ERA_YEAR = /(令和|平成|民[國国]) ?(元|\d{1,3}) ?年/gu

/** Thailand counts from the Buddha's death. Such a year stands behind Thai words or abbreviations, or in a date of numbers. */
const BUDDHIST_ERA_YEARS = 543
const BUDDHIST_YEAR = /([\u0E00-\u0E7F]\.? ?|(?<!\d)\d{1,2}[/.-]\d{1,2}[/.-])(25[4-9]\d)(?!\d)/gu
/** "5 มี.ค. 67": the century is left out. */
const SHORT_BUDDHIST_YEAR = /([\u0E00-\u0E7F]\.[\u0E00-\u0E7F]\. ?)([4-9]\d)(?![\d.:])/gu

/** Source of a regular expression for what only these spellings have; without any of it a text is Western already. */
export const FOREIGN_DATE_HINT = `25[4-9]\\d|[${FOREIGN_DIGITS}]|令和|平成|民[國国]|[\\u0E00-\\u0E7F]\\. ?[4-9]\\d`
const MARKS_OF_DIRECTION = /[\u200E\u200F\u061C]/gu

/** The same text with its dates in Western spelling. White space must be collapsed. */
export function inWesternSpelling(text: string): string {
  const isWestern = !/[^\0-\u00FF]/u.test(text) && !/25[4-9]\d/.test(text)
  if (isWestern) return text
  return text
    .replace(MARKS_OF_DIRECTION, '')
    .replace(FOREIGN_DIGIT, digitOf)
    .replace(
      ERA_YEAR,
      (_, era: string, year: string) => `${(ERAS[era] ?? 0) + (year === '元' ? 1 : Number(year))}年`,
    )
    .replace(/(?:พ\. ?ศ|ค\. ?ศ)\. ?/gu, 'ศ ')
    .replace(SHORT_BUDDHIST_YEAR, (_, before: string, year: string) => `${before}25${year}`)
    .replace(
      BUDDHIST_YEAR,
      (_, before: string, year: string) => `${before}${Number(year) - BUDDHIST_ERA_YEARS}`,
    )
}

function digitOf(digit: string): string {
  const code = digit.charCodeAt(0)
  const zero = Array.from(ZEROS).findLast(
    (each) => each.charCodeAt(0) <= code && code <= each.charCodeAt(0) + 9,
  )
  return zero === undefined ? digit : String(code - zero.charCodeAt(0))
}
