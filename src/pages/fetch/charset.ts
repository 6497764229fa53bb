// Bytes to text.
import { isAscii } from 'node:buffer'
import iconv from 'iconv-lite'
import { bytesInTurns } from './bytes-in-turns.ts'

export interface DecodedText {
  text: string
  /** WHATWG name in lower case, or iconv's for encodings that the web standard does not know. */
  charset: string
  /** What named the encoding. */
  source: 'bom' | 'header' | 'document' | 'detected'
}

export interface DecodeHints {
  /** The whole Content-Type header, or null. */
  contentType: string | null
  /** Sniffed media type: where a declaration inside the document may stand depends on it. */
  mediaType: string
  /** The body was cut off, so its last character may be half. */
  truncated: boolean
}

/** Browsers look for a declaration in the first 1,024 bytes; real pages put scripts before it. */
const DECLARATION_BYTES = 4_096
/** Enough text for every detector; more only costs time. */
const DETECTION_BYTES = 65_536
/** To a hundred characters that are no ASCII, the most bytes that are no UTF-8: programs cut characters in two. */
const BROKEN_IN_A_HUNDRED_MAX = 10
/** Plain letters before the first that is no ASCII: Latin encodings are told by both. */
const LEAD_BYTES = 1_024
/** The letters that follow are Japanese, in two bytes of ASCII each. */
const JAPANESE_ESCAPE = '\u001B$B'
/**
 * Encodings that TextDecoder in Node 20 decodes with holes: UHC and HKSCS characters, and 0x80–0x9F of windows-1252,
 * which it takes for Latin-1 (quotation marks, dashes and the euro sign were lost). iconv-lite knows them whole.
 */
const ICONV_FIRST: ReadonlySet<string> = new Set(['euc-kr', 'big5', 'windows-1252'])
/** Names of the detector that are no WHATWG labels. */
const DETECTOR_NAMES: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  cp874: 'windows-874',
  'utf-16-le': 'utf-16le',
  'utf-16-be': 'utf-16be',
}

/**
 * Decodes the text of a page. Throws nothing but the signal's reason: what fits nothing is read as windows-1252, as
 * browsers do.
 */
export async function decodeText(
  bytes: Uint8Array,
  hints: DecodeHints,
  signal?: AbortSignal,
): Promise<DecodedText> {
  const named = namedEncoding(bytes, hints)
  const [charset, source] = named ?? [await detectEncoding(bytes), 'detected' as const]
  const text = await decodeAs(bytes, charset, signal)
  return { text: hints.truncated ? text.replace(/\uFFFD{1,4}$/u, '') : text, charset, source }
}

function namedEncoding(bytes: Uint8Array, hints: DecodeHints): [string, DecodedText['source']] | null {
  const mark = byteOrderMark(bytes)
  if (mark !== null) return [mark, 'bom']
  const fromHeader = knownEncoding(
    /;\s{0,9}charset\s{0,9}=\s{0,9}["']?\s{0,9}([^\s"';,]+)/iu.exec(hints.contentType ?? '')?.[1],
  )
  if (fromHeader !== null) return [fromHeader, 'header']
  const declared = knownEncoding(declarationIn(bytes, hints.mediaType))
  if (declared === null) return null
  // HTML §13.2.3.2: the declaration was readable as ASCII, so it cannot be in UTF-16.
  return [declared.startsWith('utf-16') ? 'utf-8' : declared, 'document']
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
}

function declarationIn(bytes: Uint8Array, mediaType: string): string | undefined {
  const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1')
  const xml = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']/iu.exec(start)?.[1]
  if (xml !== undefined || !/html/u.test(mediaType)) return xml
  return /<meta\s[^<>]{0,500}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([^\s"'/>;]+)/iu.exec(
    start.replace(/<!--[^]*?-->/gu, ''),
  )?.[1]
}

/** The one name of an encoding label, or null when nothing here can decode it. */
function knownEncoding(label: string | undefined): string | null {
  if (label === undefined) return null
  try {
    return new TextDecoder(label).encoding
  } catch {
    // RangeError: the web standard does not know the label; iconv-lite may (cp437, utf-32le…).
    return iconv.encodingExists(label) ? label.toLowerCase() : null
  }
}

async function detectEncoding(bytes: Uint8Array): Promise<string> {
  const sample = tellingPart(bytes)
  if (isUtf8(sample)) return Buffer.from(sample).includes(JAPANESE_ESCAPE) ? 'iso-2022-jp' : 'utf-8'
  const wide = unmarkedUtf16(sample)
  if (wide !== null) return wide
  if (isNearlyUtf8(sample)) return 'utf-8'
  // Loaded with the first page that needs it, which few do: its models take 7 MB.
  const { detect } = await import('jschardet')
  const found = detect(sample).encoding?.toLowerCase()
  return knownEncoding(found === undefined ? undefined : (DETECTOR_NAMES[found] ?? found)) ?? 'windows-1252'
}

/** The beginning, or what stands about the first letter that is no ASCII: before it all encodings are alike. */
function tellingPart(bytes: Uint8Array): Uint8Array {
  for (let start = 0; start < bytes.length; start += DETECTION_BYTES) {
    const piece = bytes.subarray(start, start + DETECTION_BYTES)
    if (start === 0 && piece.includes(0)) return piece
    if (isAscii(piece)) continue
    const first = start + piece.findIndex((byte) => byte > 0x7f)
    const from = start === 0 ? 0 : first - LEAD_BYTES
    return bytes.subarray(from, from + DETECTION_BYTES)
  }
  return bytes.subarray(0, DETECTION_BYTES)
}

/** Whether nearly all of `sample` that is no ASCII is UTF-8: letters of other encodings are hardly ever by chance. */
function isNearlyUtf8(sample: Uint8Array): boolean {
  if (sample.includes(0)) return false
  const text = new TextDecoder('utf-8').decode(sample, { stream: true })
  const [others, broken] = [text.match(/[^\0-\x7F]/gu)?.length ?? 0, text.match(/\uFFFD/gu)?.length ?? 0]
  return broken * 100 <= others * BROKEN_IN_A_HUNDRED_MAX
}

/**
 * Whether `sample` is valid UTF-8 without NUL (which only UTF-16 and binary data have); a character cut at its end is
 * fine.
 */
function isUtf8(sample: Uint8Array): boolean {
  if (sample.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Of text in UTF-16 the least share of bytes that are NUL: the other half of Latin letters, digits, spaces, line ends. */
const NUL_SHARE_MIN = 0.2
const ALL_TEXT = /^(?:(?!\uFFFD)[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\p{Cf}\t\n\f\r])*$/u

/** Which UTF-16 a text without a mark is in: NUL stands on one side of its units alone, and every unit is of a text. */
export function unmarkedUtf16(sample: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  let [even, odd] = [0, 0]
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue
    if (index % 2 === 0) even += 1
    else odd += 1
  }
  const most = Math.max(even, odd)
  if (most === 0 || Math.min(even, odd) > 0 || most < sample.length * NUL_SHARE_MIN) return null
  const charset = even > 0 ? 'utf-16be' : 'utf-16le'
  const whole = sample.subarray(0, sample.length - (sample.length % 2))
  const text = new TextDecoder(charset).decode(whole, { stream: true })
  return ALL_TEXT.test(text) ? charset : null
}

/** In turns, since its thread has other work: eight megabytes of ISO-2022-JP take a second. */
async function decodeAs(bytes: Uint8Array, charset: string, signal?: AbortSignal): Promise<string> {
  const { write, end } = openDecoder(charset)
  const parts: string[] = []
  for await (const piece of bytesInTurns(bytes, signal)) parts.push(write(piece))
  parts.push(end())
  return parts.join('')
}

function openDecoder(charset: string): { write: (bytes: Uint8Array) => string; end: () => string } {
  const known = ICONV_FIRST.has(charset) ? null : knownDecoder(charset)
  if (known !== null)
    return { write: (bytes) => known.decode(bytes, { stream: true }), end: () => known.decode() }
  const decoder = iconv.getDecoder(charset)
  return {
    write: ({ buffer, byteOffset, byteLength }) => decoder.write(Buffer.from(buffer, byteOffset, byteLength)),
    end: () => decoder.end() ?? '',
  }
}

function knownDecoder(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset)
  } catch {
    return null
  }
}
