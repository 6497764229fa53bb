// Files that are broken as files are: cut off, with bytes or parts changed, packed to burst, or not what they are called.
import { zipOf, type ZipPart } from '../../test/support/zip.ts'
import { MEDIA_TYPES } from '../../test/extract/documents/media-types.ts'
import { servedPage, type HostilePage, type ReadHostilePage } from './hostile-pages.ts'
import { readMade } from './made-documents.ts'
import type { DocumentFormat, MadeDocument } from './office-program.ts'

export interface BrokenDocument extends HostilePage {
  kind: string
  /** What the file says while it is whole; '' for one that never was. */
  whole: string
}

type PackedFormat = Exclude<DocumentFormat, 'csv'>

interface Packed {
  format: PackedFormat
  bytes: Uint8Array
  whole: string
}

/** Null: there is nothing in the file to break so. */
type Break = (file: Packed, random: () => number) => Uint8Array | null

/** The part without which there is no document, and an element that it is made of. */
const MAIN_PARTS: Readonly<Record<PackedFormat, string>> = {
  docx: 'word/document.xml',
  xlsx: 'xl/workbook.xml',
  pptx: 'ppt/presentation.xml',
  odt: 'content.xml',
  ods: 'content.xml',
  odp: 'content.xml',
  epub: 'META-INF/container.xml',
}

function changed(bytes: Uint8Array, change: (copy: Buffer) => void): Uint8Array {
  const copy = Buffer.from(bytes)
  change(copy)
  return new Uint8Array(copy)
}

/** Another name of the same length in place of every `name`. */
function renamed(bytes: Uint8Array, name: string): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  return new Uint8Array(Buffer.from(text.replaceAll(name, `${name.slice(0, -1)}_`), 'latin1'))
}

const partOf = ({ format }: Packed, content: string, claims: Partial<ZipPart> = {}): ZipPart => ({
  name: MAIN_PARTS[format],
  content,
  ...claims,
})

/** Packed files say what they are in a first part, where their format wants it. */
const packed = (file: Packed, ...parts: ZipPart[]): Uint8Array =>
  zipOf([{ name: 'mimetype', content: MEDIA_TYPES[file.format], isStored: true }, ...parts])

const MEBIBYTE = 2 ** 20
const cutAt =
  (share: number): Break =>
  ({ bytes }) =>
    bytes.slice(0, Math.floor(bytes.length * share))

const BREAKS: Readonly<Record<string, Break>> = {
  'cut off in its first tenth': cutAt(0.08),
  'cut off in the middle': cutAt(0.5),
  'cut off near its end': cutAt(0.99),
  'twenty bytes flipped': ({ bytes }, random) =>
    changed(bytes, (copy) => {
      for (let turn = 0; turn < 20; turn++) {
        const at = Math.floor(random() * copy.length)
        copy[at] = (copy[at] ?? 0) ^ (1 + Math.floor(random() * 255))
      }
    }),
  'one byte flipped': ({ bytes }, random) =>
    changed(bytes, (copy) => {
      const at = Math.floor(random() * copy.length)
      copy[at] = (copy[at] ?? 0) ^ 0x55
    }),
  'half a kilobyte of zeros in it': ({ bytes }, random) =>
    changed(bytes, (copy) => {
      const at = Math.floor(random() * Math.max(1, copy.length - 512))
      copy.fill(0, at, at + 512)
    }),
  'its list of parts lost': ({ bytes }) =>
    changed(bytes, (copy) => copy.fill(0, Math.max(0, copy.length - 22))),
  'its main part missing': ({ bytes, format }) => renamed(bytes, MAIN_PARTS[format]),
  'its main part empty': (file) => packed(file, partOf(file, '')),
  'its main part no XML': (file) => packed(file, partOf(file, '\u0000\u0001binary\u0002'.repeat(200))),
  'its main part another one': (file) => packed(file, partOf(file, '<unknown><a>text</a></unknown>')),
  'entities that grow': (file) => {
    const entities = Array.from({ length: 20 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`)
    return packed(
      file,
      partOf(file, `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "x">${entities.join('')}]><a>&e20;</a>`),
    )
  },
  'a part that unpacks to forty mebibytes': (file) => packed(file, partOf(file, ' '.repeat(40 * MEBIBYTE))),
  'a part that unpacks to more than it says': (file) =>
    packed(file, partOf(file, ' '.repeat(4 * MEBIBYTE), { claimedBytes: 1_000 })),
  'six thousand parts': (file) =>
    packed(
      file,
      partOf(file, '<a/>'),
      ...Array.from({ length: 6_000 }, (_, at) => ({ name: `p${at}`, content: '', isStored: true })),
    ),
  'a part locked by a password': (file) => packed(file, partOf(file, '<a/>', { isEncrypted: true })),
  'a part with a name that leads out': (file) =>
    packed(file, { name: '../../etc/passwd', content: 'root' }, partOf(file, '<a/>')),
  'elements in elements without end': (file) => packed(file, partOf(file, '<a>'.repeat(200_000))),
  'an image by this name': () => new Uint8Array(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')),
  'an old format by this name': () =>
    new Uint8Array(Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_000)])),
  'nothing at all': () => new Uint8Array(0),
  'random bytes': ({ bytes }, random) =>
    Uint8Array.from(bytes.subarray(0, 3_000), () => Math.floor(random() * 256)),
}

/** `count` broken files, every way in turn and every format in turn. */
export async function breakDocuments(
  made: readonly Pick<MadeDocument, 'format' | 'bytes'>[],
  count: number,
  random: () => number,
): Promise<BrokenDocument[]> {
  const files: Packed[] = []
  for (const { format, bytes } of made)
    if (format !== 'csv') files.push({ format, bytes, whole: await readMade({ format, bytes }) })
  const breaks = Object.entries(BREAKS)
  const broken: BrokenDocument[] = []
  for (let turn = 0; broken.length < count && turn < count * 4; turn++) {
    const [kind, change] = breaks[turn % breaks.length] ?? ['', () => null]
    const file = files[(turn * 7 + Math.floor(turn / breaks.length)) % files.length]
    const bytes = file === undefined ? null : change(file, random)
    if (file === undefined || bytes === null) continue
    const headers = { 'content-type': MEDIA_TYPES[file.format] }
    const page = servedPage(`${turn}.${file.format}`, bytes, { headers, warning_code: null })
    broken.push({ ...page, kind, whole: file.whole })
  }
  return broken
}

/** Of a file that is read in spite of what was done to it, so much must be there. */
const WHOLE_SHARE = 0.9

/** What is wrong with how a broken file was answered; null for a warning, and for what was read whole in spite of all. */
export function faultOfBroken({ whole }: BrokenDocument, { code, texts }: ReadHostilePage): string | null {
  if (code === 'unexpected') return 'breaks the reader'
  if (code === 'timeout' || code === 'out_of_time') return 'takes too long'
  if (texts.some((text) => !whole.includes(text))) return 'shows what the whole file does not say'
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  return code === null && characters < whole.length * WHOLE_SHARE ? 'loses text without a warning' : null
}
