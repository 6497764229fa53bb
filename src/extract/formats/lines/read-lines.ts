// Plain text and Markdown to blocks: the text stays as it was sent, but for comments of Markdown, the blocks are found line by line.
import type { Block, PageText } from '../../document.ts'
import { detectLanguage } from '../../language.ts'
import type { TextInput } from '../../page-input.ts'
import { datesFromHeader } from '../../dates/choose-dates.ts'
import { withoutCommentLines } from './comment-lines.ts'
import { findBlocks, type LineBlock, linesOf } from './line-blocks.ts'
import { createLineStructure } from './line-structure.ts'
import { frontMatterOf, headingText, titleOf } from './line-title.ts'

const MOST_CHARACTERS = 1_000_000
const LONGEST_HEADING = 200
/** Nothing in such a file is navigation; a little below 1, because nothing was weighed either. */
const CONTENT_WEIGHT = 0.9

const MARKDOWN = /markdown$/

/** Reads `text/plain` and `text/markdown`. Line ends become "\n", as a browser shows them. */
export function readLines(input: TextInput): PageText {
  const sent = input.content.slice(0, MOST_CHARACTERS).replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
  const isMarkdownFile = /\.(?:md|markdown)$/i.test(input.url)
  const isMarkdown = input.mediaType !== 'text/plain' || isMarkdownFile
  const notation = MARKDOWN.test(input.mediaType) || isMarkdownFile ? 'markdown' : 'wrapped-lines'
  const text = notation === 'markdown' ? withoutCommentLines(sent) : sent
  const frontMatter = frontMatterOf(text)
  const found = findBlocks(
    linesOf(text).filter(({ start }) => start >= frontMatter.length),
    isMarkdown,
  )
  const blocks = withHeadings(text, found, isMarkdown)
  return {
    title: titleOf(text, { frontMatter, found, isMarkdown }),
    text,
    blocks,
    baseUrl: input.url,
    notation,
    isCut: input.content.length > MOST_CHARACTERS,
    ...datesFromHeader(input),
    language: detectLanguage({ attribute: '', header: input.contentLanguage, text, blocks }),
  }
}

function withHeadings(text: string, found: readonly LineBlock[], isMarkdown: boolean): Block[] {
  let open: { level: number; text: string }[] = []
  let headings: readonly string[] = []
  const blocks: Block[] = []
  const structureOf = createLineStructure(text, isMarkdown)
  for (const [index, block] of found.entries()) {
    const { kind, start, end, level } = block
    const structure = structureOf(block, found[index + 1])
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
        headings: [...headings, ...columnNames(structure.table)],
        contentWeight: CONTENT_WEIGHT,
        ...(level > 0 ? { level } : {}),
        ...structure,
      })
    if (kind !== 'heading') continue
    open.push({ level, text: headingText(text, { start, end }) })
    headings = open.map((heading) => heading.text)
  }
  return blocks
}

/** The names of a row's columns stand above it like a heading. */
function columnNames(table: Block['table']): string[] {
  const names = table?.cells.flatMap(({ columnHeaders }) => columnHeaders) ?? []
  return names.length === 0 ? [] : [names.join(' ').slice(0, LONGEST_HEADING)]
}
