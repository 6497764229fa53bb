import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isText, sniffMediaType } from '../../../src/pages/fetch/media-type.ts'

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
    ['\u0000\u0001\u0002', 'application/octet-stream'],
  ])('%j is %s', (start, expected) => {
    for (const contentType of [null, '', 'application/octet-stream', '*/*', 'nonsense']) {
      expect(sniff(contentType, start)).toBe(expected)
    }
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
