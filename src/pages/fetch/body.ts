// Reads a response body within limits: bytes on the wire, bytes after decompression, ratio, time. What has come when a
// limit is hit is kept, because the beginning of a long page is worth reading. Shared by the static loader and
// robots.txt.
import { pipeline } from 'node:stream/promises'
import { Duplex, Readable, Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { errorCode } from '../../errors.ts'

export interface BodyLimits {
  /** On the wire and, apart, after decompression. */
  bytesMax: number
  /** Decompressed to compressed; only asked beyond `RATIO_FREE_BYTES`. */
  ratioMax: number
}

export interface ReadBody {
  bytes: Uint8Array
  /** Why the body ended before its end: size limit, compression bomb, connection lost or damaged data, time; else null. */
  cut: 'size' | 'ratio' | 'connection' | 'time' | null
}

/** Of a body by gzip, what is kept as it came, to be read once more without what stands behind it. */
const KEPT_WIRE_BYTES = 1 << 20
/** Of more text than that, what has come is enough. */
const READ_AGAIN_BYTES = 1 << 20
/** Below this, no ratio is suspicious: the size limit alone decides. */
const RATIO_FREE_BYTES = 1 << 20

/**
 * Every content coding there is (registry of RFC 9110 §8.4.1, and its old names). Servers also send what is none, such as
 * "none" or "utf-8": browsers take such a body as it is.
 */
const CODINGS: ReadonlySet<string> = new Set(
  'aes128gcm br compress x-compress dcb dcz deflate exi gzip x-gzip pack200-gzip zstd'.split(' '),
)

/** The body came in a compression that this Node.js cannot undo. */
export class UnknownEncodingError extends Error {}

/** The body is not compressed as its header says, or damaged from its first byte on. */
export class DamagedBodyError extends Error {}

/** Codes by which zlib, Brotli and Zstandard say that data is not theirs; what merely ends too early is not among them. */
const NOT_COMPRESSED = /^(?:Z_DATA_ERROR|ERR__ERROR_FORMAT|ERR_PADDING|ZSTD_error)/u

const HAS_ZSTD = 'createZstdDecompress' in zlib

/** Value of Accept-Encoding: what `readBody` can undo. zstd came to Node.js with 22.15. */
export const ACCEPT_ENCODING = `gzip, deflate, br${HAS_ZSTD ? ', zstd' : ''}`

/**
 * Reads `body` whole or until a limit. `timeUp` ends reading and keeps what has come; throws UnknownEncodingError, and
 * DamagedBodyError or the stream's own error when nothing at all could be read.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string,
  limits: BodyLimits,
  timeUp: AbortSignal,
): Promise<ReadBody> {
  const decoder = await decoderFor(body, contentEncoding)
  const wire: Buffer[] = []
  const isGzip = decoder instanceof zlib.Gunzip
  try {
    return await readThrough(body, { decoder, wire: isGzip ? wire : null }, limits, timeUp)
  } catch (error) {
    const member = error instanceof DamagedBodyError ? afterGzipHeader(Buffer.concat(wire)) : null
    if (member === null) throw error
    const again = { decoder: zlib.createInflateRaw(), wire: null }
    return readThrough(Readable.from([member]), again, limits, timeUp)
  }
}

interface Reading {
  decoder: Duplex | null
  /** Where the body is kept as it comes, for another reading; null where there is none. */
  wire: Buffer[] | null
}

async function readThrough(
  body: Readable,
  { decoder, wire }: Reading,
  limits: BodyLimits,
  timeUp: AbortSignal,
): Promise<ReadBody> {
  const held: Buffer[] = []
  const size = { wire: 0, text: 0 }
  let cut: ReadBody['cut'] = null
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size.wire += chunk.length
      if (size.wire <= KEPT_WIRE_BYTES) wire?.push(chunk)
      done(null, chunk)
    },
  })
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      const room = limits.bytesMax - size.text
      held.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
      size.text += chunk.length
      if (size.text > RATIO_FREE_BYTES && size.text > consumedBytes(decoder) * limits.ratioMax) cut = 'ratio'
      else if (size.text > limits.bytesMax || size.wire > limits.bytesMax) cut = 'size'
      if (cut !== null) return
    }
  }
  try {
    await (decoder === null
      ? pipeline(body, meter, collect, { signal: timeUp })
      : pipeline(body, meter, decoder, collect, { signal: timeUp }))
  } catch (error) {
    // Nothing at all is an empty page, whatever it is said to be compressed by.
    if (cut === null && !(size.wire === 0 && errorCode(error) === 'Z_BUF_ERROR')) {
      const mayReadAgain = wire !== null && size.wire <= KEPT_WIRE_BYTES && size.text <= READ_AGAIN_BYTES
      if (isNotCompressed(error) && (size.text === 0 || mayReadAgain))
        throw new DamagedBodyError(error.message)
      if (size.text === 0) throw error
      cut = timeUp.aborted ? 'time' : 'connection'
    }
  } finally {
    body.on('error', () => undefined)
    body.destroy()
  }
  return { bytes: Buffer.concat(held), cut }
}

const isNotCompressed = (error: unknown): error is Error =>
  error instanceof Error && NOT_COMPRESSED.test(errorCode(error))

/**
 * What follows the header of a gzip member (RFC 1952 §2.3); null when there is none. Read as bare deflate it ends where
 * the member does: servers send other bytes behind it, and browsers leave them alone, where zlib looks for a member.
 */
function afterGzipHeader(bytes: Buffer): Buffer | null {
  if (bytes.length < GZIP_HEADER_BYTES || bytes.readUInt16BE(0) !== GZIP_MAGIC) return null
  const flags = bytes[3] ?? 0
  let at = GZIP_HEADER_BYTES
  if ((flags & 4) !== 0 && at + 2 <= bytes.length) at += 2 + bytes.readUInt16LE(at)
  for (const flag of [8, 16]) if ((flags & flag) !== 0) at = bytes.indexOf(0, at) + 1 || bytes.length
  if ((flags & 2) !== 0) at += 2
  return bytes.subarray(at)
}

const GZIP_HEADER_BYTES = 10
const GZIP_MAGIC = 0x1f8b

/** Compressed bytes that the output so far was made of: fewer than have come, because a decoder reads ahead. */
function consumedBytes(decoder: Duplex | null): number {
  return decoder !== null && 'bytesWritten' in decoder ? Number(decoder.bytesWritten) : Infinity
}

async function decoderFor(body: Readable, contentEncoding: string): Promise<Duplex | null> {
  const names = contentEncoding.toLowerCase().split(',')
  const encodings = names.map((name) => name.trim()).filter((name) => CODINGS.has(name))
  // One layer only: nested compression is a bomb's trick and no server's habit.
  const decoder = encodings.length > 1 ? undefined : await createDecoder(encodings[0], body)
  if (decoder !== undefined) return decoder
  body.on('error', () => undefined)
  body.destroy()
  throw new UnknownEncodingError(`content-encoding ${contentEncoding.slice(0, 100)}`)
}

async function createDecoder(
  encoding: string | undefined,
  body: Readable,
): Promise<Duplex | null | undefined> {
  switch (encoding) {
    case undefined:
      return null
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip()
    case 'br':
      return zlib.createBrotliDecompress()
    case 'deflate':
      return (await firstByte(body)) === 0x78 ? zlib.createInflate() : zlib.createInflateRaw()
    case 'zstd':
      return createZstd()
    default:
      return undefined
  }
}

/** "deflate" is zlib's format by RFC 9110, and the bare one in practice: the first byte tells. */
async function firstByte(body: Readable): Promise<number | undefined> {
  for (;;) {
    const chunk: unknown = body.read()
    if (chunk instanceof Uint8Array) {
      body.unshift(chunk)
      return chunk[0]
    }
    if (body.readableEnded || body.destroyed) return undefined
    await new Promise<void>((resolve) => {
      for (const event of ['readable', 'end', 'close', 'error']) body.once(event, () => resolve())
    })
  }
}

function createZstd(): Duplex | undefined {
  const create: unknown = Reflect.get(zlib, 'createZstdDecompress')
  const stream: unknown = typeof create === 'function' ? create() : undefined
  return stream instanceof Duplex ? stream : undefined
}
