// What a document says, written down as its reader comes upon it: text, blocks under their headings, and where each
// page, sheet, slide or chapter begins.
import type { Block, BlockKind, PagePlace } from '../document.ts'
import { createRowWriter } from './document-table.ts'

const CHARACTERS_MAX = 1_000_000
const HEADING_LEVEL_MAX = 6
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
  const body = createBoundedText()
  const blocks: Block[] = []
  const places: PagePlace[] = []
  let open: { level: number; text: string }[] = []
  /** Whether a row or an item of a list was written last. */
  let isAfterLine = false

  /** Returns its block; null when it says nothing or there is no room. */
  function write(kind: BlockKind, raw: string, about: Partial<Block> = {}): Block | null {
    const text = raw.trim()
    const isLine = kind === 'table' || kind === 'list'
    if (body.isCut() || !/[\p{L}\p{N}]/u.test(text)) return null
    const start = body.append(text, isLine && isAfterLine ? '\n' : '\n\n')
    if (start === null) return null
    isAfterLine = isLine
    const headings = open.map(({ text: above }) => above)
    const block = { kind, start, end: body.length(), headings, contentWeight: CONTENT_WEIGHT, ...about }
    blocks.push(block)
    return block
  }
  function heading(level: number, raw: string): void {
    const text = raw.replace(/\s+/gu, ' ').trim()
    open = open.filter((above) => above.level < level)
    if (text === '') return
    write('heading', raw, { level: Math.min(level, HEADING_LEVEL_MAX) })
    open.push({ level, text })
  }
  const row = createRowWriter((text) => write('table', text))

  return {
    /** Whether nothing more will be taken. */
    isFull: body.isCut,
    length: body.length,
    write,
    /** A page, sheet … begins here; the one before is forgotten when it holds no text. */
    beginPlace(kind: PagePlace['kind'], number: number, name: string | null): void {
      if (places.at(-1)?.start === body.length()) places.pop()
      places.push({ kind, number, name, start: body.length() })
    },
    /** Level 1 is the outermost. An empty one ends the headings of its level. */
    heading,
    /** The next row is the first of its table. */
    beginTable(): void {
      isAfterLine = false
    },
    /** Its cells, without the empty ones. The first row of a table stands above the others when it holds names alone. */
    row,
    /** Takes over what another reader made of a part. */
    takeOver(text: string, taken: readonly Block[]): void {
      const start = body.isCut() ? null : body.append(text, '\n\n')
      if (start === null) return
      isAfterLine = false
      for (const block of taken) blocks.push({ ...block, start: block.start + start, end: block.end + start })
    },
    finish: (): WrittenDocument => ({
      text: body.whole(),
      blocks,
      places: withText(places, body.length()),
      isCut: body.isCut(),
    }),
  }
}

/** What is appended, up to a million characters; what finds no room is left out whole. */
function createBoundedText() {
  const parts: string[] = []
  let length = 0
  let isCut = false
  return {
    length: (): number => length,
    /** Whether something found no room. */
    isCut: (): boolean => isCut,
    whole: (): string => parts.join(''),
    /** Returns where it stands; null when there is no room. */
    append(text: string, separator: string): number | null {
      const before = length === 0 ? '' : separator
      if (length + before.length + text.length > CHARACTERS_MAX) {
        isCut = true
        return null
      }
      parts.push(before, text)
      const start = length + before.length
      length = start + text.length
      return start
    },
  }
}

const withText = (places: readonly PagePlace[], length: number): PagePlace[] =>
  places.filter(({ start }) => start < length)
