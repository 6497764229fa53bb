import { describe, expect, test } from 'vitest'
import { read } from '../fixtures.ts'

const textOf = async (html: string): Promise<string> =>
  (await read(`<p>Before.</p>${html}<p>After.</p>`)).text

describe('code whose lines are boxes', () => {
  test.each([
    [
      'elements that are blocks',
      '<pre><code><div class="line">a</div><div class="line"><span>\n</span></div><div class="line">b</div></code></pre>',
    ],
    [
      'elements that the page lays out as blocks',
      '<pre style="display:grid"><code><span style="display:flex"><span>a\n</span></span><span style="display:flex"><span>\n</span></span><span style="display:flex"><span>b</span></span></code></pre>',
    ],
  ])('keeps its empty lines: %s', async (_, html) => {
    expect(await textOf(html)).toBe('Before.\n\na\n\nb\n\nAfter.')
  })

  test('has none where the lines stand in a grid, nor before the first', async () => {
    const grid =
      '<pre>\n<code style="display:grid"><span data-line>a</span>\n<span data-line>b</span>\n</code></pre>'
    expect(await textOf(grid)).toBe('Before.\n\na\nb\n\nAfter.')
    expect(await textOf('<h2>Top</h2><pre>\n<div>a</div></pre>')).toContain('Top\na\n')
  })
})
