// ZIP files for tests, made of parts of any content and any claims about it (APPNOTE 4.3).
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  name: string
  content: string | Uint8Array
  /** What the file says it unpacks to; left out for the truth. */
  claimedBytes?: number
  isEncrypted?: boolean
  isStored?: boolean
}

export function zipOf(parts: readonly ZipPart[]): Uint8Array {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const part of parts) {
    const { name, content, isEncrypted = false, isStored = false } = part
    const bytes = Buffer.from(content)
    const packed = isStored ? bytes : deflateRawSync(bytes, { level: 9 })
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE((isEncrypted ? 1 : 0) | 0x0800, 2)
    shared.writeUInt16LE(isStored ? 0 : 8, 4)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(part.claimedBytes ?? bytes.length, 18)
    shared.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([signature(0x04034b50), shared, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    directory.push(
      Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), shared, tail, Buffer.from(name)]),
    )
    locals.push(local)
    at += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(at, 12)
  return new Uint8Array(Buffer.concat([...locals, list, signature(0x06054b50), end]))
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
