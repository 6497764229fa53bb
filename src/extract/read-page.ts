// The way into this room: any page as it came, to text, blocks, dates and language. Readers of files are loaded with the
// first file: most threads never meet one.
import { type PageText, UnreadableError } from './document.ts'
import { withoutInvisible } from './invisible-characters.ts'
import type { BytesInput, PageInput, TextInput } from './page-input.ts'
import { readFeed } from './formats/read-feed.ts'
import { readHtml } from './formats/read-html.ts'
import { readJson } from './formats/read-json.ts'
import { readLines } from './formats/lines/read-lines.ts'
import { readPdf } from './formats/read-pdf.ts'

export type { PageInput } from './page-input.ts'

const HTML = new Set(['text/html', 'application/xhtml+xml', 'application/vnd.wap.xhtml+xml'])
const LINES =
  /^text\/(?!html|xml|calendar|css|javascript)|^application\/(?:x-)?(?:markdown|ndjson|yaml|toml|tex)$/
const SEPARATED = /^text\/(?:csv|tab-separated-values)$/
const JSON_TYPE = /[/+]json$/
const XML_TYPE = /[/+]xml$/

/**
 * Reads a page: HTML (static, or the DOM as the browser left it), PDF, office documents, books, CSV, plain text,
 * Markdown, JSON, XML, RSS, Atom. Gives the event loop back every few milliseconds. Throws UnreadableError when there
 * is no text to be had, and the signal's reason once it is aborted; any bytes or characters are a valid input.
 */
export async function readPage(input: PageInput, signal: AbortSignal): Promise<PageText> {
  signal.throwIfAborted()
  return withoutInvisible(await readFormat(input, signal))
}

async function readFormat(input: PageInput, signal: AbortSignal): Promise<PageText> {
  const { mediaType } = input
  if (mediaType === 'application/pdf') return readPdf(bytesInput(input), signal)
  if (SEPARATED.test(mediaType)) return readSeparated(textInput(input))
  if (HTML.has(mediaType)) return readHtml(textInput(input), signal)
  if (JSON_TYPE.test(mediaType)) return readJson(textInput(input))
  if (XML_TYPE.test(mediaType)) return readFeed(textInput(input), signal)
  if (LINES.test(mediaType)) return readLines(textInput(input))
  return readFile(input, signal)
}

async function readSeparated(input: TextInput): Promise<PageText> {
  const { readCsv } = await import('./documents/read-csv.ts')
  return readCsv(input)
}

async function readFile(input: PageInput, signal: AbortSignal): Promise<PageText> {
  const { hasReader, readDocument } = await import('./documents/read-document.ts')
  if (hasReader(input.mediaType)) return readDocument(bytesInput(input), signal)
  throw new UnreadableError('not_text', 'The address leads to a file that holds no text.')
}

function textInput(input: PageInput): TextInput {
  const { content } = input
  return { ...input, content: typeof content === 'string' ? content : new TextDecoder().decode(content) }
}

function bytesInput(input: PageInput): BytesInput {
  if (typeof input.content === 'string')
    throw new UnreadableError('damaged', 'The document could not be read: it came as text.')
  return { ...input, content: input.content }
}
