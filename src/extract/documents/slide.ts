// One slide of a presentation: its title first, then what stands in its other shapes, in the order of the file.
import type { DocumentWriter } from './document-writer.ts'

export interface SlideLine {
  text: string
  /** Cells of a row in a table; null for a paragraph. */
  cells: readonly string[] | null
  isFirstRow: boolean
}

export interface SlideShape {
  isTitle: boolean
  lines: SlideLine[]
}

/** Without a shape that is marked as such, a first line up to this is the title. */
const TITLE_CHARACTERS_MAX = 160

export const slideParagraph = (text: string): SlideLine => ({ text, cells: null, isFirstRow: false })

export function writeSlide(writer: DocumentWriter, number: number, shapes: readonly SlideShape[]): void {
  const filled = shapes.filter(({ lines }) => lines.some(hasText))
  const title = filled.find(({ isTitle }) => isTitle) ?? filled.slice(0, 1).find(isLikeTitle)
  writer.beginPlace('slide', number, null)
  writer.heading(1, title?.lines.map(({ text }) => text).join('\n') ?? '')
  for (const shape of filled) if (shape !== title) writeLines(writer, shape.lines)
}

const hasText = ({ text, cells }: SlideLine): boolean => cells !== null || text.trim() !== ''

function isLikeTitle({ lines }: SlideShape): boolean {
  const [first, second] = lines.filter(hasText)
  return second === undefined && first?.cells === null && first.text.length <= TITLE_CHARACTERS_MAX
}

function writeLines(writer: DocumentWriter, lines: readonly SlideLine[]): void {
  for (const { text, cells, isFirstRow } of lines) {
    if (isFirstRow) writer.beginTable()
    if (cells === null) writer.write('list', text)
    else writer.row(cells, isFirstRow)
  }
}
