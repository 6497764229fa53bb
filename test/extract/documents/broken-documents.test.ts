import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasReader } from '../../../src/extract/documents/read-document.ts'
import { UnreadableError } from '../../../src/extract/document.ts'
import { DOCUMENT_FORMATS, sniffMediaType } from '../../../src/pages/fetch/media-type.ts'
import { read, readFixtureBytes } from '../fixtures.ts'
import { zipOf, type ZipPart } from '../../support/zip.ts'
import { MEDIA_TYPES } from './media-types.ts'

const FIXTURES = [
  ['lighthouse.docx', MEDIA_TYPES.docx],
  ['tides.xlsx', MEDIA_TYPES.xlsx],
  ['harbour.pptx', MEDIA_TYPES.pptx],
  ['lighthouse.odt', MEDIA_TYPES.odt],
  ['tides.ods', MEDIA_TYPES.ods],
  ['harbour.odp', MEDIA_TYPES.odp],
  ['lighthouse.epub', MEDIA_TYPES.epub],
] as const

const failureOf = (bytes: Uint8Array, mediaType: string = MEDIA_TYPES.docx) =>
  read(bytes, { mediaType }).then(
    () => 'read',
    (error: unknown) => {
      if (error instanceof UnreadableError) return error.code
      throw error
    },
  )

const documentOf = (body: string): ZipPart => ({
  name: 'word/document.xml',
  content: `<w:document><w:body><w:p><w:r><w:t>${body}</w:t></w:r></w:p></w:body></w:document>`,
})

test('every document is recognised by its bytes, whatever the server calls it', () => {
  for (const [name, mediaType] of FIXTURES) {
    const bytes = readFixtureBytes(`documents/${name}`)
    expect(sniffMediaType('application/octet-stream', bytes)).toBe(mediaType)
    expect(sniffMediaType('application/zip', bytes)).toBe(mediaType)
  }
})

test('what is loaded as a document has a reader', () => {
  for (const { mediaType } of DOCUMENT_FORMATS)
    expect([mediaType, hasReader(mediaType)]).toEqual([mediaType, true])
  expect(DOCUMENT_FORMATS.map(({ mediaType }) => mediaType)).toEqual(FIXTURES.map(([, type]) => type))
})

test('a ZIP file that is no document stays one, and a page that is called a document is a page', () => {
  expect(sniffMediaType(null, zipOf([{ name: 'a.txt', content: 'a' }]))).toBe('application/zip')
  expect(sniffMediaType(MEDIA_TYPES.docx, Buffer.from('<!doctype html><title>Gone</title>'))).toBe(
    'text/html',
  )
})

describe.each(FIXTURES)('%s, broken', (name, mediaType) => {
  const bytes = readFixtureBytes(`documents/${name}`)

  test('cut off anywhere, it is called damaged', async () => {
    for (const share of [0, 0.01, 0.3, 0.7, 0.95, 0.999])
      expect(await failureOf(bytes.slice(0, Math.floor(bytes.length * share)), mediaType)).toBe('damaged')
  })

  test('with any bytes changed, it is read or refused in words for its reader', async () => {
    const changes = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const broken = bytes.slice()
        for (const [at, value] of changed) broken[at] = value
        expect(['read', 'damaged', 'too_large', 'empty', 'encrypted']).toContain(
          await failureOf(broken, mediaType),
        )
      }),
      { numRuns: 24 },
    )
  })
})

describe('limits', () => {
  test('a part that unpacks to more than is read is refused before it is unpacked', async () => {
    const bomb = zipOf([{ ...documentOf('a'), claimedBytes: 33 * 2 ** 20 }])
    expect(await failureOf(bomb)).toBe('too_large')
  })

  test('a part that unpacks to more than it says is refused while it is unpacked', async () => {
    const liar = zipOf([{ ...documentOf('a'.repeat(40 * 2 ** 20)), claimedBytes: 1_000 }])
    expect(await failureOf(liar)).toBe('damaged')
  })

  test('too many parts are refused', async () => {
    const parts = Array.from({ length: 5_001 }, (_, index) => ({
      name: `${index}`,
      content: '',
      isStored: true,
    }))
    expect(await failureOf(zipOf([documentOf('a'), ...parts]))).toBe('too_large')
  })

  test('text beyond a million characters is left out, and said to be', async () => {
    const long = Array.from(
      { length: 1_200 },
      () => `<w:p><w:r><w:t>${'word '.repeat(200)}</w:t></w:r></w:p>`,
    )
    const bytes = zipOf([{ name: 'word/document.xml', content: `<w:body>${long.join('')}</w:body>` }])
    const page = await read(bytes, { mediaType: MEDIA_TYPES.docx })
    expect(page.isCut).toBe(true)
    expect(page.text.length).toBeLessThanOrEqual(1_000_000)
  })
})

test('a part that still unpacks but is not what was packed is called damaged: its checksum tells', async () => {
  const whole = zipOf([{ ...documentOf('the lamp is lit'), isStored: true }])
  expect(await failureOf(whole)).toBe('read')
  const changed = Buffer.from(whole)
  changed.write('the lamp is out', changed.indexOf('the lamp is lit'))
  expect(await failureOf(new Uint8Array(changed))).toBe('damaged')
})

describe('refusals', () => {
  test('a part that is locked by a password is called protected', async () => {
    expect(await failureOf(zipOf([{ ...documentOf('a'), isEncrypted: true }]))).toBe('encrypted')
  })

  test('Office’s own envelope of protected files is called protected, an old format is named', async () => {
    const begin = Buffer.from('d0cf11e0a1b11ae1', 'hex')
    const locked = Buffer.concat([begin, Buffer.alloc(600), Buffer.from('EncryptedPackage', 'utf16le')])
    expect(await failureOf(locked)).toBe('encrypted')
    expect(await failureOf(Buffer.concat([begin, Buffer.alloc(600)]))).toBe('not_text')
  })

  test('an OpenDocument file and a book that are protected are called so', async () => {
    const manifest = '<manifest:manifest><manifest:encryption-data/></manifest:manifest>'
    const odt = zipOf([
      { name: 'META-INF/manifest.xml', content: manifest },
      { name: 'content.xml', content: 'x' },
    ])
    expect(await failureOf(odt, MEDIA_TYPES.odt)).toBe('encrypted')
    const epub = zipOf([
      { name: 'META-INF/container.xml', content: '<container><rootfile full-path="o/b.opf"/></container>' },
      {
        name: 'o/b.opf',
        content:
          '<package><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/></package>',
      },
      { name: 'META-INF/encryption.xml', content: '<e><CipherReference URI="o/a.xhtml"/></e>' },
    ])
    expect(await failureOf(epub, MEDIA_TYPES.epub)).toBe('encrypted')
  })

  test('a document without a word is called empty', async () => {
    expect(await failureOf(zipOf([documentOf('')]))).toBe('empty')
  })
})
