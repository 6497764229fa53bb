// What a workbook shows is not always what its cells hold; the parts here are as programs other than Excel write them, too.
import { expect, test } from 'vitest'
import { sniffMediaType } from '../../../src/pages/fetch/media-type.ts'
import { zipOf } from '../../support/zip.ts'
import { read } from '../fixtures.ts'
import { MEDIA_TYPES } from './media-types.ts'

const { xlsx, docx } = MEDIA_TYPES

interface Made {
  cells: string
  strings?: string
  formats?: readonly string[]
  /** The names of the parts. */
  main?: string
  stringsPart?: string
  stringsTarget?: string
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

function workbookOf(made: Made): Uint8Array {
  const { cells, strings = '', formats = [], main = 'workbook.xml' } = made
  const { stringsPart = 'sharedStrings.xml', stringsTarget = stringsPart } = made
  const named = formats.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escapeXml(code)}"/>`)
  const styles = formats.map((_, at) => `<xf numFmtId="${200 + at}"/>`)
  const targets = ['worksheets/sheet1.xml', stringsTarget, 'styles.xml']
  const relations = targets.map((target, at) => `<Relationship Id="r${at + 1}" Target="${target}"/>`)
  return zipOf([
    {
      name: '_rels/.rels',
      content: `<Relationships><Relationship Id="r1" Target="xl/${main}"/></Relationships>`,
    },
    {
      name: `xl/${main}`,
      content: '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
    },
    { name: `xl/_rels/${main}.rels`, content: `<Relationships>${relations.join('')}</Relationships>` },
    { name: `xl/${stringsPart}`, content: `<sst>${strings}</sst>` },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet><numFmts>${named.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`,
    },
  ])
}

const textOf = async (made: Made): Promise<string> => (await read(workbookOf(made), { mediaType: xlsx })).text

const STRING = '<c t="s"><v>0</v></c>'

test('signs that a workbook writes by their numbers are read, and what they escape stays', async () => {
  const strings = '<si><t>First line_x000D_\nsecond _x0041__x0000_, the name _x005F_x0041_</t></si>'
  const inline = '<c t="inlineStr"><is><t>in line_x000D_\ntwo</t></is></c>'
  expect(await textOf({ cells: STRING + inline, strings })).toBe(
    'First line second A, the name _x0041_\tin line two',
  )
})

test('a sign that a workbook writes by two numbers is one', async () => {
  const strings = '<si><t>Done _xD83D__xDE00_, half _xD83D_ of one</t></si>'
  expect(await textOf({ cells: STRING, strings })).toBe('Done 😀, half of one')
})

test('a value that its format shows as nothing is not read, and a text is as its format shows it', async () => {
  const formats = ['#,##0;-#,##0;;@', ';;;', '"Room "@', '_("$"* #,##0_);_(@_)', 'bad[']
  const number = (style: number, value: number) => `<c s="${style}"><v>${value}</v></c>`
  const text = (style: number) => `<c s="${style}" t="inlineStr"><is><t>seven</t></is></c>`
  const cells = [number(1, 0), number(1, 1_234), number(2, 99), text(2), text(3), text(4), number(5, 8)]
  expect(await textOf({ cells: `${cells.join('')}${STRING}`, formats, strings: '<si><t>end</t></si>' })).toBe(
    '1,234\tRoom seven\tseven\t8\tend',
  )
})

test.each([
  { stringsPart: 'SharedStrings.xml' },
  { stringsPart: 'SharedStrings.xml', stringsTarget: 'sharedStrings.xml' },
  { stringsPart: 'sharedStrings2.xml', stringsTarget: '/xl/sharedStrings2.xml' },
  { main: 'workbook2.xml' },
])('the parts of a workbook are found by what names them: %j', async (parts) => {
  expect(await textOf({ ...parts, cells: STRING, strings: '<si><t>Harbour</t></si>' })).toBe('Harbour')
})

test('a Word document whose main part Word on the web has named anew is known without its header', () => {
  const bytes = zipOf([{ name: 'word/document2.xml', content: '<w:document/>' }])
  expect(sniffMediaType('application/octet-stream', bytes)).toBe(docx)
})
