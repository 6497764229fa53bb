// PPTX (ECMA-376 Part 1, §19) to text: slide by slide, each under its title.
import { UnreadableError } from '../../document.ts'
import type { BytesInput } from '../../page-input.ts'
import { openArchive, type Archive } from '../archive.ts'
import { documentPage, noDocument } from '../document-page.ts'
import { createDocumentWriter } from '../document-writer.ts'
import { readDiagram } from './diagram.ts'
import { readCoreProperties, readRelationships } from './office-parts.ts'
import { slideParagraph, writeSlide, type SlideLine, type SlideShape } from '../slide.ts'
import { createTableCells } from '../table-cells.ts'
import { readXml, withoutElements, type Attribute } from '../xml.ts'

const DAMAGED = 'The presentation is damaged and could not be read.'
const PRESENTATION = 'ppt/presentation.xml'
const SLIDES_MAX = 1_000
const isUnshown = (_written: string, name: string): boolean => name === 'Fallback'
const TITLES = new Set(['title', 'ctrTitle'])
/** What stands on every slide. */
const RUNNING = new Set(['sldNum', 'dt', 'ftr', 'hdr'])
/** Without words of their own: groups of shapes, and what has a name as shapes have. */
const OTHER_SHAPES = ['grpSp', 'pic', 'cxnSp', 'contentPart'] as const
const isTrue = (value: string): boolean => /^(?:1|true)$/u.test(value)

/** @throws {UnreadableError} for files that are damaged, protected, too large or no presentations. */
export async function readSlides(input: BytesInput) {
  const archive = await openArchive(input.content, DAMAGED)
  const roots = [...(await readRelationships(archive, '')).values()]
  const main = roots.find((name) => /(?:^|\/)presentation\d*\.xml$/iu.test(name)) ?? PRESENTATION
  const presentation = await archive.text(main)
  if (presentation === null) throw noDocument(DAMAGED)
  const writer = createDocumentWriter()
  const parts = slideParts(presentation, await readRelationships(archive, main))
  for (const [index, part] of parts.entries()) {
    if (writer.isFull()) break
    const slide = readSlide((await archive.text(part)) ?? '')
    if (slide.isHidden) continue
    await fillDiagrams(archive, part, slide)
    writeSlide(writer, index + 1, slide.shapes)
  }
  return documentPage(writer.finish(), await readCoreProperties(archive), input)
}

function slideParts(presentation: string, targets: ReadonlyMap<string, string>): string[] {
  const parts: string[] = []
  readXml(presentation, {
    open(name, attribute) {
      const part = name === 'sldId' ? targets.get(attribute('r:id')) : undefined
      if (part !== undefined && parts.length < SLIDES_MAX) parts.push(part)
    },
  })
  return parts
}

/** What a diagram says lies in a part of its own; the slide is told without one that cannot be read. */
async function fillDiagrams(archive: Archive, part: string, { diagrams }: Slide): Promise<void> {
  if (diagrams.length === 0) return
  try {
    const targets = await readRelationships(archive, part)
    for (const { shape, id } of diagrams) {
      const data = await archive.text(targets.get(id) ?? '')
      for (const line of readDiagram(data ?? '')) shape?.lines.push(slideParagraph(line))
    }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
  }
}

interface Slide {
  isHidden: boolean
  shapes: SlideShape[]
  /** Shapes that show one, and the relationship by which the slide names its data. */
  diagrams: { shape: SlideShape | undefined; id: string }[]
}

function readSlide(xml: string): Slide {
  const slide: Slide = { isHidden: false, shapes: [], diagrams: [] }
  let paragraph: SlideLine | null = null
  let [isRunning, isText] = [false, false]
  const add = (line: SlideLine): void => void slide.shapes.at(-1)?.lines.push(line)
  const row = (cells: readonly string[], isFirstRow: boolean): void => add({ text: '', cells, isFirstRow })
  const cells = createTableCells({ beginTable: () => undefined, row }, add)

  /** Whether each of the shapes that stand in one another is hidden. */
  const hidden: boolean[] = []
  const close = (): void => void hidden.pop()

  function append(text: string): void {
    if (paragraph !== null && !hidden.includes(true)) paragraph.text += text
  }
  function openShape(): void {
    hidden.push(false)
    slide.shapes.push({ isTitle: false, lines: [] })
    isRunning = false
  }
  const openDiagram = (id: string): void =>
    void (hidden.includes(true) || slide.diagrams.push({ shape: slide.shapes.at(-1), id }))
  function fillPlaceholder(type: string): void {
    const shape = slide.shapes.at(-1)
    if (shape !== undefined) shape.isTitle = TITLES.has(type)
    isRunning = RUNNING.has(type)
  }
  function closeParagraph(): void {
    if (paragraph !== null && !isRunning) cells.take(paragraph)
    paragraph = null
  }
  const openings = new Map<string, (attribute: Attribute) => unknown>([
    ['sld', (attribute) => (slide.isHidden = /^(?:0|false)$/u.test(attribute('show')))],
    ...['sp', 'graphicFrame'].map((name) => [name, openShape] as const),
    ...OTHER_SHAPES.map((name) => [name, () => hidden.push(false)] as const),
    ['cNvPr', (attribute) => (isTrue(attribute('hidden')) ? hidden.splice(-1, 1, true) : undefined)],
    ['ph', (attribute) => fillPlaceholder(attribute('type'))],
    ['relIds', (attribute) => openDiagram(attribute('r:dm'))],
    ['p', () => (paragraph = slideParagraph(''))],
    ['t', () => (isText = true)],
    ['br', () => append('\n')],
    ['tbl', () => cells.openTable()],
    ['tr', () => cells.openRow()],
    ['tc', () => cells.openCell()],
  ])
  const closings = new Map<string, () => unknown>([
    ['t', () => (isText = false)],
    ['p', closeParagraph],
    ['tc', () => cells.closeCell()],
    ['tr', () => cells.closeRow()],
    ['tbl', () => cells.closeTable()],
    ...['sp', 'graphicFrame', ...OTHER_SHAPES].map((name) => [name, close] as const),
  ])
  readXml(
    xml,
    withoutElements(isUnshown, {
      open: (name, attribute) => openings.get(name)?.(attribute),
      text: (part) => (isText ? append(part) : undefined),
      close: (name) => closings.get(name)?.(),
    }),
  )
  return slide
}
