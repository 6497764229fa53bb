// EPUB 2 and 3 (EPUB 3.3 §5, OCF §4) to text: the chapters in their reading order, each read like a page of the web.
import { UnreadableError, type Block } from '../document.ts'
import { readHtml } from '../formats/read-html.ts'
import type { BytesInput } from '../page-input.ts'
import { openArchive, resolvePart, type Archive } from './archive.ts'
import { documentPage, noDocument, type DocumentFacts } from './document-page.ts'
import { createDocumentWriter, type DocumentWriter } from './document-writer.ts'
import { readXml, textsOf } from './xml.ts'

const DAMAGED = 'The book is damaged and could not be read.'
const ENCRYPTED = 'The book is protected against being read by other programs.'
const CHAPTERS_MAX = 2_000
/** Of one chapter. */
const STYLE_SHEETS_MAX = 8
const STYLE_CHARACTERS_MAX = 200_000
/** A book is content throughout; the classifier, which looks for a web page's shape, is overruled. */
const CONTENT_WEIGHT = 0.8

/** @throws {UnreadableError} for files that are damaged, protected, too large or no books; and the signal's reason. */
export async function readEpub(input: BytesInput, signal: AbortSignal) {
  const archive = await openArchive(input.content, DAMAGED)
  const root = await rootOf(archive)
  const xml = root === null ? null : await archive.text(root)
  if (root === null || xml === null) throw noDocument(DAMAGED)
  const chapters = chaptersOf(xml, root)
  await refuseProtected(archive, chapters)
  const writer = createDocumentWriter()
  const stylesOf = createStyleReader(archive)
  for (const [index, part] of chapters.entries()) {
    const chapter = writer.isFull() ? null : await archive.text(part)
    if (chapter === null) continue
    const content = await withStyles(chapter, part, stylesOf)
    await writeChapter(writer, index + 1, { ...input, mediaType: 'application/xhtml+xml', content }, signal)
  }
  return documentPage(writer.finish(), factsOf(xml), input)
}

async function rootOf(archive: Archive): Promise<string | null> {
  let root: string | null = null
  readXml((await archive.text('META-INF/container.xml')) ?? '', {
    open(name, attribute) {
      if (name === 'rootfile') root ??= attribute('full-path')
    },
  })
  return root
}

/** The parts that are read one after the other; what stands aside of them, such as a list of answers, is left out. */
function chaptersOf(xml: string, root: string): string[] {
  const items = new Map<string, string>()
  const order: string[] = []
  readXml(xml, {
    open(name, attribute) {
      if (name === 'item' && /html/u.test(attribute('media-type')))
        items.set(attribute('id'), resolvePart(root, attribute('href')))
      if (name === 'itemref' && attribute('linear') !== 'no') order.push(attribute('idref'))
    },
  })
  return order.flatMap((id) => items.get(id) ?? []).slice(0, CHAPTERS_MAX)
}

/** Fonts are often garbled without anything being protected; chapters are not. */
async function refuseProtected(archive: Archive, chapters: readonly string[]): Promise<void> {
  const protectedParts = new Set<string>()
  readXml((await archive.text('META-INF/encryption.xml')) ?? '', {
    open(name, attribute) {
      if (name === 'CipherReference') protectedParts.add(resolvePart('', attribute('URI')))
    },
  })
  if (chapters.some((part) => protectedParts.has(part))) throw new UnreadableError('encrypted', ENCRYPTED)
}

type StyleReader = (part: string) => Promise<string>

/** Style sheets by the names of their parts, each unpacked once; '' for one that is missing or too long. */
function createStyleReader(archive: Archive): StyleReader {
  const known = new Map<string, string>()
  return async function stylesOf(part) {
    const styles = known.get(part) ?? (await archive.text(part)) ?? ''
    known.set(part, styles.length > STYLE_CHARACTERS_MAX ? '' : styles)
    return known.get(part) ?? ''
  }
}

/** The chapter with the style sheets it names written into it: they tell what is hidden. */
async function withStyles(chapter: string, part: string, stylesOf: StyleReader): Promise<string> {
  const headEnd = chapter.indexOf('</head>')
  const targets: string[] = []
  readXml(chapter.slice(0, Math.max(0, headEnd)), {
    open(name, attribute) {
      if (name === 'link' && attribute('rel').toLowerCase() === 'stylesheet') targets.push(attribute('href'))
    },
  })
  const sheets: string[] = []
  for (const target of targets.slice(0, STYLE_SHEETS_MAX))
    sheets.push(await stylesOf(resolvePart(part, target)))
  const styles = sheets.join('\n').replaceAll('<', '')
  return styles === ''
    ? chapter
    : `${chapter.slice(0, headEnd)}<style>${styles}</style>${chapter.slice(headEnd)}`
}

async function writeChapter(
  writer: DocumentWriter,
  number: number,
  input: Parameters<typeof readHtml>[0],
  signal: AbortSignal,
): Promise<void> {
  const { text, blocks } = await readHtml(input, signal)
  if (blocks.length === 0) return
  const first = blocks.find(({ kind }) => kind === 'heading')
  writer.beginPlace('chapter', number, first === undefined ? null : text.slice(first.start, first.end).trim())
  writer.takeOver(
    text,
    blocks.map((block) => asContent(block)),
  )
}

const asContent = ({ kind, start, end, headings, contentWeight }: Block): Block => ({
  kind,
  start,
  end,
  headings,
  contentWeight: Math.max(contentWeight, CONTENT_WEIGHT),
})

function factsOf(xml: string): DocumentFacts {
  const found = textsOf(xml, new Set(['title', 'date', 'language']))
  return {
    title: found.get('title') ?? null,
    created: found.get('date') ?? null,
    modified: null,
    language: found.get('language') ?? '',
  }
}
