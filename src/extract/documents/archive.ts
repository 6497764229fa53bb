// The parts of a ZIP file, which most documents are: bounded in number and in what they unpack to.
import { crc32 } from 'node:zlib'
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { UnreadableError } from '../document.ts'

export interface ArchiveLimits {
  /** Entries in the file's own list. */
  entriesMax: number
  /** Of one part, unpacked. */
  partBytesMax: number
  /** Of all parts that are read, unpacked. */
  totalBytesMax: number
}

const LIMITS: ArchiveLimits = {
  entriesMax: 5_000,
  partBytesMax: 32 * 2 ** 20,
  totalBytesMax: 64 * 2 ** 20,
}

const TOO_LARGE = 'The document unpacks to more than this service reads.'
const TOO_MANY = 'The document is made of more parts than this service reads.'
const ENCRYPTED = 'The document is protected by a password.'

export interface Archive {
  has(name: string): boolean
  /** The part as text in UTF-8, or UTF-16 when it is marked so; null when there is no such part. */
  text(name: string): Promise<string | null>
}

/** @throws {UnreadableError} `damaged` for what is no whole ZIP file, `too_large` beyond the limits. */
export async function openArchive(
  bytes: Uint8Array,
  damaged: string,
  limits: ArchiveLimits = LIMITS,
): Promise<Archive> {
  try {
    const file = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
    })
    return archiveOf(file, await entriesOf(file, limits.entriesMax), damaged, limits)
  } catch (error) {
    throw unreadable(error, damaged)
  }
}

async function entriesOf(file: ZipFile, entriesMax: number): Promise<ReadonlyMap<string, Entry>> {
  if (file.entryCount > entriesMax) throw new UnreadableError('too_large', TOO_MANY)
  const entries = new Map<string, Entry>()
  for await (const entry of file.eachEntry()) entries.set(entry.fileName, entry)
  return entries
}

function archiveOf(
  file: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  damaged: string,
  { partBytesMax, totalBytesMax }: ArchiveLimits,
): Archive {
  let totalBytes = 0
  // Names that differ in case alone are one part (ECMA-376 Part 2, §6.2.2.3), and programs write them as they like.
  const inAnyCase = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]))
  const find = (name: string): Entry | undefined => entries.get(name) ?? inAnyCase.get(name.toLowerCase())
  return {
    has: (name) => find(name) !== undefined,
    async text(name) {
      const entry = find(name)
      if (entry === undefined) return null
      if (entry.isEncrypted()) throw new UnreadableError('encrypted', ENCRYPTED)
      totalBytes += entry.uncompressedSize
      if (entry.uncompressedSize > partBytesMax || totalBytes > totalBytesMax)
        throw new UnreadableError('too_large', TOO_LARGE)
      try {
        return decode(await unpack(file, entry))
      } catch (error) {
        throw unreadable(error, damaged)
      }
    },
  }
}

/** The library refuses a part that unpacks to another size than it declares; its checksum (APPNOTE 4.4.7) is left to us. */
async function unpack(file: ZipFile, entry: Entry): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of await file.openReadStreamPromise(entry)) pieces.push(Buffer.from(piece))
  const bytes = Buffer.concat(pieces)
  if (crc32(bytes) !== entry.crc32) throw new Error('the checksum of a part is another')
  return bytes
}

function decode(bytes: Buffer): string {
  const isLittleEndian = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff
  return new TextDecoder(isLittleEndian ? 'utf-16le' : isBigEndian ? 'utf-16be' : 'utf-8').decode(bytes)
}

const unreadable = (error: unknown, damaged: string): UnreadableError =>
  error instanceof UnreadableError ? error : new UnreadableError('damaged', damaged, error)

/** A name as it is written in `base`, from the root of the file; '' for what cannot be one. */
export function resolvePart(base: string, target: string): string {
  const root = `zip://archive/${base}`
  return URL.canParse(target, root) ? decodeName(new URL(target, root).pathname.slice(1)) : ''
}

function decodeName(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}
