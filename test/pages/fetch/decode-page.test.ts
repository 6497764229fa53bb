import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { decodeText } from '../../../src/pages/fetch/charset.ts'
import { decodeLongPage } from '../../../src/pages/fetch/decode-page.ts'

const never = new AbortController().signal
const asHtml = { contentType: null, mediaType: 'text/html', truncated: false }

test.each(['utf-8', 'shift_jis', 'utf-16le', 'euc-jp'])(
  'a long page in %s has the text that it has in one piece',
  async (charset) => {
    const html = '<p title="a>b">鍵を削除する</p><!-- x -->\n'.repeat(20_000)
    const hints = { ...asHtml, contentType: `text/html; charset=${charset}` }
    const bytes = iconv.encode(html, charset)
    expect(await decodeLongPage({ bytes, hints }, never)).toBe((await decodeText(bytes, hints)).text)
  },
)

test('scripts beyond what anyone looks at are left out of markup, and of nothing else', async () => {
  const text = `<p>before</p><script>${'x = 1;\n'.repeat(100_000)}</script><p>behind</p>`
  const bytes = Buffer.from(text)
  const markup = await decodeLongPage({ bytes, hints: asHtml }, never)
  expect(markup.length).toBeLessThan(300_000)
  expect(markup).toMatch(/^<p>before<\/p><script>x = 1;[^<]*<\/script><p>behind<\/p>$/u)
  expect(await decodeLongPage({ bytes, hints: { ...asHtml, mediaType: 'text/plain' } }, never)).toBe(text)
})

test.each(['text/html', 'text/plain'])(
  'decoding a long page of %s ends with the reason of whoever gave it up',
  async (mediaType) => {
    const gone = new AbortController()
    const hints = { contentType: `${mediaType}; charset=iso-2022-jp`, mediaType, truncated: false }
    const decoding = decodeLongPage({ bytes: Buffer.alloc(4_000_000, 'a '), hints }, gone.signal)
    gone.abort(new Error('the caller has left'))
    await expect(decoding).rejects.toThrow('the caller has left')
  },
)
