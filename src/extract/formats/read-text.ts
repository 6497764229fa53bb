// Plain text and Markdown to blocks: the text stays as it was sent, the blocks are found line by line.
import type { Block, BlockKind, PageText } from '../document.ts'
import { detectLanguage } from '../language.ts'
import type { TextInput } from '../page-input.ts'
import { datesFromHeader } from '../dates/choose-dates.ts'

const MOST_CHARACTERS = 1_000_000
const LONGEST_TITLE = 300
/** Nothing in such a file is navigation; a little below 1, because nothing was weighed either. */
const CONTENT_WEIGHT = 0.9

const MARKDOWN = /markdown$/

interface Line {
  start: number
  end: number
  text: string
}

interface LineBlock {
  kind: BlockKind
  start: number
  end: number
  level: number
}

/** Reads `text/plain` and `text/markdown`. Line ends become "\n", as a browser shows them. */
export function readLines(input: TextInput): PageText {
  const text = input.content.slice(0, MOST_CHARACTERS).replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
  const isMarkdownFile = /\.(?:md|markdown)$/i.test(input.url)
  const isMarkdown = input.mediaType !== 'text/plain' || isMarkdownFile
  const found = findBlocks(linesOf(text), isMarkdown)
  const blocks = withHeadings(text, found)
  const title = found.find(({ kind }) => kind === 'heading') ?? found[0]
  return {
    title: title === undefined ? null : headingText(text, title).slice(0, LONGEST_TITLE),
    text,
    blocks,
    baseUrl: input.url,
    notation: MARKDOWN.test(input.mediaType) || isMarkdownFile ? 'markdown' : 'wrapped-lines',
    isCut: input.content.length > MOST_CHARACTERS,
    ...datesFromHeader(input),
    language: detectLanguage({ attribute: '', header: input.contentLanguage, text, blocks }),
  }
}

function linesOf(text: string): Line[] {
  let at = 0
  return text.split('\n').map((line) => {
    const start = at
    at += line.length + 1
    return { start, end: start + line.length, text: line }
  })
}

const FENCE = /^ {0,3}(?:```|~~~)/
const HEADING = /^ {0,3}(#{1,6})\s/
const LIST_ITEM = /^\s{0,12}(?:[-*+•]|\d{1,3}[.)])\s/
const TABLE_ROW = /^\s{0,3}\|/
const QUOTE = /^ {0,3}>/
const UNDERLINE = /^ {0,3}(=|-){3,}\s*$/

/** Blank lines end a block; so does a line that begins another kind, or the next item of a list. */
function findBlocks(lines: readonly Line[], isMarkdown: boolean): LineBlock[] {
  const blocks: LineBlock[] = []
  let open: LineBlock | null = null
  let inFence = false
  for (const line of lines) {
    const isFence = isMarkdown && FENCE.test(line.text)
    if (isFence) inFence = !inFence
    if (isFence || (line.text.trim() === '' && !inFence)) {
      open = null
      continue
    }
    const kind: BlockKind = inFence ? 'code' : kindOf(line.text, isMarkdown)
    const underlined: LineBlock | null =
      isMarkdown && open?.kind === 'paragraph' && UNDERLINE.test(line.text) ? open : null
    if (underlined !== null) {
      underlined.kind = 'heading'
      underlined.level = line.text.includes('=') ? 1 : 2
      open = null
      continue
    }
    const isContinued: boolean =
      open !== null && (kind === open.kind || continues(open.kind, kind)) && !startsAnew(line.text, kind)
    if (open === null || !isContinued) {
      open = { kind, start: line.start, end: line.end, level: HEADING.exec(line.text)?.[1]?.length ?? 0 }
      blocks.push(open)
    }
    open.end = line.end
  }
  return blocks
}

function kindOf(line: string, isMarkdown: boolean): BlockKind {
  if (LIST_ITEM.test(line)) return 'list'
  if (!isMarkdown) return 'paragraph'
  if (HEADING.test(line)) return 'heading'
  if (TABLE_ROW.test(line)) return 'table'
  return QUOTE.test(line) ? 'quote' : 'paragraph'
}

/** The second line of a list item or quotation looks like a paragraph. */
const continues = (open: BlockKind, next: BlockKind): boolean =>
  next === 'paragraph' && (open === 'list' || open === 'quote')

const startsAnew = (line: string, kind: BlockKind): boolean =>
  kind === 'heading' || kind === 'table' || LIST_ITEM.test(line)

function withHeadings(text: string, found: readonly LineBlock[]): Block[] {
  let open: { level: number; text: string }[] = []
  let headings: readonly string[] = []
  const blocks: Block[] = []
  for (const { kind, start, end, level } of found) {
    if (kind === 'heading') {
      open = open.filter((heading) => heading.level < level)
      headings = open.map((heading) => heading.text)
    }
    const slice = text.slice(start, end)
    const trimmedStart = start + slice.length - slice.trimStart().length
    if (/[\p{L}\p{N}]/u.test(slice))
      blocks.push({
        kind,
        start: trimmedStart,
        end: start + slice.trimEnd().length,
        headings,
        contentWeight: CONTENT_WEIGHT,
        ...(level > 0 ? { level } : {}),
      })
    if (kind !== 'heading') continue
    open.push({ level, text: headingText(text, { start, end }) })
    headings = open.map((heading) => heading.text)
  }
  return blocks
}

/** A heading without its marks. */
function headingText(text: string, { start, end }: { start: number; end: number }): string {
  const line = text.slice(start, end).trim().split('\n')[0] ?? ''
  return line.replace(/^#{1,6}\s/, '').trim()
}
