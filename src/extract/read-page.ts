// The way into this room: any page as it came, to text, blocks, dates and language.
import { type PageText, UnreadableError } from './document.ts'
import { withoutInvisible } from './invisible-characters.ts'
import { hasReader, readDocument } from './documents/read-document.ts'
import { readCsv } from './documents/read-csv.ts'
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
  if (input.mediaType === 'application/pdf') return readPdf(bytesInput(input), signal)
  if (hasReader(input.mediaType)) return readDocument(bytesInput(input), signal)
  const text = textInput(input)
  if (SEPARATED.test(input.mediaType)) return readCsv(text)
  if (HTML.has(input.mediaType)) return readHtml(text, signal)
  if (JSON_TYPE.test(input.mediaType)) return readJson(text)
  if (XML_TYPE.test(input.mediaType)) return readFeed(text, signal)
  if (LINES.test(input.mediaType)) return readLines(text)
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
