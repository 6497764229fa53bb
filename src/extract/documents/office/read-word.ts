// DOCX (ECMA-376 Part 1, §17) to text: paragraphs, lists and tables as they are shown, each note after its paragraph.
import type { BytesInput } from '../../page-input.ts'
import { openArchive, type Archive } from '../archive.ts'
import { documentPage, noDocument } from '../document-page.ts'
import { createDocumentWriter, type DocumentWriter } from '../document-writer.ts'
import { readCoreProperties, readRelationships } from './office-parts.ts'
import { createPageCounter, withoutPages } from '../page-counter.ts'
import { createTableCells } from '../table-cells.ts'
import { isOn, outlineLevel, readWordStyles, type ParagraphStyle } from './word-styles.ts'
import { createRunLook, isOnPaper } from './word-unseen.ts'
import { readXml, textsOf, withoutElements, type Attribute } from '../xml.ts'

const DAMAGED = 'The Word document is damaged and could not be read.'
const CONTENTS_WEIGHT = 0.02
/** What was taken out, what older programs show instead, how text looked before, and readings above characters. */
const UNSHOWN = new Set(['del', 'moveFrom', 'Fallback', 'rPrChange', 'pPrChange', 'rt'])
const isUnshown = (_written: string, name: string): boolean => UNSHOWN.has(name)

/** @throws {UnreadableError} for files that are damaged, protected, too large or no Word documents. */
export async function readWord(input: BytesInput) {
  const archive = await openArchive(input.content, DAMAGED)
  const part = await mainPart(archive)
  const xml = await archive.text(part)
  if (xml === null) throw noDocument(DAMAGED)
  const styleOf = readWordStyles((await archive.text('word/styles.xml')) ?? '')
  const writer = createDocumentWriter()
  const pages = writeBody(xml, styleOf, writer, {
    footnoteReference: readNotes((await archive.text('word/footnotes.xml')) ?? ''),
    endnoteReference: readNotes((await archive.text('word/endnotes.xml')) ?? ''),
    isOnPaper: await liesOnPaper(archive, part, xml),
  })
  const written = writer.finish()
  const arePagesTold = xml.includes('lastRenderedPageBreak') || pages === (await pageCount(archive))
  return documentPage(
    arePagesTold ? written : withoutPages(written),
    await readCoreProperties(archive),
    input,
  )
}

async function mainPart(archive: Archive): Promise<string> {
  const targets = await readRelationships(archive, '')
  return [...targets.values()].find((name) => /(?:^|\/)document\d*\.xml$/u.test(name)) ?? 'word/document.xml'
}

/**
 * Word writes where its pages broke when it last showed them; other programs do not, and then breaks made by hand are
 * all there are only if the file counts as many pages.
 */
async function pageCount(archive: Archive): Promise<number> {
  const properties = textsOf((await archive.text('docProps/app.xml')) ?? '', new Set(['Pages']))
  return Number(properties.get('Pages') ?? 0)
}

const HEADERS_MAX = 20

/** Whether nothing but paper lies behind words: what stands at the head or foot of pages may reach all over them. */
async function liesOnPaper(archive: Archive, part: string, xml: string): Promise<boolean> {
  const related = [...(await readRelationships(archive, part)).values()]
  const headers = related.filter((name) => /(?:header|footer)\d*\.xml$/u.test(name))
  if (headers.length > HEADERS_MAX || !isOnPaper([xml])) return false
  try {
    const parts = await Promise.all(headers.map((name) => archive.text(name)))
    return isOnPaper(parts.map((header) => header ?? ''))
  } catch {
    // What cannot be read may hold a picture.
    return false
  }
}

interface Paragraph {
  text: string
  style: ParagraphStyle
  isItem: boolean
  /** A colour lies behind it. */
  isShaded: boolean
}

/** Texts of notes by the ids that the body refers to them with. */
type Notes = ReadonlyMap<string, string>

function readNotes(xml: string): Notes {
  const notes = new Map<string, string>()
  let [id, isText] = ['', false]
  const add = (text: string): void => void notes.set(id, (notes.get(id) ?? '') + text)
  readXml(
    xml,
    withoutElements(isUnshown, {
      open(name, attribute) {
        if (name === 'footnote' || name === 'endnote') id = attribute('w:id')
        isText = name === 't'
      },
      text: (part) => (isText ? add(part) : undefined),
      close(name) {
        isText = false
        if (name === 'p') add('\n')
      },
    }),
  )
  return notes
}

/** The paragraphs, tables and runs that are open, and what becomes of them when they are whole. */
function createBody(styleOf: (id: string) => ParagraphStyle, writer: DocumentWriter, isPaper: boolean) {
  const cells = createTableCells(writer, (paragraph: Paragraph) => writeParagraph(writer, paragraph))
  const pages = createPageCounter(writer)
  const look = createRunLook()
  const paragraphs: Paragraph[] = []
  /** Of the paragraph or table that is open: they stand at the foot of its page. */
  let notes: string[] = []

  function writeNotes(): void {
    if (cells.isOpen() || paragraphs.length > 0) return
    for (const note of notes) writer.write('paragraph', note)
    notes = []
  }
  return {
    cells,
    pages,
    run: { isOpen: false, isHidden: false, isText: false },
    append(text: string): void {
      const paragraph = paragraphs.at(-1)
      if (paragraph === undefined || !this.run.isOpen || this.run.isHidden) return
      const isBare = isPaper && paragraphs.length === 1 && !cells.isOpen() && !isShaded(paragraph)
      if (!look.hides(text, isBare)) paragraph.text += text
    },
    /** In a style that hides its paragraph until the run itself says otherwise. */
    openRun(): void {
      const isHidden = paragraphs.at(-1)?.style.isHidden ?? false
      Object.assign(this.run, { isOpen: true, isHidden, isText: false })
      look.begin()
    },
    /** A property of the run that is open, else of its paragraph. */
    note(name: string, attribute: Attribute): void {
      if (this.run.isOpen) look.note(name, attribute)
      else if (name === 'shd') this.restyle({ isShaded: true })
    },
    styleRun(style: ParagraphStyle): void {
      if (style.isHidden && this.run.isOpen) this.run.isHidden = true
      if (style.isShaded) look.dress()
    },
    addNote: (text: string): void => void notes.push(text),
    breakPage: (): void => pages.breakAfter(paragraphs.at(-1)?.text ?? ''),
    restyle(change: Partial<Paragraph>): void {
      const paragraph = paragraphs.at(-1)
      if (paragraph !== undefined) Object.assign(paragraph, change)
    },
    outline(headingLevel: number | null): void {
      const paragraph = paragraphs.at(-1)
      if (paragraph === undefined || headingLevel === null) return
      paragraph.style = { ...paragraph.style, headingLevel, isContentsList: false }
    },
    openParagraph: (): void =>
      void paragraphs.push({ text: '', style: styleOf(''), isItem: false, isShaded: false }),
    closeParagraph(): void {
      const paragraph = paragraphs.pop()
      if (paragraph !== undefined) cells.take(paragraph)
      writeNotes()
      pages.paragraphEnds()
    },
    closeTable(): void {
      cells.closeTable()
      writeNotes()
    },
  }
}

type NotesByReference = Readonly<Record<'footnoteReference' | 'endnoteReference', Notes>>

interface Surroundings extends NotesByReference {
  /** Nothing but paper lies behind its words. */
  isOnPaper: boolean
}

const isShaded = (paragraph: Paragraph): boolean => paragraph.isShaded || paragraph.style.isShaded

/** Returns how many pages it counted. */
function writeBody(
  xml: string,
  styleOf: (id: string) => ParagraphStyle,
  writer: DocumentWriter,
  around: Surroundings,
): number {
  const body = createBody(styleOf, writer, around.isOnPaper)
  const { cells, pages, run } = body
  const refer = (kind: keyof NotesByReference) => (attribute: Attribute) =>
    body.addNote(around[kind].get(attribute('w:id')) ?? '')
  const openings = new Map<string, (attribute: Attribute) => unknown>([
    ['p', () => body.openParagraph()],
    ['r', () => body.openRun()],
    ['t', () => Object.assign(run, { isText: true })],
    ['vanish', (attribute) => Object.assign(run, { isHidden: run.isOpen && isOn(attribute('val')) })],
    ['tab', () => body.append('\t')],
    ['cr', () => body.append('\n')],
    ['noBreakHyphen', () => body.append('\u2011')],
    ['br', (attribute) => (attribute('type') === 'page' ? body.breakPage() : body.append('\n'))],
    ['lastRenderedPageBreak', () => body.breakPage()],
    ['pageBreakBefore', (attribute) => (isOn(attribute('val')) ? pages.breakAfter('') : undefined)],
    ['rStyle', (attribute) => body.styleRun(styleOf(attribute('val')))],
    ['pStyle', (attribute) => body.restyle({ style: styleOf(attribute('val')) })],
    ['numId', (attribute) => body.restyle({ isItem: attribute('val') !== '0' })],
    ['outlineLvl', (attribute) => body.outline(outlineLevel(attribute('val')))],
    ['footnoteReference', refer('footnoteReference')],
    ['endnoteReference', refer('endnoteReference')],
    ['tbl', () => cells.openTable()],
    ['tr', () => cells.openRow()],
    ['tc', () => cells.openCell()],
  ])
  const closings = new Map<string, () => unknown>([
    ['t', () => Object.assign(run, { isText: false })],
    ['r', () => Object.assign(run, { isOpen: false })],
    ['p', () => body.closeParagraph()],
    ['tc', () => cells.closeCell()],
    ['tr', () => cells.closeRow()],
    ['tbl', () => body.closeTable()],
  ])
  const handler = withoutElements(isUnshown, {
    open(name, attribute) {
      if (writer.isFull()) return
      const open = openings.get(name)
      if (open === undefined) body.note(name, attribute)
      else open(attribute)
    },
    text: (part) => (run.isText ? body.append(part) : undefined),
    close: (name) => closings.get(name)?.(),
  })
  readXml(xml, handler)
  return pages.count()
}

function writeParagraph(writer: DocumentWriter, { text, style, isItem }: Paragraph): void {
  if (style.headingLevel !== null) writer.heading(style.headingLevel, text)
  else
    writer.write(
      isItem ? 'list' : 'paragraph',
      text,
      style.isContentsList ? { contentWeight: CONTENTS_WEIGHT } : {},
    )
}
