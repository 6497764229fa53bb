import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDocument, isText, sniffMediaType } from '../../../src/pages/fetch/media-type.ts'

const sniff = (contentType: string | null, start: string) =>
  sniffMediaType(contentType, Buffer.from(start, 'latin1'))

describe('the bytes win where the header cannot be true', () => {
  it.each([
    ['text/html', '%PDF-1.7\n', 'application/pdf'],
    ['text/plain', '\n %PDF-1.4', 'application/pdf'],
    ['application/octet-stream', '%PDF-1.4', 'application/pdf'],
    ['application/pdf', '<!doctype html><p>Log in first', 'text/html'],
    ['application/pdf', 'no pdf at all', 'application/pdf'],
    ['text/html', 'PK\u0003\u0004xx', 'application/zip'],
    ['text/html', 'PK\u0005\u0006xx', 'application/zip'],
    ['text/html', 'GIF87a', 'image/gif'],
    ['text/html', 'RIFF\u0001\u0002\u0003\u0004WAVEfmt ', 'audio/wave'],
    ['text/html', '\u0000\u0000\u0000\u0018ftypmp42', 'video/mp4'],
    ['text/html', '\u001AE\u00DF\u00A3', 'video/webm'],
    ['text/html', 'OggS\u0000', 'application/ogg'],
    ['text/html', 'ID3\u0003', 'audio/mpeg'],
    ['text/html', 'ID3\u0004', 'audio/mpeg'],
    ['text/html', 'wOFF\u0000', 'font/woff'],
    ['text/html', 'wOF2\u0000', 'font/woff2'],
    ['text/html', 'Rar!\u001A\u0007', 'application/vnd.rar'],
    ['text/html', "7z\u00BC\u00AF'\u001C", 'application/x-7z-compressed'],
    ['text/html', '\u007FELF', 'application/x-executable'],
    ['application/msword', '<!doctype html>', 'application/msword'],
    ['application/epub+zip', '<html><p>Log in first', 'text/html'],
    ['text/html', '\u001F\u008B\b', 'application/gzip'],
    ['text/plain', '\u0089PNG\r\n\u001A\n', 'image/png'],
    ['text/html; charset=utf-8', '\u00FF\u00D8\u00FF\u00E0', 'image/jpeg'],
    ['text/html', 'GIF89a', 'image/gif'],
    ['text/html', 'RIFF\u0001\u0002\u0003\u0004WEBPVP8 ', 'image/webp'],
    ['text/html', '\u0000\u0000\u0000\u0018ftypisom', 'video/mp4'],
    ['text/plain', 'abc\u0000def', 'application/octet-stream'],
    ['text/html', '<p>\u0001', 'application/octet-stream'],
    ['text/plain', '<!DOCTYPE html><html>', 'text/html'],
    ['text/plain', '<!-- note --><!-- note --><html lang="en">', 'text/html'],
    ['text/xml', '<!doctype html><html>', 'text/html'],
    [
      'application/xml',
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html xmlns="y">',
      'application/xhtml+xml',
    ],
    ['text/xml', '<?xml version="1.0"?><rss version="2.0">', 'application/rss+xml'],
    ['application/xml', '<?xml version="1.0"?><!-- x -->\n<feed xmlns="y">', 'application/atom+xml'],
    ['text/html', '<?xml version="1.0"?><rss version="2.0">', 'application/rss+xml'],
    ['text/xml', '<rdf:RDF xmlns:rdf="y">', 'application/rss+xml'],
  ])('%s with %j is %s', (contentType, start, expected) => expect(sniff(contentType, start)).toBe(expected))
})

describe('the bytes decide where the header says nothing', () => {
  it.each([
    ['<!DOCTYPE HTML>\n<html>', 'text/html'],
    ['\u00EF\u00BB\u00BF\n <html>', 'text/html'],
    ['<!-- x --><body>', 'text/html'],
    ['<h1>Title</h1>', 'text/html'],
    ['<p>Paragraph', 'text/html'],
    ['<?xml version="1.0"?><thing/>', 'text/xml'],
    ['<?xml version="1.0"?><html xmlns="x">', 'application/xhtml+xml'],
    ['<rss version="2.0">', 'application/rss+xml'],
    ['<feed xmlns="x">', 'application/atom+xml'],
    ['Just words. <p> is an element.', 'text/plain'],
    ['{"json": true}', 'text/plain'],
    ['<thing>', 'text/plain'],
    ['', 'text/plain'],
    ['\u00FF\u00FEh\u0000i\u0000', 'text/plain'],
    ['h\u0000e\u0000l\u0000l\u0000o\u0000', 'text/plain'],
    ['\u0000h\u0000e\u0000l\u0000l\u0000o', 'text/plain'],
    ['\u001B$B\u001B(B', 'text/plain'],
    ['\u00FF\u00FEx', 'text/plain'],
    ['\u00FE\u00FF\u0000\u0001', 'text/plain'],
    ['\u00FF\u0000\u0000', 'application/octet-stream'],
    ['\u00FE\u0000\u0000', 'application/octet-stream'],
    ['\u0000\u00FE\u0000\u0000', 'application/octet-stream'],
    ['\u0000\u00FF\u0000\u0000', 'application/octet-stream'],
    ['\u0000\u0001\u0002', 'application/octet-stream'],
    ['five signs and one \u0000', 'application/octet-stream'],
    ['a\u0000b\u0000\u0000cd', 'application/octet-stream'],
    ['x <!doctype html>', 'text/plain'],
    ['x<p>', 'text/plain'],
    ['<!doctype htmlx>', 'text/plain'],
    ['<!-- never closed <p>', 'text/plain'],
    ['<rss>', 'application/rss+xml'],
    ['<p/>', 'text/html'],
    ['<p\n>', 'text/html'],
    ['<pre>', 'text/plain'],
    ['a\u00EF\u00BB\u00BF<p>', 'text/plain'],
  ])('%j is %s', (start, expected) => {
    for (const contentType of [
      null,
      '',
      'application/octet-stream',
      'binary/octet-stream',
      'application/unknown',
      'unknown/unknown; x=y',
      '*/*',
      'nonsense',
    ]) {
      expect(sniff(contentType, start)).toBe(expected)
    }
  })
})

it.each([0x01, 0x08, 0x0b, 0x0e, 0x1a, 0x1c, 0x1f])('a text with the byte %i is none', (byte) => {
  expect(sniff(null, `a${String.fromCodePoint(byte)}`)).toBe('application/octet-stream')
})

it.each([0x00, 0x01, 0x0b, 0x1f])('a page of HTML is one in spite of a stray byte %i', (byte) => {
  const html = `<!doctype html><title>Slip</title><p>a${String.fromCodePoint(byte)}b`
  for (const contentType of [null, 'text/html', 'application/octet-stream'])
    expect(sniff(contentType, html)).toBe('text/html')
})

it('arbitrary bytes are no page, however they begin', () => {
  const bytes = Array.from({ length: 600 }, (_, index) => String.fromCodePoint((index * 197 + 31) % 256))
  expect(sniff('text/html', `<html><body><p>${bytes.join('')}`)).toBe('application/octet-stream')
})

it.each([0x09, 0x0a, 0x0c, 0x0d, 0x1b, 0x20, 0x7f])('a text may hold the byte %i', (byte) => {
  expect(sniff(null, `a${String.fromCodePoint(byte)}`)).toBe('text/plain')
})

describe('a ZIP file is the document that it holds', () => {
  const zip = (first: string, content = ''): string =>
    `PK\u0003\u0004${' '.repeat(22)}\u0008\u0000\u0000\u0000${first}${content}`
  const OPEN = 'application/vnd.oasis.opendocument.'
  const OFFICE = 'application/vnd.openxmlformats-officedocument.'
  it.each([
    ['text/html', zip('mimetype', 'application/epub+zipPK'), 'application/epub+zip'],
    ['text/html', zip('mimetype', `${OPEN}textPK`), `${OPEN}text`],
    ['text/html', zip('mimetype', `${OPEN}spreadsheetPK`), `${OPEN}spreadsheet`],
    ['text/html', zip('mimetype', `${OPEN}presentationPK`), `${OPEN}presentation`],
    [
      'text/html',
      zip('[Content_Types].xml', `${' '.repeat(2_000)}word/document.xml`),
      `${OFFICE}wordprocessingml.document`,
    ],
    ['text/html', zip('xl/workbook.xml'), `${OFFICE}spreadsheetml.sheet`],
    ['text/html', zip('ppt/presentation.xml'), `${OFFICE}presentationml.presentation`],
    [`${OPEN}text`, zip('content.xml'), `${OPEN}text`],
    [`${OFFICE}spreadsheetml.sheet`, zip('a.xml'), `${OFFICE}spreadsheetml.sheet`],
    ['text/html', zip('mimetype', 'application/java-archive'), 'application/zip'],
    ['text/html', zip('notatype', 'application/epub+zip'), 'application/zip'],
    ['text/html', zip('application/epub+zip'), 'application/zip'],
    ['image/png', zip('a.png'), 'application/zip'],
  ])('declared as %s, with %j: %s', (contentType, start, expected) => {
    expect(sniff(contentType, start)).toBe(expected)
    expect(isDocument(expected)).toBe(expected !== 'application/zip')
  })

  it('PDF is a document, too, and nothing else is', () => {
    expect(['application/pdf', 'application/zip', 'text/html', ''].map(isDocument)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})

describe('the header stands where it can be true', () => {
  it.each([
    ['text/html; charset=utf-8', 'anything', 'text/html'],
    ['TEXT/HTML', 'rss is not an element', 'text/html'],
    ['text/html', '<!doctype html><rss>', 'text/html'],
    ['application/xhtml+xml', '<?xml version="1.0"?><html>', 'application/xhtml+xml'],
    ['text/markdown', '<h1>Markdown may hold HTML</h1>', 'text/markdown'],
    ['text/plain', '<p> is how a paragraph begins', 'text/plain'],
    ['application/json', '{"a":1}', 'application/json'],
    ['application/ld+json', '{"a":1}', 'application/ld+json'],
    ['application/atom+xml', '<feed>', 'application/atom+xml'],
    ['text/xml', '<?xml version="1.0"?><sitemapindex>', 'text/xml'],
    ['text/plain', 'PK is a prefix, ID3 is a tag', 'text/plain'],
    ['image/svg+xml', '<svg>', 'image/svg+xml'],
    ['application/msword', 'words', 'application/msword'],
    [' Text/HTML ;charset=x', 'words', 'text/html'],
    ['text/markdown', '<?xml version="1.0"?><a>', 'text/markdown'],
    ['text/markdown', '<rss>', 'text/markdown'],
    ['=text/html', 'words', 'text/plain'],
    ['text/xml', '<?xml version="1.0"?><html>', 'application/xhtml+xml'],
  ])('%s with %j is %s', (contentType, start, expected) => expect(sniff(contentType, start)).toBe(expected))
})

it.each([
  ['text/html', true],
  ['text/csv', true],
  ['application/json', true],
  ['application/ld+json', true],
  ['application/rss+xml', true],
  ['application/xhtml+xml', true],
  ['application/javascript', true],
  ['application/pdf', false],
  ['application/zip', false],
  ['image/svg+xml', false],
  ['application/octet-stream', false],
  ['application/rtf', false],
  ['xapplication/json', false],
  ['application/jsonx', false],
  ['application/+json', false],
  ['application/x-ndjson', true],
  ['application/vnd.api+json', true],
  ['', false],
])('%s is text: %s', (mediaType, expected) => expect(isText(mediaType)).toBe(expected))

it('comments that never end and markup without end cost no time', () => {
  for (const piece of ['--><!--', '<!--', '<?', '<!doctype ', '<meta ']) {
    expect(sniff(null, `<!--${piece.repeat(200)}`)).toMatch(/^text\//u)
  }
})

it('any bytes with any header have a media type', () => {
  fc.assert(
    fc.property(fc.option(fc.string()), fc.uint8Array({ maxLength: 100 }), (contentType, bytes) => {
      expect(sniffMediaType(contentType, bytes)).toMatch(/^[\w.+*-]+\/[\w.+*-]+$/u)
    }),
  )
})
