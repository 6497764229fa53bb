import { describe, expect, test } from 'vitest'
import { read, readTextBetween } from '../fixtures.ts'

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
    expect(await readTextBetween(html)).toBe('Before.\n\na\n\nb\n\nAfter.')
  })

  test('has none where the lines stand in a grid, nor before the first', async () => {
    const grid =
      '<pre>\n<code style="display:grid"><span data-line>a</span>\n<span data-line>b</span>\n</code></pre>'
    expect(await readTextBetween(grid)).toBe('Before.\n\na\nb\n\nAfter.')
    expect(await readTextBetween('<h2>Top</h2><pre>\n<div>a</div></pre>')).toContain('Top\na\n')
  })
})

test('a <code> that the page lays out as a block and whose lines it keeps is code, as a <pre> is', async () => {
  const style = '<style>.block code{display:block;white-space:pre}</style>'
  const page = await read(
    `${style}<p>Run <code>ls</code>:</p><div class="block"><code class="language-sh">\nls\n  -l  -a\n</code></div>`,
  )
  expect(page.text).toBe('Run ls:\n\nls\n  -l  -a')
  expect(page.blocks.map(({ kind, code }) => [kind, code?.language])).toEqual([
    ['paragraph', undefined],
    ['code', 'sh'],
  ])
})
