// PDF to text, page by page, with pdf.js: lines as they are printed, gathered into paragraphs and headings.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { parseStamp } from '../dates/parse-date.ts'
import { datesFromHeader } from '../dates/choose-dates.ts'
import { type Block, type FoundDate, type PageText, UnreadableError } from '../document.ts'
import { detectLanguage } from '../language.ts'
import type { BytesInput, PageOrigin } from '../page-input.ts'
import { layOutPdf, type PdfLine } from './pdf-layout.ts'
import { createTimeSlice } from '../yield-thread.ts'

const MOST_PAGES = 300
const MOST_CHARACTERS = 1_000_000
/** After this the pages read so far are the document. */
const LONGEST_MS = 10_000
/** Fewer letters on all pages together are stamps and page numbers of a scan. */
const FEWEST_LETTERS = 20

/**
 * Reads a PDF: at most 300 pages, a million characters, ten seconds. A hyphen at the end of a line stays, because
 * the passage must stand in the document as it is printed. Throws UnreadableError for encrypted, scanned and damaged
 * files, and the signal's reason.
 */
export async function readPdf(input: BytesInput, signal: AbortSignal): Promise<PageText> {
  const document = await openPdf(input.content)
  try {
    const lines = await readLinesOf(document, signal)
    const { text, blocks } = layOutPdf(lines)
    if ((text.match(/\p{L}/gu)?.length ?? 0) < FEWEST_LETTERS)
      throw new UnreadableError('scanned', 'The PDF holds pictures of pages and no text.')
    const info = await document
      .getMetadata()
      .then((metadata) => new Map<string, unknown>(Object.entries(metadata.info)))
    const language = info.get('Language')
    return {
      title: titleOf(info.get('Title'), text, blocks),
      text,
      blocks,
      ...datesOf(info, input),
      language: detectLanguage({
        attribute: typeof language === 'string' ? language : '',
        header: input.contentLanguage,
        text,
        blocks,
      }),
    }
  } finally {
    await document.loadingTask.destroy()
  }
}

async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  // Loaded when the first PDF comes: it takes a third of a second and tens of megabytes.
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const task = getDocument({
    // A copy: pdf.js takes the buffer away from its owner.
    data: bytes.slice(),
    cMapUrl: `${join(folder, 'cmaps')}/`,
    cMapPacked: true,
    standardFontDataUrl: `${join(folder, 'standard_fonts')}/`,
    disableFontFace: true,
    isEvalSupported: false,
    useSystemFonts: false,
    verbosity: 0,
  })
  try {
    return await task.promise
  } catch (cause) {
    await task.destroy()
    if (cause instanceof Error && cause.name === 'PasswordException')
      throw new UnreadableError('encrypted', 'The PDF is protected by a password.', cause)
    throw new UnreadableError('damaged', 'The PDF is damaged and could not be read.', cause)
  }
}

async function readLinesOf(document: PDFDocumentProxy, signal: AbortSignal): Promise<PdfLine[]> {
  const lines: PdfLine[] = []
  const pause = createTimeSlice(signal)
  const until = performance.now() + LONGEST_MS
  let characters = 0
  const pages = Math.min(document.numPages, MOST_PAGES)
  for (
    let number = 1;
    number <= pages && characters < MOST_CHARACTERS && performance.now() < until;
    number++
  ) {
    for (const line of await linesOfPage(document, number)) {
      lines.push(line)
      characters += line.text.length
    }
    await pause()
  }
  return lines
}

async function linesOfPage(document: PDFDocumentProxy, number: number): Promise<PdfLine[]> {
  const page = await document.getPage(number)
  const { items } = await page.getTextContent()
  page.cleanup()
  const lines: PdfLine[] = []
  let line: PdfLine | null = null
  for (const item of items) {
    if (!('str' in item)) continue
    line ??= {
      page: number,
      text: '',
      x: numberAt(item.transform, 4),
      y: numberAt(item.transform, 5),
      height: 0,
    }
    line.text += item.str
    line.height = Math.max(line.height, item.str.trim() === '' ? 0 : item.height)
    if (!item.hasEOL) continue
    lines.push(line)
    line = null
  }
  if (line !== null) lines.push(line)
  for (const found of lines) found.text = found.text.replace(/[\s\0]+/g, ' ').trim()
  return lines.filter(({ text }) => text !== '')
}

const numberAt = (values: readonly unknown[], index: number): number => Number(values[index] ?? 0)

/** Titles that the writing program made up. */
const NO_TITLE =
  /^(?:untitled|microsoft word - |powerpoint presentation|document\d*$|slide \d|.{0,200}\.(?:docx?|pdf|tex|indd|qxd|dvi)$)/i

function titleOf(declared: unknown, text: string, blocks: readonly Block[]): string | null {
  const title = typeof declared === 'string' ? declared.replace(/[\s\0]+/g, ' ').trim() : ''
  if (title.length > 2 && !NO_TITLE.test(title)) return title.slice(0, 300)
  const first = blocks.find(({ kind }) => kind === 'heading') ?? blocks[0]
  return first === undefined ? null : text.slice(first.start, first.end).replace(/\s+/g, ' ').slice(0, 300)
}

function datesOf(
  info: ReadonlyMap<string, unknown>,
  input: PageOrigin,
): Pick<PageText, 'publishDate' | 'lastUpdated'> {
  const publishDate = pdfDate(info.get('CreationDate'), input.now)
  const lastUpdated = pdfDate(info.get('ModDate'), input.now) ?? datesFromHeader(input).lastUpdated
  return { publishDate, lastUpdated }
}

/** `D:20240501101500+02'00'` (ISO 32000-1, §7.9.4). */
function pdfDate(value: unknown, now: Date): FoundDate | null {
  const parts = typeof value === 'string' ? /^(?:D:)?(\d{8})(\d{6})?(Z|[+-]\d{2}'?\d{2})?/.exec(value) : null
  if (parts === null) return null
  const [, day = '', time, zone] = parts
  const stamp = time === undefined || zone === undefined ? day : `${day}T${time}${zone.replace("'", '')}`
  const date = parseStamp(stamp, { now, monthFirst: true })
  return date === null ? null : { iso: date.iso, source: 'pdf' }
}
