// Tables of a documentation page as rows of plain text, for pages that tell of the running service what its
// documentation tells of every one.
import { lexer, type Token } from 'marked'

export interface DocumentationTable {
  /** Of the section it stands in. */
  heading: string
  /** Without the head; cells without markup. */
  rows: readonly (readonly string[])[]
}

/** Every table of `markdown` (GitHub flavour), in order. */
export function readTables(markdown: string): DocumentationTable[] {
  const tables: DocumentationTable[] = []
  let heading = ''
  for (const token of lexer(markdown)) {
    if (token.type === 'heading') heading = plainText(token.tokens ?? [])
    if (token.type === 'table')
      tables.push({
        heading,
        rows: token['rows'].map((row: { tokens: Token[] }[]) => row.map((cell) => plainText(cell.tokens))),
      })
  }
  return tables
}

/** The words of inline markup, as they are read. */
const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens !== undefined ? plainText(token.tokens) : textOf(token),
    )
    .join('')

const textOf = (token: Token): string => ('text' in token && typeof token.text === 'string' ? token.text : '')
