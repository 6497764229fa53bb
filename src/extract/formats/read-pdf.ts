// PDF to text, page by page, with pdf.js: lines as they are printed, gathered into paragraphs and headings.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { TimeLimitError } from '../../concurrency/deadline.ts'
import { parseStamp } from '../dates/parse-date.ts'
import { datesFromHeader } from '../dates/choose-dates.ts'
import { type Block, type FoundDate, type PageText, UnreadableError } from '../document.ts'
import { detectLanguage } from '../language.ts'
import type { BytesInput, PageOrigin } from '../page-input.ts'
import { hiddenLayers, isWords, type PdfText, type WithoutHidden } from './pdf/pdf-layers.ts'
import { layOutPdf } from './pdf/pdf-layout.ts'
import { createLines, type PdfLine } from './pdf/pdf-lines.ts'
import { linkAreasOf } from './pdf/pdf-links.ts'
import { createTimeSlice } from '../yield-thread.ts'

const MOST_PAGES = 300
const MOST_CHARACTERS = 1_000_000
/** After this the pages read so far are the document. */
const LONGEST_MS = 10_000
/** Fewer letters on all pages together are stamps and page numbers of a scan, */
const FEWEST_LETTERS = 20
/** and so are fewer on each, where every page says the same, */
const FEWEST_LETTERS_OF_A_PAGE = 10
/** unless so much stands on each that it is no stamp: a table of figures, or forms filled alike. */
const LONGEST_STAMP = 300

/**
 * Reads a PDF: at most 300 pages, a million characters, ten seconds or what the input gives. A hyphen at the end of a
 * line stays, because the passage must stand in the document as it is printed. Throws UnreadableError for encrypted,
 * scanned and damaged files, TimeLimitError when time was up before the first words, and the signal's reason.
 */
export async function readPdf(input: BytesInput, signal: AbortSignal): Promise<PageText> {
  const document = await openPdf(input.content)
  try {
    const reading = await readLinesOf(document, input.untilMs, signal)
    const { text, blocks, places } = layOutPdf(reading.lines)
    const hasText = saysSomething(reading.lines, text)
    if (!hasText && reading.damage !== null) throw reading.damage
    if (!hasText && reading.isUnfinished)
      throw new TimeLimitError('reading the first pages of a PDF', reading.limitMs)
    if (!hasText) throw new UnreadableError('scanned', 'The PDF holds pictures of pages and no text.')
    const info = await document
      .getMetadata()
      .then((metadata) => new Map<string, unknown>(Object.entries(metadata.info)))
    const language = info.get('Language')
    return {
      title: titleOf(info.get('Title'), text, blocks),
      text,
      blocks,
      notation: 'wrapped-lines',
      places,
      isCut: reading.isCut,
      isDamaged: reading.damage !== null,
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

const lettersIn = (words: string): number => words.match(/\p{L}/gu)?.length ?? 0

/** Whether there are letters enough, and not the same few on every page. */
function saysSomething(lines: readonly PdfLine[], text: string): boolean {
  const pages = new Set(lines.map(({ page }) => page)).size
  if (text.replace(/\s+/gu, '').length > pages * LONGEST_STAMP) return true
  const distinct = new Set(lines.map((line) => line.text.replace(/\d+/gu, '')))
  const letters = [...distinct].reduce((sum, line) => sum + lettersIn(line), 0)
  return lettersIn(text) >= FEWEST_LETTERS && letters >= pages * FEWEST_LETTERS_OF_A_PAGE
}

async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  // Loaded when the first PDF comes: it takes a third of a second and tens of megabytes.
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const task = getDocument({
    // A copy: pdf.js takes the buffer away from its owner, and takes no Buffer.
    data: new Uint8Array(bytes),
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
    throw damaged(cause)
  }
}

const damaged = (cause: unknown): UnreadableError =>
  new UnreadableError('damaged', 'The PDF is damaged and could not be read.', cause)

/** What is read so far, and when it is enough. */
interface PdfReading {
  lines: PdfLine[]
  characters: number
  /** By the clock of `performance.now()`. */
  enoughAtMs: number
  limitMs: number
  isCut: boolean
  /** It was enough before the last of the pages that are read of any document. */
  isUnfinished: boolean
  /** Why a page could not be read; the others are the document. Null when all could. */
  damage: UnreadableError | null
}

const isEnough = ({ characters, enoughAtMs }: PdfReading): boolean =>
  characters >= MOST_CHARACTERS || performance.now() >= enoughAtMs

function endEarly(reading: PdfReading): void {
  reading.isCut = true
  reading.isUnfinished = true
}

async function readLinesOf(
  document: PDFDocumentProxy,
  untilMs: number | undefined,
  signal: AbortSignal,
): Promise<PdfReading> {
  const limitMs = untilMs === undefined ? LONGEST_MS : Math.min(LONGEST_MS, untilMs - Date.now())
  const enoughAtMs = performance.now() + limitMs
  const isCut = document.numPages > MOST_PAGES
  const reading: PdfReading = {
    lines: [],
    characters: 0,
    enoughAtMs,
    limitMs,
    isCut,
    isUnfinished: false,
    damage: null,
  }
  const pause = createTimeSlice(signal)
  const withoutHidden = await hiddenLayers(document)
  const pages = Math.min(document.numPages, MOST_PAGES)
  let number = 1
  for (; number <= pages && !isEnough(reading); number++) {
    try {
      await readLinesOfPage(document, number, { reading, pause, withoutHidden })
    } catch (error) {
      signal.throwIfAborted()
      reading.damage ??= damaged(error)
    }
  }
  if (number <= pages) endEarly(reading)
  return reading
}

interface PageReading {
  reading: PdfReading
  pause: () => Promise<void>
  withoutHidden: WithoutHidden | null
}

/** In pieces of about a hundred words, because one page can hold a million of them. */
async function readLinesOfPage(
  document: PDFDocumentProxy,
  number: number,
  { reading, pause, withoutHidden }: PageReading,
): Promise<void> {
  const page = await document.getPage(number)
  const areas = linkAreasOf(await page.getAnnotations())
  const pieces = page.streamTextContent({ includeMarkedContent: withoutHidden !== null }).getReader()
  const lines = createLines(number)
  /** All of the page, where some of it may not be seen. */
  const held: PdfText[] = []
  for (;;) {
    const { value, done } = await pieces.read()
    if (done) break
    if (isEnough(reading)) {
      endEarly(reading)
      break
    }
    for (const item of itemsOf(value)) {
      if (isWords(item)) reading.characters += item.str.length
      if (withoutHidden !== null) held.push(item)
      else if (isWords(item)) lines.add(item)
    }
    await pause()
  }
  await pieces.cancel(new Error('no more is wanted'))
  if (withoutHidden !== null) for (const item of await withoutHidden(page, held)) lines.add(item)
  page.cleanup()
  const [, bottom = 0, , top = 0] = page.view
  const size = { height: top - bottom, unitPoints: page.userUnit }
  for (const line of lines.finish(areas, size)) reading.lines.push(line)
}

/** The words in a piece of a page, and the marks of structure where they were asked for. */
function itemsOf(piece: unknown): PdfText[] {
  const items: unknown = typeof piece === 'object' && piece !== null && 'items' in piece ? piece.items : []
  return Array.isArray(items) ? items : []
}

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
  const date = parseStamp(stamp, { now, firstNumber: 'month' })
  return date === null ? null : { iso: date.iso, source: 'pdf' }
}
