import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inReadingOrder } from '../../../../src/extract/formats/pdf/pdf-direction.ts'
import { read, readFixtureBytes } from '../../fixtures.ts'

const textOf = async (name: string): Promise<string> => {
  const bytes = readFixtureBytes(`pdf-right-to-left/${name}.pdf`)
  return (await read(bytes, { mediaType: 'application/pdf' })).text.replaceAll('\n', ' ')
}

const HEBREW = [
  'נמל ברנהולם נפתח בשנת 1902. גובה המגדלור הוא 31 מטרים (ללא האנטנה).',
  'שומר המגדלור אומר: "בלילה האור מגיע למרחק של ארבעים קילומטרים".',
  'אתר Brenholm Light Museum פתוח.',
].join(' ')

test.each(['chromium-hebrew', 'libreoffice-hebrew'])(
  'a PDF in Hebrew is read from right to left, and the numbers and names in it from left to right: %s',
  async (name) => {
    expect(await textOf(name)).toContain(HEBREW)
  },
)

test('a PDF in Arabic is read in its letters, not in the forms that they are printed in, with its vowels over them', async () => {
  const text = await textOf('chromium-arabic')
  expect(text).toContain('تقرير الميناء')
  expect(text).toContain(
    'افتُتح ميناء برينهولم عام 1902. يبلغ ارتفاع المنارة 31 مترًا. يقول حارس المنارة: «يصل',
  )
  expect(text).toContain(
    '+47 555 1234 وموقعنا www.brenholm.no مفتوح من 10:00 إلى 17:30 (الأحد فقط)، والسعر 12.5%.',
  )
})

const words = fc.constantFrom(
  'שלום',
  'ערב',
  'م',
  'ا',
  'word',
  'Light',
  '12',
  '10:30',
  '+47 5',
  ' ',
  '. ',
  '(',
  '»',
  'ً',
)
const item = fc.record({ str: words, x: fc.integer({ min: 0, max: 500 }) }).map(({ str, x }) => ({
  str,
  dir: 'ltr',
  transform: [12, 0, 0, 12, x, 700],
  width: 20,
  height: 12,
  fontName: 'f',
  hasEOL: false,
}))

test('no letter or digit is lost, whatever order words are printed in, and lines from left to right stay as they are', () => {
  const lettersOf = (items: readonly { str: string }[]): string[] =>
    items.flatMap(({ str }) => str.match(/[\p{L}\p{N}\p{M}]/gu) ?? []).toSorted()
  fc.assert(
    fc.property(fc.array(item, { maxLength: 20 }), (items) => {
      expect(lettersOf(inReadingOrder(items))).toEqual(lettersOf(items))
      const latin = items.filter(({ str }) => !/[\u0590-\u06ff]/u.test(str))
      expect(inReadingOrder(latin)).toEqual(latin)
    }),
  )
})
