// The title of plain text and Markdown: what front matter calls it, else its first heading, else its first line.
import type { LineBlock } from './line-blocks.ts'

const LONGEST_TITLE = 300

/** YAML between two rules at the very beginning, as the generators of sites take it: it is about the page, not on it. */
const FRONT_MATTER =
  /^---[ \t]{0,20}\n[A-Za-z][\w-]{0,60}[ \t]{0,9}:(?:[^\n]*\n){1,200}?---[ \t]{0,20}(?:\n|$)/
/** A value on the line of its key, in quotation marks or without: not a block, a list or a map. */
const TITLE_KEY =
  /^title[ \t]{0,9}:[ \t]{0,9}(?:"([^"\n]{1,1000})"|'([^'\n]{1,1000})'|([^\s"'|>[{&*!][^\n]{0,1000}))/im
const SAYS_SOMETHING = /[\p{L}\p{N}]/u

/** What the text begins with; '' where it has none. */
export const frontMatterOf = (text: string): string => FRONT_MATTER.exec(text)?.[0] ?? ''

interface Lines {
  frontMatter: string
  /** The blocks below it. */
  found: readonly LineBlock[]
  isMarkdown: boolean
}

/** Null where no line says anything. */
export function titleOf(text: string, { frontMatter, found, isMarkdown }: Lines): string | null {
  const [, ...named] = TITLE_KEY.exec(frontMatter) ?? []
  const name = named.find((value) => value !== undefined)?.trim()
  if (name !== undefined) return name.slice(0, LONGEST_TITLE)
  const says = found.filter(({ start, end }) => SAYS_SOMETHING.test(text.slice(start, end)))
  const block = says.find(({ kind }) => kind === 'heading') ?? says[0]
  if (block === undefined) return null
  const line = headingText(text, block)
  return (isMarkdown ? withoutMarks(line) : line).slice(0, LONGEST_TITLE)
}

/** The first line of a block that says something, without the marks of a heading. */
export function headingText(text: string, { start, end }: Pick<LineBlock, 'start' | 'end'>): string {
  const lines = text.slice(start, end).split('\n')
  const line = lines.find((part) => SAYS_SOMETHING.test(part)) ?? lines[0] ?? ''
  return line
    .trim()
    .replace(/^#{1,6}\s/, '')
    .replace(/\s#{1,20}$/, '')
    .trim()
}

/** A title is shown as it would be read: links by their text, and neither stars nor ticks around words. */
function withoutMarks(line: string): string {
  const shown = line
    .replaceAll(/!\[([^[\]]{0,300})\]\([^()]{0,2000}\)/g, '$1')
    .replaceAll(/\[([^[\]]{1,300})\](?:\([^()]{0,2000}\)|\[[^[\]]{0,300}\])/g, '$1')
    .replaceAll(/(\*\*|__|`{1,2})(?=\S)([^*_`]{1,300}?)\1/g, '$2')
    .trim()
  return SAYS_SOMETHING.test(shown) ? shown : line
}
