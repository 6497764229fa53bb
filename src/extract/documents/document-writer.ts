// What a document says, written down as its reader comes upon it: text, blocks under their headings, and where each page,
// sheet, slide or chapter begins.
import type { Block, BlockKind, PagePlace } from '../document.ts'

const CHARACTERS_MAX = 1_000_000
const HEADING_LEVEL_MAX = 6
/** Of the first row of a table that is kept above its other rows. */
const COLUMN_NAMES_MAX = 300
/** Nothing in a document is navigation; a little below 1, because nothing was weighed either. */
const CONTENT_WEIGHT = 0.9

export interface WrittenDocument {
  text: string
  blocks: Block[]
  places: PagePlace[]
  isCut: boolean
}

export type DocumentWriter = ReturnType<typeof createDocumentWriter>

/** Text beyond a million characters is left out. */
export function createDocumentWriter() {
  const parts: string[] = []
  const blocks: Block[] = []
  const places: PagePlace[] = []
  let length = 0
  let isCut = false
  let open: { level: number; text: string }[] = []
  let columns: string | null = null
  /** Whether a row or an item of a list was written last. */
  let isAfterLine = false

  /** Returns where it stands; null when there is no room. */
  function append(text: string, separator: string): number | null {
    const before = length === 0 ? '' : separator
    if (length + before.length + text.length > CHARACTERS_MAX) {
      isCut = true
      return null
    }
    parts.push(before, text)
    const start = length + before.length
    length = start + text.length
    return start
  }

  function write(kind: BlockKind, raw: string, contentWeight = CONTENT_WEIGHT, level?: number): void {
    const text = raw.trim()
    const isLine = kind === 'table' || kind === 'list'
    if (isCut || !/[\p{L}\p{N}]/u.test(text)) return
    const start = append(text, isLine && isAfterLine ? '\n' : '\n\n')
    if (start === null) return
    isAfterLine = isLine
    const headings = open.map((heading) => heading.text)
    if (kind === 'table' && columns !== null) headings.push(columns)
    const about = level === undefined ? {} : { level: Math.min(level, HEADING_LEVEL_MAX) }
    blocks.push({ kind, start, end: length, headings, contentWeight, ...about })
  }

  return {
    /** Whether nothing more will be taken. */
    isFull: (): boolean => isCut,
    length: (): number => length,
    write,
    /** A page, sheet … begins here; the one before is forgotten when it holds no text. */
    beginPlace(kind: PagePlace['kind'], number: number, name: string | null): void {
      if (places.at(-1)?.start === length) places.pop()
      places.push({ kind, number, name, start: length })
    },
    /** Level 1 is the outermost. An empty one ends the headings of its level. */
    heading(level: number, raw: string): void {
      const text = raw.replace(/\s+/gu, ' ').trim()
      open = open.filter((heading) => heading.level < level)
      columns = null
      if (text === '') return
      write('heading', raw, CONTENT_WEIGHT, level)
      open.push({ level, text })
    },
    /** The next row is the first of its table. */
    beginTable(): void {
      columns = null
      isAfterLine = false
    },
    /** Its cells, without the empty ones. The first row of a table stands above the others when it holds names alone. */
    row(cells: readonly string[], isFirst: boolean): void {
      const shown = cells.map((cell) => cell.replace(/\s+/gu, ' ').trim()).filter((cell) => cell !== '')
      write('table', shown.join('\t'))
      if (isFirst) columns = columnNames(shown)
    },
    /** Takes over what another reader made of a part. */
    takeOver(text: string, taken: readonly Block[]): void {
      const start = isCut ? null : append(text, '\n\n')
      if (start === null) return
      isAfterLine = false
      for (const block of taken) blocks.push({ ...block, start: block.start + start, end: block.end + start })
    },
    finish: (): WrittenDocument => ({
      text: parts.join(''),
      blocks,
      places: withText(places, length),
      isCut,
    }),
  }
}

const withText = (places: readonly PagePlace[], length: number): PagePlace[] =>
  places.filter(({ start }) => start < length)

function columnNames(cells: readonly string[]): string | null {
  const areNames = cells.length > 1 && cells.every((cell) => /\p{L}/u.test(cell))
  return areNames ? cells.join(' · ').slice(0, COLUMN_NAMES_MAX) : null
}
