// How a workbook shows its numbers: a style's number format applied by numfmt (ECMA-376 Part 1, §18.8.30).
import { format, isDateFormat, isValidFormat } from 'numfmt'
import { readXml } from '../xml.ts'

/** Formats that files name by number alone; 0 and what is not here shows the number as it is. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
}
const OPTIONS = { throws: false, nbsp: false, locale: 'en' } as const
/** Days between the two beginnings that workbooks count dates from. */
const DAYS_TO_1904 = 1_462
/** What a pattern says of texts stands at its @, or in its fourth section. */
const OF_TEXTS = /@|;[^;]*;[^;]*;/u

export type ShowValue = (style: number, value: number | string) => string

/** From the index of a cell's style to what a number or a text shows as in it, which may be nothing. */
export function readSheetFormats(stylesXml: string, { isFrom1904 }: { isFrom1904: boolean }): ShowValue {
  const patterns = readPatterns(stylesXml)
  return function show(style, value) {
    const pattern = patterns[style] ?? 'General'
    if (!isValidFormat(pattern)) return String(value)
    if (typeof value === 'string') return OF_TEXTS.test(pattern) ? showText(pattern, value) : value
    const day = isFrom1904 && isDateFormat(pattern) ? value + DAYS_TO_1904 : value
    return format(pattern, day, OPTIONS)
  }
}

/** Spaces that only put a text in its place are not the text's. */
function showText(pattern: string, value: string): string {
  const shown = format(pattern, value, OPTIONS)
  return shown.trim() === value.trim() ? value : shown
}

/** The pattern of each cell style, in their order. */
function readPatterns(xml: string): string[] {
  const own = new Map<string, string>()
  const patterns: string[] = []
  let areCellStyles = false
  readXml(xml, {
    open(name, attribute) {
      if (name === 'numFmt') own.set(attribute('numFmtId'), attribute('formatCode'))
      if (name === 'cellXfs') areCellStyles = true
      if (name !== 'xf' || !areCellStyles) return
      const id = attribute('numFmtId')
      patterns.push(own.get(id) ?? BUILT_IN[Number(id)] ?? 'General')
    },
    close(name) {
      if (name === 'cellXfs') areCellStyles = false
    },
  })
  return patterns
}
