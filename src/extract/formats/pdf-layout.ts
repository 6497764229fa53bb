// Printed lines to paragraphs and headings: by the gaps between them and the size of their letters.
import type { Block, BlockKind, PagePlace } from '../document.ts'

export interface PdfLine {
  page: number
  text: string
  /** Left end of the base line, in points from the lower left corner of the page. */
  x: number
  y: number
  /** Height of the letters in points; 0 when the file does not tell. */
  height: number
}

/** A gap above this, in heights of a line, begins a paragraph. */
const PARAGRAPH_GAP = 1.7
const HEADING_SIZE = 1.12
const LONGEST_HEADING = 160
const DEEPEST_LEVEL = 6
/** Lines that stand on this many pages are running heads and feet. */
const RUNNING_PAGES = 3
const CONTENT_WEIGHT = 0.9
const RUNNING_WEIGHT = 0

interface Paragraph {
  lines: PdfLine[]
  running: boolean
}

export interface PdfText {
  text: string
  blocks: Block[]
  /** A paragraph that runs over the foot of a page belongs to the page on which it begins. */
  places: PagePlace[]
}

/** Writes lines out with a line break after each and an empty line after a paragraph. */
export function layOutPdf(lines: readonly PdfLine[]): PdfText {
  const body = bodyHeight(lines)
  const running = runningLines(lines)
  const paragraphs = paragraphsOf(lines, running)
  const levels = headingSizes(paragraphs, body)
  const parts: string[] = []
  const blocks: Block[] = []
  const places: PagePlace[] = []
  let open: { level: number; text: string }[] = []
  let headings: readonly string[] = []
  let at = 0
  for (const paragraph of paragraphs) {
    const text = paragraph.lines.map((line) => line.text).join('\n')
    const number = paragraph.lines[0]?.page ?? 1
    if (places.at(-1)?.number !== number) places.push({ kind: 'page', number, name: null, start: at })
    const level = paragraph.running ? -1 : levels.indexOf(sizeOf(paragraph))
    const isHeading = level >= 0 && text.length <= LONGEST_HEADING
    if (isHeading) {
      open = open.filter((heading) => heading.level < level)
      headings = open.map((heading) => heading.text)
    }
    const kind: BlockKind = isHeading ? 'heading' : 'paragraph'
    const contentWeight = paragraph.running ? RUNNING_WEIGHT : CONTENT_WEIGHT
    if (/[\p{L}\p{N}]/u.test(text))
      blocks.push({
        kind,
        start: at,
        end: at + text.length,
        headings,
        contentWeight,
        ...(isHeading ? { level: Math.min(DEEPEST_LEVEL, level + 1) } : {}),
      })
    if (isHeading) {
      open.push({ level, text: text.replaceAll('\n', ' ') })
      headings = open.map((heading) => heading.text)
    }
    parts.push(text)
    at += text.length + 2
  }
  return { text: parts.join('\n\n'), blocks, places }
}

/** The height that most characters have. */
function bodyHeight(lines: readonly PdfLine[]): number {
  const characters = new Map<number, number>()
  for (const { height, text } of lines) {
    const size = rounded(height)
    characters.set(size, (characters.get(size) ?? 0) + text.length)
  }
  return [...characters].toSorted((left, right) => right[1] - left[1])[0]?.[0] ?? 0
}

const rounded = (height: number): number => Math.round(height * 2) / 2
const sizeOf = (paragraph: Paragraph): number => rounded(paragraph.lines[0]?.height ?? 0)

/** Texts, digits aside, that open or close three pages or more. */
function runningLines(lines: readonly PdfLine[]): ReadonlySet<string> {
  const pages = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    const isAtEdge = lines[index - 1]?.page !== line.page || lines[index + 1]?.page !== line.page
    if (isAtEdge) pages.set(withoutDigits(line.text), (pages.get(withoutDigits(line.text)) ?? 0) + 1)
  }
  return new Set([...pages].filter(([, count]) => count >= RUNNING_PAGES).map(([text]) => text))
}

const withoutDigits = (text: string): string => text.replace(/\d+/g, '#')

function paragraphsOf(lines: readonly PdfLine[], running: ReadonlySet<string>): Paragraph[] {
  const paragraphs: Paragraph[] = []
  for (const line of lines) {
    const isRunning = running.has(withoutDigits(line.text))
    const open = paragraphs.at(-1)
    const last = open?.lines.at(-1)
    if (open === undefined || last === undefined || isRunning || open.running || beginsParagraph(last, line))
      paragraphs.push({ lines: [line], running: isRunning })
    else open.lines.push(line)
  }
  return paragraphs
}

function beginsParagraph(last: PdfLine, line: PdfLine): boolean {
  if (rounded(last.height) !== rounded(line.height) && last.height > 0 && line.height > 0) {
    const ratio = line.height / last.height
    if (ratio > HEADING_SIZE || ratio < 1 / HEADING_SIZE) return true
  }
  const endsSentence = /[.!?:。！？]["'”’)\]]?$/.test(last.text)
  // The next page or the next column: the sentence may go on there.
  if (line.page !== last.page || line.y > last.y) return endsSentence
  const gap = last.y - line.y
  const height = Math.max(line.height, last.height)
  if (height > 0 && gap > PARAGRAPH_GAP * height) return true
  const isIndented = line.x > last.x + height && line.x < last.x + 6 * height
  return endsSentence && isIndented
}

/** Sizes clearly above the body's, largest first: the levels of headings. */
function headingSizes(paragraphs: readonly Paragraph[], body: number): number[] {
  const sizes = new Set(paragraphs.map(sizeOf).filter((size) => size >= body * HEADING_SIZE))
  return [...sizes].toSorted((left, right) => right - left)
}
