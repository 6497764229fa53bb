// The paragraphs, spans, notes and tables of an OpenDocument file that are open, and what becomes of them when they are
// whole.
import type { DocumentWriter } from '../document-writer.ts'
import type { OpenDocumentStyles } from './open-document-styles.ts'
import { createPageCounter } from '../page-counter.ts'
import { slideParagraph, type SlideLine } from '../slide.ts'
import { createTableCells } from '../table-cells.ts'

const CONTENTS_WEIGHT = 0.02

interface Paragraph {
  text: string
  isHidden: boolean
  headingLevel: number | null
  isItem: boolean
  /** Inside a table of contents. */
  isContentsList: boolean
}

/** `onSlide` takes what is read in a presentation, whose slides are written when they are whole; null elsewhere. */
export function createOpenDocumentBody(
  styles: OpenDocumentStyles,
  writer: DocumentWriter,
  onSlide: ((line: SlideLine) => void) | null,
) {
  const depth = { lists: 0, contentsLists: 0, notes: 0 }
  /** Whether each of the open paragraphs and spans is hidden. */
  const hidden: boolean[] = []
  const paragraphs: Paragraph[] = []
  /** Of the paragraph or table that is open: they stand at the foot of its page. */
  let notes: string[] = []
  const pages = createPageCounter(writer)
  const cells =
    onSlide === null
      ? createTableCells(writer, (paragraph: Paragraph) => writeParagraph(writer, paragraph))
      : createTableCells(rowsOn(onSlide), ({ text }: Paragraph) => onSlide(slideParagraph(text)))

  function writeNotes(): void {
    if (cells.isOpen() || paragraphs.length > 0) return
    for (const note of notes) writer.write('paragraph', note)
    notes = []
  }
  return {
    cells,
    /** Lists, tables of contents and notes around what is read. */
    depth,
    pageCount: (): number => pages.count(),
    append(text: string): void {
      const paragraph = paragraphs.at(-1)
      if (paragraph !== undefined && !hidden.includes(true)) paragraph.text += text
    },
    breakPage: (): void => pages.breakAfter(paragraphs.at(-1)?.text ?? ''),
    openParagraph(style: string, headingLevel: number | null): void {
      if (styles.breaksBefore(style)) pages.breakAfter('')
      const { lists, contentsLists } = depth
      const isContentsList = contentsLists > 0
      paragraphs.push({ text: '', isHidden: false, headingLevel, isItem: lists > 0, isContentsList })
      hidden.push(styles.isHidden(style))
    },
    closeParagraph(): void {
      hidden.pop()
      const paragraph = paragraphs.pop()
      if (paragraph === undefined) return
      if (paragraph.isHidden) paragraph.text = ''
      if (depth.notes > 0) notes.push(paragraph.text)
      else cells.take(paragraph)
      writeNotes()
      pages.paragraphEnds()
    },
    openSpan: (style: string): void => void hidden.push(styles.isHidden(style)),
    /** A mark in a paragraph that hides all of it, or may: what stands in the mark is its condition. */
    openHiding(isHidden: boolean): void {
      hidden.push(true)
      const paragraph = paragraphs.at(-1)
      if (paragraph !== undefined && isHidden) paragraph.isHidden = true
    },
    closeSpan: (): void => void hidden.pop(),
    closeTable(): void {
      cells.closeTable()
      writeNotes()
    },
  }
}

const rowsOn = (onSlide: (line: SlideLine) => void) => ({
  beginTable: (): void => undefined,
  row: (cells: readonly string[], isFirstRow: boolean): void => onSlide({ text: '', cells, isFirstRow }),
})

function writeParagraph(writer: DocumentWriter, paragraph: Paragraph): void {
  const { text, headingLevel, isItem, isContentsList } = paragraph
  if (headingLevel !== null) writer.heading(headingLevel, text)
  else
    writer.write(
      isItem ? 'list' : 'paragraph',
      text,
      isContentsList ? { contentWeight: CONTENTS_WEIGHT } : {},
    )
}
