// PDFs for tests: real files, written by hand, whose pages hold any content stream.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createDeflate, deflateSync } from 'node:zlib'

const SPACES_AT_A_TIME = 1_000_000
const SPACES = Buffer.alloc(SPACES_AT_A_TIME, ' ')

/** A PDF with a page for each content stream, in Helvetica as /F1. Streams are compressed (Flate). */
export const pdfOf = (...streams: readonly (string | Uint8Array)[]): Uint8Array =>
  pdfOfCompressed(streams.map((stream) => deflateSync(stream, { level: 9 })))

function pdfOfCompressed(streams: readonly Uint8Array[]): Uint8Array {
  const pagesId = 2 + 2 * streams.length
  const kids = streams.map((_, index) => `${3 + 2 * index} 0 R`)
  const objects: Buffer[] = [object(1, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')]
  for (const [index, stream] of streams.entries()) {
    const id = 2 + 2 * index
    objects.push(streamObject(id, stream))
    const resources = '/Resources << /Font << /F1 1 0 R >> >>'
    objects.push(
      object(
        id + 1,
        `<< /Type /Page /Parent ${pagesId} 0 R /MediaBox [0 0 612 792] /Contents ${id} 0 R ${resources} >>`,
      ),
    )
  }
  objects.push(object(pagesId, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] >>`))
  objects.push(object(pagesId + 1, `<< /Type /Catalog /Pages ${pagesId} 0 R >>`))
  return new Uint8Array(fileOf(objects))
}

/** A PDF of one page whose content stream is so many spaces, which nobody has to hold to make it. */
export async function pdfOfSpaces(sizeBytes: number): Promise<Uint8Array> {
  const spaces = Array.from({ length: Math.ceil(sizeBytes / SPACES_AT_A_TIME) }, () => SPACES)
  return pdfOfCompressed([await buffer(Readable.from(spaces).pipe(createDeflate({ level: 9 })))])
}

/** A page that shows each line of text once. */
export const shownLines = (lines: readonly string[]): string =>
  `BT /F1 12 Tf 14 TL 50 700 Td ${lines.map((line) => `(${line}) Tj T*`).join('\n')} ET`

const object = (id: number, body: string): Buffer => Buffer.from(`${id} 0 obj\n${body}\nendobj\n`)

const streamObject = (id: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`${id} 0 obj\n<< /Length ${bytes.length} /Filter /FlateDecode >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream\nendobj\n'),
  ])

function fileOf(objects: readonly Buffer[]): Buffer {
  const header = Buffer.from('%PDF-1.7\n')
  let at = header.length
  const entries = objects.map((written) => {
    const entry = `${String(at).padStart(10, '0')} 00000 n \n`
    at += written.length
    return entry
  })
  const size = objects.length + 1
  const trailer = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}trailer << /Size ${size} /Root ${size - 1} 0 R >>\nstartxref\n${at}\n%%EOF`
  return Buffer.concat([header, ...objects, Buffer.from(trailer)])
}
