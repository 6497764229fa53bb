import { describe, expect, test } from 'vitest'
import { readTextBetween } from '../fixtures.ts'

const CODE = 'let a = 1\nlet b = 22'
describe('numbers of lines beside code are none of it', () => {
  test.each([
    [
      'in the line, by name',
      '<pre><span class="lineno">1</span>let a = <span class="mi">1</span>\n<span class="lineno">2</span>let b = 22</pre>',
    ],
    [
      'in the line, where it says that they are not copied',
      '<pre><code><span style="user-select: none">1 </span>let a = 1\n<span style="-webkit-user-select:none">2 </span>let b = 22</code></pre>',
    ],
    [
      'in boxes beside the lines',
      '<pre><code><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">1</div></div><div class="code">let a = 1</div></div><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">2</div></div><div class="code">let b = 22</div></div></code></pre>',
    ],
    [
      'in a cell beside all lines',
      `<table><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>${CODE}</pre></td></tr></table>`,
    ],
    [
      'in a cell beside each line',
      '<pre><code><table><tr><td class="hljs-ln-line hljs-ln-numbers"><div>1</div></td><td class="hljs-ln-line hljs-ln-code">let a = 1</td></tr><tr><td class="hljs-ln-line hljs-ln-numbers"><div>2</div></td><td class="hljs-ln-line hljs-ln-code">let b = 22</td></tr></table></code></pre>',
    ],
    [
      'outside the code',
      `<div class="language-js"><pre><code>${CODE}</code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br><span class="line-number">2</span><br></div></div>`,
    ],
  ])('%s', async (_, html) => {
    expect(await readTextBetween(html)).toBe(`Before.\n\n${CODE}\n\nAfter.`)
  })

  test('and numbers of the code stay, also where its block is named for having those of lines', async () => {
    const code =
      '<pre class="line-numbers lineno"><code>a = <span class="token">1</span>\n<span>22</span></code></pre>'
    expect(await readTextBetween(code)).toContain('a = 1\n22')
    expect(await readTextBetween('<div class="gutter"><div>7</div></div>')).toContain('7')
    expect(await readTextBetween('<pre><span style="user-select:none">$ </span>ls</pre>')).toContain('$ ls')
  })
})
