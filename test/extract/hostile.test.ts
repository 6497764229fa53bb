import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UnreadableError } from '../../src/extract/document.ts'
import { cutPassages } from '../../src/extract/passages/cut-passages.ts'
import { readPage } from '../../src/extract/read-page.ts'
import { assessRendering } from '../../src/extract/classify/rendering-need.ts'
import { NOW, read } from './fixtures.ts'

const MEGABYTE = 1_000_000
const repeat = (text: string, characters: number) => text.repeat(Math.ceil(characters / text.length))

test('the deepest text of a page nested beyond all reason is still found', async () => {
  const page = await read(`${'<div>'.repeat(5_000)}deep down${'</div>'.repeat(5_000)}<p>after</p>`)
  expect(page.text).toBe('deep down\n\nafter')
})

test('a text within a hundred thousand elements, closed or not, is read, and so is what follows', async () => {
  const deep = '<div>'.repeat(100_000)
  const text = 'What stands at the bottom of everything is a text like any other, and can be read.'
  expect((await read(`<p>before</p>${deep}<p>${text}</p>`)).text).toBe(`before\n\n${text}`)
  const closed = await read(`${deep}<p>${text}</p>${'</div>'.repeat(100_000)}<p>after</p>`)
  expect(closed.text).toBe(`${text}\n\nafter`)
})

test('reading stops when nobody waits for it any more', async () => {
  const input = {
    url: 'https://example.org/',
    lastModified: null,
    contentLanguage: null,
    now: NOW,
    mediaType: 'text/html',
  }
  const abort = new AbortController()
  const reading = readPage({ ...input, content: repeat('<p>word</p>', 10 * MEGABYTE) }, abort.signal)
  abort.abort(new Error('the caller left'))
  await expect(reading).rejects.toThrow('the caller left')
})

test('other events are served while a long page is read', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await read(repeat('<p>some text of a paragraph, <a href=x>with a link</a></p>', 4 * MEGABYTE))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
})

describe('any characters are a valid input', () => {
  const soup = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.constantFrom(
          '<p>',
          '</p>',
          '<table><tr><td>',
          '<th>',
          '</table>',
          '<pre>',
          '</pre>',
          '<script>',
          '<!--',
          '<![CDATA[',
          '<a href="',
          '">',
        ),
        fc.constantFrom(
          '<title>',
          '<svg><title>',
          '</svg>',
          '<template>',
          '<br/>',
          '<li hidden>',
          '&#xD800;',
          '&#0;',
          '\u2028',
          '{"a":"',
          '<h1>',
          '<dl><dt>',
        ),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''))
  const textType = fc.constantFrom(
    'text/html',
    'text/plain',
    'text/markdown',
    'application/json',
    'application/rss+xml',
    'application/xhtml+xml',
  )

  test('text of every type', async () => {
    await fc.assert(
      fc.asyncProperty(soup, textType, async (content, mediaType) => {
        const page = await read(content, { mediaType })
        for (const block of page.blocks) {
          expect(block.start).toBeLessThan(block.end)
          expect(block.end).toBeLessThanOrEqual(page.text.length)
          expect(block.contentWeight).toBeGreaterThanOrEqual(0)
          expect(block.contentWeight).toBeLessThanOrEqual(1)
        }
        for (const { start, end, text } of cutPassages(page, { overlap: true, limit: 100 }))
          expect(page.text.slice(start, end)).toBe(text)
        await assessRendering(content, 'https://example.org/', new AbortController().signal)
      }),
    )
  })

  test('bytes that claim to be a PDF are refused in public words', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        await expect(read(bytes, { mediaType: 'application/pdf' })).rejects.toBeInstanceOf(UnreadableError)
      }),
      { numRuns: 20 },
    )
  })
})
