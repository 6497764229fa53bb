// What a body really is, whatever its header says: the part of WHATWG MIME Sniffing that pages need.
import { unmarkedUtf16 } from './charset.ts'

/** Bytes that are looked at. */
const SNIFF_BYTES = 1_024
/** Up to this share of the first bytes control characters in a page are taken for slips. */
const STRAY_SHARE_MAX = 0.05

const ZIP = 'application/zip'
/** First bytes (latin1, from an offset) of formats that hold no text for us, whatever the header calls them. */
const BINARY_SIGNATURES: readonly (readonly [number, string, string])[] = [
  [0, 'PK\u0003\u0004', ZIP],
  [0, 'PK\u0005\u0006', ZIP],
  [0, '\u001F\u008B', 'application/gzip'],
  [0, '\u0089PNG\r\n\u001A\n', 'image/png'],
  [0, '\u00FF\u00D8\u00FF', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [8, 'WEBPVP', 'image/webp'],
  [8, 'WAVEfmt', 'audio/wave'],
  [4, 'ftypisom', 'video/mp4'],
  [4, 'ftypmp4', 'video/mp4'],
  [0, '\u001AE\u00DF\u00A3', 'video/webm'],
  [0, 'OggS\u0000', 'application/ogg'],
  [0, 'ID3\u0003', 'audio/mpeg'],
  [0, 'ID3\u0004', 'audio/mpeg'],
  [0, 'wOFF\u0000', 'font/woff'],
  [0, 'wOF2\u0000', 'font/woff2'],
  [0, 'Rar!\u001A\u0007', 'application/vnd.rar'],
  [0, "7z\u00BC\u00AF'\u001C", 'application/x-7z-compressed'],
  [0, '\u007FELF', 'application/x-executable'],
]

/** Types that say nothing: the bytes decide. */
const UNKNOWN: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/unknown',
  'unknown/unknown',
  '*/*',
])
const XML_TYPES: ReadonlySet<string> = new Set(['text/xml', 'application/xml'])
const APPLICATION_TEXT =
  /^application\/(?:json|x-ndjson|xml|javascript|x-javascript|yaml|x-yaml|[\w.-]+\+(?:xml|json))$/u
/** Elements that begin a page or a piece of one (WHATWG MIME Sniffing §7.1). */
const HTML_ELEMENTS: ReadonlySet<string> = new Set(
  'html head body script iframe h1 div font table a style title b br p main article section meta'.split(' '),
)
const FEEDS: ReadonlyMap<string, string> = new Map([
  ['rss', 'application/rss+xml'],
  ['rdf:rdf', 'application/rss+xml'],
  ['feed', 'application/atom+xml'],
])

interface DocumentFormat {
  /** Of its files' names. */
  ending: string
  mediaType: string
  /**
   * By which its ZIP files are known; null where they say themselves what they are, in a first part that is not packed
   * (OCF §4.3, ODF 1.3 Part 2 §3.3).
   */
  part: string | null
}

const OFFICE = 'application/vnd.openxmlformats-officedocument.'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'
/** Documents besides PDF, whose readers are in extract/documents. */
export const DOCUMENT_FORMATS: readonly DocumentFormat[] = [
  { ending: '.docx', mediaType: `${OFFICE}wordprocessingml.document`, part: 'word/document' },
  { ending: '.xlsx', mediaType: `${OFFICE}spreadsheetml.sheet`, part: 'xl/workbook.xml' },
  { ending: '.pptx', mediaType: `${OFFICE}presentationml.presentation`, part: 'ppt/presentation.xml' },
  { ending: '.odt', mediaType: `${OPEN_DOCUMENT}text`, part: null },
  { ending: '.ods', mediaType: `${OPEN_DOCUMENT}spreadsheet`, part: null },
  { ending: '.odp', mediaType: `${OPEN_DOCUMENT}presentation`, part: null },
  { ending: '.epub', mediaType: 'application/epub+zip', part: null },
]
const DOCUMENTS: ReadonlySet<string> = new Set(DOCUMENT_FORMATS.map(({ mediaType }) => mediaType))
/** Media types of files that are documents, PDF among them: their bytes are read, not their text. */
export const isDocument = (mediaType: string): boolean =>
  mediaType === 'application/pdf' || DOCUMENTS.has(mediaType)

/** Media types whose bodies are text to read. */
export function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || APPLICATION_TEXT.test(mediaType)
}

/**
 * The media type (lower case, without parameters) of a body by its Content-Type header and its first bytes. The bytes
 * win where the header cannot be true, and where it says nothing.
 */
export function sniffMediaType(contentType: string | null, bytes: Uint8Array): string {
  const head = bytes.subarray(0, SNIFF_BYTES)
  const start = Buffer.from(head).toString('latin1')
  if (start.trimStart().startsWith('%PDF-')) return 'application/pdf'
  const binary = BINARY_SIGNATURES.find(([offset, signature]) => start.startsWith(signature, offset))
  const declared = declaredMediaType(contentType)
  if (binary !== undefined) return binary[2] === ZIP ? documentIn(declared, start, bytes) : binary[2]
  if (!isText(declared) && !UNKNOWN.has(declared)) {
    return isDocument(declared) && isHtml(rootOf(start)) ? 'text/html' : declared
  }
  const root = rootOf(start)
  const isPage = root.htmlDoctype || root.element === 'html'
  const isBinary = looksBinary(head) && !(isPage && isStray(head))
  return isBinary ? 'application/octet-stream' : textType(declared, root)
}

/** A few control characters in a page are the site's slip: browsers show the rest. Of arbitrary bytes one in ten is one. */
function isStray(head: Uint8Array): boolean {
  return head.filter(isControl).length <= head.length * STRAY_SHARE_MAX
}

/** The document that a ZIP file is, else a ZIP file. */
function documentIn(declared: string, start: string, bytes: Uint8Array): string {
  const rest = start.startsWith('mimetype', 30) ? start.slice(38) : ''
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found =
    DOCUMENT_FORMATS.find(({ mediaType, part }) => part === null && rest.startsWith(mediaType)) ??
    DOCUMENT_FORMATS.find(({ part }) => part !== null && content.includes(part))
  return found?.mediaType ?? (DOCUMENTS.has(declared) ? declared : ZIP)
}

function declaredMediaType(contentType: string | null): string {
  return /^\s*([\w.+*-]+\/[\w.+*-]+)/u.exec(contentType ?? '')?.[1]?.toLowerCase() ?? ''
}

/** How a text begins as markup. `element` is '' when it is none. */
interface Root {
  xml: boolean
  htmlDoctype: boolean
  element: string
}

const isHtml = (root: Root): boolean => root.htmlDoctype || HTML_ELEMENTS.has(root.element)

/** Reads past declaration, comments and document type. By hand, because a regular expression would backtrack. */
function rootOf(start: string): Root {
  let rest = start.replace(/^\u00EF\u00BB\u00BF/u, '').trimStart()
  const root: Root = { xml: rest.startsWith('<?xml'), htmlDoctype: false, element: '' }
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : /^<[?!]/u.test(rest) ? '>' : null
    const at = end === null ? -1 : rest.indexOf(end)
    if (end === null || at === -1) break
    if (/^<!doctype html[\s>]/iu.test(rest)) root.htmlDoctype = true
    rest = rest.slice(at + end.length).trimStart()
  }
  root.element = /^<([a-z][\w:-]*)[\s/>]/iu.exec(rest)?.[1]?.toLowerCase() ?? ''
  return root
}

function textType(declared: string, root: Root): string {
  const unknown = UNKNOWN.has(declared)
  if (unknown || XML_TYPES.has(declared) || declared === 'text/html') {
    const feed = FEEDS.get(root.element)
    if (feed !== undefined && !root.htmlDoctype) return feed
  }
  if (root.xml && (unknown || XML_TYPES.has(declared))) {
    return root.element === 'html' ? 'application/xhtml+xml' : unknown ? 'text/xml' : declared
  }
  // Whole documents only: a text about HTML may well begin with an element.
  if (declared === 'text/plain' || XML_TYPES.has(declared)) {
    return root.htmlDoctype || root.element === 'html' ? 'text/html' : declared
  }
  if (!unknown) return declared
  return isHtml(root) ? 'text/html' : 'text/plain'
}

/** WHATWG "binary data byte" in the first bytes, unless they are UTF-16. */
function looksBinary(head: Uint8Array): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return false
  return head.some(isControl) && unmarkedUtf16(head) === null
}

function isControl(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f)
}
