// XLSX (ECMA-376 Part 1, §18) to text: sheet by sheet and row by row, each value as the workbook shows it.
import type { BytesInput } from '../../page-input.ts'
import { openArchive, type Archive } from '../archive.ts'
import { documentPage, noDocument } from '../document-page.ts'
import { createDocumentWriter, type DocumentWriter } from '../document-writer.ts'
import { readCoreProperties, readRelationships } from './office-parts.ts'
import { readSheetFormats, type ShowValue } from './sheet-formats.ts'
import { readXml, withoutElements, type Attribute } from '../xml.ts'

const DAMAGED = 'The workbook is damaged and could not be read.'
const WORKBOOK = 'xl/workbook.xml'
/** Parts by whose names their relationships are known. */
const STRINGS = /(?:^|\/)sharedstrings\d*\.xml$/iu
const STYLES = /(?:^|\/)styles\d*\.xml$/iu
const SHEETS_MAX = 500
const HIDDEN_RANGES_MAX = 1_000
/** How a word is read aloud, beside the word. */
const isUnshown = (_written: string, name: string): boolean => name === 'rPh'

const isTrue = (value: string): boolean => /^(?:1|true)$/u.test(value)

interface Sheet {
  name: string
  part: string
  number: number
}

interface Workbook {
  sheets: Sheet[]
  isFrom1904: boolean
}

/** @throws {UnreadableError} for files that are damaged, protected, too large or no workbooks. */
export async function readWorkbook(input: BytesInput) {
  const archive = await openArchive(input.content, DAMAGED)
  const roots = [...(await readRelationships(archive, '')).values()]
  const main = roots.find((name) => /(?:^|\/)workbook\d*\.xml$/iu.test(name)) ?? WORKBOOK
  const xml = await archive.text(main)
  if (xml === null) throw noDocument(DAMAGED)
  const targets = await readRelationships(archive, main)
  const related = (name: RegExp): string | undefined => [...targets.values()].find((part) => name.test(part))
  const workbook = shownSheets(xml, targets)
  const strings = readStrings((await archive.text(related(STRINGS) ?? 'xl/sharedStrings.xml')) ?? '')
  const show = readSheetFormats((await archive.text(related(STYLES) ?? 'xl/styles.xml')) ?? '', workbook)
  const writer = createDocumentWriter()
  await writeSheets(archive, workbook.sheets, writer, { strings, show })
  return documentPage(writer.finish(), await readCoreProperties(archive), input)
}

async function writeSheets(
  archive: Archive,
  sheets: readonly Sheet[],
  writer: DocumentWriter,
  values: CellValues,
): Promise<void> {
  for (const { name, part, number } of sheets) {
    if (writer.isFull()) return
    const xml = await archive.text(part)
    writer.beginPlace('sheet', number, name)
    writer.heading(1, sheets.length > 1 ? name : '')
    writer.beginTable()
    writeRows(xml ?? '', writer, values)
  }
}

function shownSheets(xml: string, targets: ReadonlyMap<string, string>): Workbook {
  const workbook: Workbook = { sheets: [], isFrom1904: false }
  let number = 0
  readXml(xml, {
    open(name, attribute) {
      if (name === 'workbookPr') workbook.isFrom1904 = isTrue(attribute('date1904'))
      if (name !== 'sheet') return
      number += 1
      const part = targets.get(attribute('r:id'))
      const isShown = !/hidden/iu.test(attribute('state'))
      if (part !== undefined && isShown && workbook.sheets.length < SHEETS_MAX)
        workbook.sheets.push({ name: attribute('name'), part, number })
    },
  })
  return workbook
}

/** What XML cannot hold, or programs think so, stands as _x000D_ (ECMA-376 Part 1, §22.9.2.19). */
const unescaped = (text: string): string =>
  // Two of them may be one character.
  text.replace(/(?:_x[\dA-Fa-f]{4}_)+/gu, (codes) => {
    const units = Array.from(codes.matchAll(/_x(.{4})_/gu), ([, code = '']) => Number.parseInt(code, 16))
    const characters = units.map((unit) => String.fromCharCode(unit)).join('')
    return characters.replaceAll(/(?!\s)[\p{Cc}\p{Cs}]/gu, '')
  })

/** Texts that cells name by their place in this list. */
function readStrings(xml: string): string[] {
  const strings: string[] = []
  let text = ''
  let isText = false
  const handler = {
    open(name: string): void {
      if (name === 'si') text = ''
      if (name === 't') isText = true
    },
    text(part: string): void {
      if (isText) text += part
    },
    close(name: string): void {
      if (name === 't') isText = false
      if (name === 'si') strings.push(unescaped(text))
    },
  }
  readXml(xml, withoutElements(isUnshown, handler))
  return strings
}

interface CellValues {
  strings: readonly string[]
  show: ShowValue
}

interface Cell {
  /** Where it stands in the sheet, from 0, */
  place: number
  /** and in the row that is written, where long gaps are shorter. */
  column: number
  type: string
  style: number
  value: string
}

function writeRows(xml: string, writer: DocumentWriter, values: CellValues): void {
  let row: string[] = []
  let isHidden = false
  let isFirst = true
  let cell: Cell | null = null
  let isValue = false
  const hiddenColumns: { first: number; last: number }[] = []
  const openings = new Map<string, (attribute: Attribute) => unknown>([
    [
      'col',
      (attribute) => {
        if (isTrue(attribute('hidden')) && hiddenColumns.length < HIDDEN_RANGES_MAX)
          hiddenColumns.push({ first: Number(attribute('min')) - 1, last: Number(attribute('max')) - 1 })
      },
    ],
    [
      'row',
      (attribute) => {
        row = []
        isHidden = isTrue(attribute('hidden'))
      },
    ],
    ['c', (attribute) => (cell = openCell(attribute, row.length))],
    ['v', () => (isValue = true)],
    ['t', () => (isValue = true)],
  ])
  const isShown = ({ place }: Cell): boolean =>
    !hiddenColumns.some(({ first, last }) => place >= first && place <= last)
  function closeCell(): void {
    if (cell === null) return
    while (row.length < cell.column) row.push('')
    row.push(isShown(cell) ? shownValue(cell, values) : '')
    cell = null
  }
  function closeRow(): void {
    if (isHidden || row.every((value) => value.trim() === '')) return
    writer.row(row, isFirst)
    isFirst = false
  }
  const closings = new Map<string, () => unknown>([
    ['v', () => (isValue = false)],
    ['t', () => (isValue = false)],
    ['c', closeCell],
    ['row', closeRow],
  ])
  readXml(
    xml,
    withoutElements(isUnshown, {
      open(name, attribute) {
        if (!writer.isFull()) openings.get(name)?.(attribute)
      },
      text(part) {
        if (isValue && cell !== null) cell.value += part
      },
      close: (name) => closings.get(name)?.(),
    }),
  )
}

/** Empty cells are often left out: the next one says where it stands. So many are filled in, that rows stay short. */
const GAP_MAX = 64

/** Of a column's name, A to XFD, from 0; -1 for none. */
function columnOf(letters: string): number {
  let number = 0
  for (let at = 0; at < letters.length; at++) number = number * 26 + letters.charCodeAt(at) - 64
  return number - 1
}

/** `next`: the column after the cell before. */
function openCell(attribute: Attribute, next: number): Cell {
  const letters = /^[A-Z]{1,3}/u.exec(attribute('r'))?.[0] ?? ''
  const named = columnOf(letters)
  const column = Math.min(Math.max(named, next), next + GAP_MAX)
  return {
    place: named < 0 ? next : named,
    column,
    type: attribute('t'),
    style: Number(attribute('s')),
    value: '',
  }
}

/** ECMA-376 Part 1, §18.18.11. */
function shownValue({ type, style, value }: Cell, { strings, show }: CellValues): string {
  if (type === 's') return show(style, strings[Number(value)] ?? '')
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'str' || type === 'inlineStr') return show(style, unescaped(value))
  if (type === 'e' || type === 'd') return value
  return value.trim() === '' || !Number.isFinite(Number(value)) ? value : show(style, Number(value))
}
