// Makes a Capture of the answer of a page: refused by what its headers say, or read, sniffed, judged and decoded.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { PageError, type Capture, type PageWarning } from '../capture.ts'
import { FAILURES, statusWarning } from '../page-failure.ts'
import { readBody, type BodyLimits, type ReadBody } from './body.ts'
import { decodeText, type DecodeHints } from './charset.ts'
import { type EncodedPage, LONG_PAGE_BYTES } from './decode-page.ts'
import { isDocument, isText, sniffMediaType } from './media-type.ts'
import { readRefusal } from './refused-answer.ts'
import { discard, type Hop } from './single-request.ts'

export interface CaptureRules {
  limits: BodyLimits
  /** Decodes a page of more than LONG_PAGE_BYTES. */
  decodeLong: (page: EncodedPage) => Promise<string>
}

/** Reads, sniffs and decodes the answer of `url`. Throws PageError when it is no page to read. */
export async function captureOf(
  requestedUrl: string,
  url: URL,
  answer: Hop,
  { limits, decodeLong }: CaptureRules,
  timeUp: AbortSignal,
): Promise<Capture> {
  const refusal = refusalOf(answer, limits.bytesMax)
  if (refusal !== null) {
    const shown = await shownInstead(answer, timeUp)
    discard(answer.body)
    throw new PageError(url.href, shown === null ? refusal : statusWarning(answer.status, shown))
  }
  const contentType = answer.header('content-type')
  const encoding = answer.header('content-encoding') ?? ''
  const sent = await readBody(answer.body, encoding, limits, timeUp)
  const packed = isPacked(sent)
  const body = packed ? await readBody(Readable.from([sent.bytes]), 'gzip', limits, timeUp) : sent
  const mediaType = sniffMediaType(packed ? null : contentType, body.bytes)
  const warning = judgeBody(url.href, mediaType, body)
  const robotsTag = answer.header('x-robots-tag')
  const hints: DecodeHints = { contentType, mediaType, truncated: body.cut !== null }
  const decode = async ({ bytes }: ReadBody): Promise<string> =>
    bytes.length > LONG_PAGE_BYTES ? decodeLong({ bytes, hints }) : (await decodeText(bytes, hints)).text
  return {
    id: randomUUID(),
    requestedUrl,
    url: url.href,
    mediaType,
    content: isDocument(mediaType) ? body.bytes : await decode(body),
    lastModified: toIso(answer.header('last-modified')),
    contentLanguage: answer.header('content-language'),
    ...(robotsTag === null ? {} : { robotsTag }),
    fetchedAt: new Date().toISOString(),
    readBy: 'static',
    warning,
  }
}

/** A text kept as a .gz file, such as a sitemap, comes as one: nothing in the headers says what is in it. */
const isPacked = ({ bytes, cut }: ReadBody): boolean =>
  cut === null && sniffMediaType(null, bytes) === 'application/gzip'

/** What the answer shows instead of the page; null for nothing, or nothing that could be read. */
async function shownInstead(answer: Hop, timeUp: AbortSignal): Promise<'challenge' | 'blocked' | null> {
  try {
    return await readRefusal(answer, timeUp)
  } catch (error) {
    timeUp.throwIfAborted()
    if (error instanceof Error) return null
    throw error
  }
}

/** What can be told from status and headers alone: no page, or one that is too large to begin with. */
function refusalOf(answer: Hop, bytesMax: number): PageWarning | null {
  if (answer.status < 200 || answer.status >= 300 || answer.status === 204 || answer.status === 205) {
    return statusWarning(answer.status)
  }
  const declared = answer.header('content-type') ?? ''
  const isLonger = Number(answer.header('content-length') ?? 0) > bytesMax
  // The beginning of a text is worth reading.
  if (isLonger && !isText(declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''))
    return { code: 'too_large', message: FAILURES.too_large }
  return /^\s*(?:image|video|audio|font)\//iu.test(declared)
    ? { code: 'not_text', message: FAILURES.not_text }
    : null
}

/** The beginning of a text is worth reading, with a warning; of anything else it is not. Throws PageError. */
function judgeBody(url: string, mediaType: string, { cut }: ReadBody): PageWarning | null {
  if (!isText(mediaType) && !isDocument(mediaType)) {
    throw new PageError(url, { code: 'not_text', message: FAILURES.not_text })
  }
  if (cut === null) return null
  if (cut === 'ratio' || (cut === 'size' && !isText(mediaType))) {
    throw new PageError(url, { code: 'too_large', message: FAILURES.too_large })
  }
  if (isText(mediaType)) return { code: 'truncated', message: FAILURES[`truncated_${cut}`] }
  const code = cut === 'time' ? 'timeout' : 'unreachable'
  throw new PageError(url, { code, message: FAILURES[code] })
}

function toIso(date: string | null): string | null {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
