// ODT, ODS and ODP (OpenDocument 1.3 Part 3) to text: paragraphs, lists, tables and slides as they are shown, each note after its paragraph.
import { UnreadableError } from '../../document.ts'
import type { BytesInput } from '../../page-input.ts'
import { openArchive } from '../archive.ts'
import { documentPage, noDocument, type DocumentFacts } from '../document-page.ts'
import { createDocumentWriter, type DocumentWriter } from '../document-writer.ts'
import { readOpenDocumentStyles, type OpenDocumentStyles } from './open-document-styles.ts'
import { createOpenDocumentBody } from './open-document-body.ts'
import { withoutPages } from '../page-counter.ts'
import { writeSlide, type SlideLine, type SlideShape } from '../slide.ts'
import { readXml, textsOf, withoutElements, type Attribute } from '../xml.ts'

const DAMAGED = 'The OpenDocument file is damaged and could not be read.'
const ENCRYPTED = 'The document is protected by a password.'
const META_NAMES = new Set(['title', 'creation-date', 'date', 'language'])
/** What was taken out, what is said about the text, what a picture shows in words, and what only the speaker sees. */
const UNSHOWN = new Set([
  'text:tracked-changes',
  'text:note-citation',
  'text:hidden-text',
  // The readings above characters: a sentence runs on below them.
  'text:ruby-text',
  'office:annotation',
  'office:forms',
  'presentation:notes',
  'svg:title',
  'svg:desc',
])
const SHAPES = ['frame', 'custom-shape', 'rect', 'ellipse', 'circle', 'polygon', 'path', 'connector']
/** Spaces, and cells, that are written once for many. */
const REPEATS_MAX = 100

/** @throws {UnreadableError} for files that are damaged, protected, too large or no OpenDocument files. */
export async function readOpenDocument(input: BytesInput) {
  const archive = await openArchive(input.content, DAMAGED)
  const manifest = (await archive.text('META-INF/manifest.xml')) ?? ''
  if (manifest.includes('encryption-data')) throw new UnreadableError('encrypted', ENCRYPTED)
  const content = await archive.text('content.xml')
  if (content === null) throw noDocument(DAMAGED)
  const styles = readOpenDocumentStyles([(await archive.text('styles.xml')) ?? '', content])
  const meta = (await archive.text('meta.xml')) ?? ''
  const writer = createDocumentWriter()
  const pages = writeContent(content, styles, writer)
  const written = writer.finish()
  const areAllPages = pages === Number(/page-count="(\d{1,6})"/u.exec(meta)?.[1] ?? 0)
  return documentPage(areAllPages ? written : withoutPages(written), factsOf(meta), input)
}

function factsOf(xml: string): DocumentFacts {
  const found = textsOf(xml, META_NAMES)
  return {
    title: found.get('title') ?? null,
    created: found.get('creation-date') ?? null,
    modified: found.get('date') ?? null,
    language: found.get('language') ?? '',
  }
}

/** Returns how many pages it counted. */
function writeContent(xml: string, styles: OpenDocumentStyles, writer: DocumentWriter): number {
  const isSpreadsheet = xml.includes('<office:spreadsheet')
  const isPresentation = xml.includes('<office:presentation')
  const slides = createSlides(styles, writer)
  let [sheet, repeats] = [0, 1]
  const body = createOpenDocumentBody(styles, writer, isPresentation ? slides.addLine : null)
  const { cells, depth } = body

  function openTable(attribute: Attribute): void {
    if (isSpreadsheet) {
      sheet += 1
      writer.beginPlace('sheet', sheet, attribute('table:name'))
      writer.heading(1, attribute('table:name'))
    }
    cells.openTable()
  }
  function openCell(attribute: Attribute): void {
    repeats = repeatsOf(attribute('table:number-columns-repeated'))
    cells.openCell()
  }
  const openings = new Map<string, (attribute: Attribute) => unknown>([
    ...SHAPES.map((name) => [name, slides.openShape] as const),
    ['p', (attribute) => body.openParagraph(attribute('text:style-name'), null)],
    ['h', (attribute) => body.openParagraph(attribute('text:style-name'), levelOf(attribute))],
    ['span', (attribute) => body.openSpan(attribute('text:style-name'))],
    ['hidden-paragraph', (attribute) => body.openHiding(attribute('text:is-hidden') === 'true')],
    ['s', (attribute) => body.append(' '.repeat(repeatsOf(attribute('text:c'))))],
    ['tab', () => body.append('\t')],
    ['line-break', () => body.append('\n')],
    ['soft-page-break', () => body.breakPage()],
    ['list', () => (depth.lists += 1)],
    ['table-of-content', () => (depth.contentsLists += 1)],
    ['note', () => (depth.notes += 1)],
    ['page', slides.open],
    ['table', openTable],
    ['table-row', () => cells.openRow()],
    ['table-cell', openCell],
  ])
  const closings = new Map<string, () => unknown>([
    ['p', () => body.closeParagraph()],
    ['h', () => body.closeParagraph()],
    ['span', () => body.closeSpan()],
    ['hidden-paragraph', () => body.closeSpan()],
    ['list', () => (depth.lists -= 1)],
    ['table-of-content', () => (depth.contentsLists -= 1)],
    ['note', () => (depth.notes -= 1)],
    ['page', slides.close],
    ['table-cell', () => cells.closeCell(repeats)],
    ['table-row', () => cells.closeRow()],
    ['table', () => body.closeTable()],
  ])
  const handler = withoutElements(hiddenBy(styles), {
    open: (name, attribute) => (writer.isFull() ? undefined : openings.get(name)?.(attribute)),
    // Other programs break and indent their lines, which means one space.
    text: (part) => body.append(part.replace(/[ \t\r\n]+/gu, ' ')),
    close: (name) => closings.get(name)?.(),
  })
  readXml(xml, handler)
  return body.pageCount()
}

/** The slides of a presentation: the shapes of each are written when it ends. */
function createSlides(styles: OpenDocumentStyles, writer: DocumentWriter) {
  let slide: OpenSlide = { number: 0, isHidden: false, shapes: [] }
  return {
    open: (attribute: Attribute): void => {
      const isHidden = styles.isHidden(attribute('draw:style-name'))
      slide = { number: slide.number + 1, isHidden, shapes: [] }
    },
    openShape: (attribute: Attribute): void =>
      void slide.shapes.push({ isTitle: attribute('presentation:class') === 'title', lines: [] }),
    addLine: (line: SlideLine): void => void slide.shapes.at(-1)?.lines.push(line),
    close: (): void => (slide.isHidden ? undefined : writeSlide(writer, slide.number, slide.shapes)),
  }
}

interface OpenSlide {
  /** Hidden ones count. */
  number: number
  isHidden: boolean
  shapes: SlideShape[]
}

const hiddenBy =
  (styles: OpenDocumentStyles) =>
  (written: string, name: string, attribute: Attribute): boolean =>
    UNSHOWN.has(written) ||
    (name === 'section' && isHiddenSection(attribute)) ||
    (name === 'table' && styles.isHidden(attribute('table:style-name'))) ||
    (name === 'table-row' && /^(?:collapse|filter)$/u.test(attribute('table:visibility')))

/** One that a condition hides says whether it did so when it was last shown. */
function isHiddenSection(attribute: Attribute): boolean {
  const display = attribute('text:display')
  return display === 'none' || (display === 'condition' && attribute('text:is-hidden') === 'true')
}

const levelOf = (attribute: Attribute): number => Number(attribute('text:outline-level')) || 1

const repeatsOf = (value: string): number => Math.min(REPEATS_MAX, Math.max(1, Number(value) || 1))
