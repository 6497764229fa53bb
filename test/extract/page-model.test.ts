import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block, PageText } from '../../src/extract/document.ts'
import { read, textOf } from './fixtures.ts'

const blockWith = (page: PageText, text: string): Block => {
  const block = page.blocks.find((found) => textOf(page, found).includes(text))
  if (block === undefined) throw new Error(`no block says ${text}`)
  return block
}

describe('structure of a page', async () => {
  const page = await read(`
    <h1>Top</h1><p>Begin with <a href="/one">the first link</a> and <a href="#here">stay</a>.</p>
    <ol start="3"><li>third<ul><li>below the third</li></ul></li><li value="7">seventh<p>and its second paragraph</p></li></ol>
    <blockquote><p>once said</p><blockquote><p>and answered</p></blockquote></blockquote>
    <div class="highlight-source-python"><pre>import <span>this</span></pre></div>
    <dl><dt>Weight</dt><dd>five kilograms</dd></dl>
    <figure><figcaption>what it shows</figcaption></figure>
    <h3>Is it so?</h3><p>It is.</p>
    <details><summary>Opens here</summary><p>folded</p></details>`)

  test('a heading knows its level, a summary stands below the heading above it', () => {
    expect(blockWith(page, 'Top')).toMatchObject({ kind: 'heading', level: 1 })
    expect(blockWith(page, 'Is it so?')).toMatchObject({ kind: 'heading', level: 3 })
    expect(blockWith(page, 'Opens here')).toMatchObject({ kind: 'heading', level: 4 })
  })

  test('a link is the slice of the text that leads somewhere, with its target as the page has it', () => {
    const links = blockWith(page, 'Begin with').links ?? []
    expect(links.map((link) => [textOf(page, link), link.target])).toEqual([
      ['the first link', '/one'],
      ['stay', '#here'],
    ])
  })

  test('an item knows its list, its printed number and the item it stands in', () => {
    const third = blockWith(page, 'third').item
    expect(third).toMatchObject({ number: 3, parent: null, quoteDepth: 0 })
    expect(blockWith(page, 'below the third').item).toMatchObject({ number: null, parent: third })
    const seventh = blockWith(page, 'seventh').item
    expect(seventh).toMatchObject({ list: third?.list, index: 1, number: 7 })
    expect(blockWith(page, 'second paragraph').item).toEqual(seventh)
  })

  test('quotations count how deep they are', () => {
    expect(blockWith(page, 'once said')).toMatchObject({ kind: 'quote', quoteDepth: 1 })
    expect(blockWith(page, 'and answered')).toMatchObject({ kind: 'quote', quoteDepth: 2 })
  })

  test('code has the language that its highlighter names', () => {
    expect(blockWith(page, 'import this')).toMatchObject({ kind: 'code', code: { language: 'python' } })
  })

  test('term, definition and caption are told apart', () => {
    expect(blockWith(page, 'Weight').kind).toBe('term')
    expect(blockWith(page, 'five kilograms').kind).toBe('definition')
    expect(blockWith(page, 'what it shows').kind).toBe('caption')
  })

  test('what stands under a question is its answer', () => {
    expect(blockWith(page, 'Is it so?').part).toBe('question')
    expect(blockWith(page, 'It is.').part).toBe('answer')
  })
})

test('what is a heading by its role alone is one, at the level that it names', async () => {
  const page =
    await read(`<h1>Top</h1><div role="heading" aria-level="3"><span>Below</span></div><p>Text of it.</p>
    <p role="heading">Unsaid</p><p>More text.</p>`)
  expect(blockWith(page, 'Below')).toMatchObject({ kind: 'heading', level: 3 })
  expect(blockWith(page, 'Text of it').headings).toEqual(['Top', 'Below'])
  expect(blockWith(page, 'More text')).toMatchObject({ kind: 'paragraph', headings: ['Top', 'Unsaid'] })
})

test('a list that counts down has the numbers that are printed', async () => {
  const page = await read(`<ol reversed><li>third<li>second<li>first</ol>
    <ol reversed start="10"><li>ten<li>nine<li value="4">four<li>three</ol>`)
  const numbers = page.blocks.map((block) => [textOf(page, block), block.item?.number])
  expect(numbers).toEqual([
    ['third', 3],
    ['second', 2],
    ['first', 1],
    ['ten', 10],
    ['nine', 9],
    ['four', 4],
    ['three', 3],
  ])
})

test.each([
  'p class="wp-caption-text"',
  'div class="figure__image-caption"',
  'span class="lead photo_caption"',
])('the caption of a picture is told by its name: <%s>', async (tag) => {
  const name = tag.split(' ')[0]
  const page = await read(`<p>A text.</p><${tag}>What it shows</${name}><p class="captions-on">Another.</p>`)
  expect(page.blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'caption', 'paragraph'])
})

test('a cell that ends with no-break spaces holds nothing of the next one, nor does a link in it', async () => {
  const page = await read(
    '<table><tr><td><a href="/s">Ctrl+S &nbsp;&nbsp;</a></td><td>&nbsp;</td><td>Save the file</td></tr></table>',
  )
  const [row] = page.blocks
  expect(page.text).toBe('Ctrl+S\tSave the file')
  expect((row?.table?.cells ?? []).map((cell) => textOf(page, cell))).toEqual(['Ctrl+S', 'Save the file'])
  expect((row?.links ?? []).map((link) => textOf(page, link))).toEqual(['Ctrl+S'])
})

test('a row of a table stands under the headers of its cells, through spans, and the header row under none', async () => {
  const page = await read(`<h2>Rain</h2><table><tr><th rowspan="2">Town</th><th colspan="2">Summer</th></tr>
    <tr><th>June</th><th>July</th></tr>
    <tr><td rowspan="2">Kiel</td><td>70 mm</td><td>81 mm</td></tr><tr><td>5 days</td><td>9 days</td></tr></table>`)
  expect(blockWith(page, 'Town').headings).toEqual(['Rain'])
  expect(blockWith(page, '70 mm').headings).toEqual(['Rain', 'Town Summer June July'])
  expect(blockWith(page, '9 days').headings).toEqual(['Rain', 'Kiel Summer June July'])
})

test('microdata tells question and answer', async () => {
  const page = await read(
    '<div itemscope itemtype="https://schema.org/Question"><p>how to</p><div itemtype="http://schema.org/Answer"><p>like this</p></div></div>',
  )
  expect(page.blocks.map(({ part }) => part)).toEqual(['question', 'answer'])
})

test.each([
  ['<pre class="brush: js; toolbar: false">x = 1</pre>', 'js'],
  ['<pre><code class="hljs language-c++">x = 1</code></pre>', 'c++'],
  ['<pre data-lang="Go">x = 1</pre>', 'go'],
  [
    '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>x = 1</code></pre></div></div>',
    'ruby',
  ],
  [
    '<figure class="highlight cpp"><table><tbody><tr><td class="gutter"><pre>1</pre></td><td class="code"><pre>x = 1</pre></td></tr></tbody></table></figure>',
    'cpp',
  ],
  ['<div class="code-block" language="tsx"><div><pre><code>x = 1</code></pre></div></div>', 'tsx'],
  ['<pre class="EnlighterJSRAW" data-enlighter-language="java">x = 1</pre>', 'java'],
  ['<pre class="src src-emacs-lisp src-python">x = 1</pre>', 'python'],
  ['<pre class="sourceCode r"><code class="sourceCode r">x = 1</code></pre>', 'r'],
  ['<pre><code class="hljs bash">x = 1</code></pre>', 'bash'],
  ['<pre><code class="hljs copy-wrapper">x = 1</code></pre>', null],
  ['<pre class="language-none">x = 1</pre>', null],
  ['<pre class="wp-block-preformatted">x = 1</pre>', null],
])('language of %s', async (html, language) => {
  const page = await read(html)
  expect(page.blocks[0]?.code?.language).toBe(language)
})

test.each(['data:text/html,x', 'javascript:0', 'http://['])(
  'a <base> of %s is none, as in browsers: addresses are relative to the page',
  async (href) => {
    const page = await read(`<base href="${href}"><p><a href="x">go</a></p>`)
    expect(page.baseUrl).toBe('https://example.org/page')
  },
)

test('an address is relative to what the first <base> says', async () => {
  const page = await read('<base href="/deep/"><base href="/other/"><p><a href="x">go</a></p>')
  expect(page.baseUrl).toBe('https://example.org/deep/')
})

/** Markup with links, cells and characters that no one sees, in any order and nesting. */
const markup: fc.Arbitrary<string> = fc.letrec<{ node: string; nodes: string }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(
      'word ',
      'two words',
      '\u200b\u2060',
      '<br>',
      ' ',
      '&amp;',
      'zero\u200b\u200bwidth',
      '漢字',
    ),
    fc
      .tuple(
        fc.constantFrom(
          'p',
          'a href=/t',
          'td',
          'tr',
          'table',
          'th rowspan=2',
          'li',
          'ul',
          'blockquote',
          'pre',
          'h2',
          'b',
        ),
        tie('nodes'),
      )
      .map(([tag, inner]) => `<${tag}>${inner}</${tag.split(' ')[0]}>`),
  ),
})).nodes

test('links and cells of any page lie inside their block, in order, and hold text', async () => {
  await fc.assert(
    fc.asyncProperty(markup, async (html) => {
      const page = await read(html)
      for (const block of page.blocks) {
        for (const parts of [block.links ?? [], block.table?.cells ?? []]) {
          let at = block.start
          for (const part of parts) {
            expect(part.start).toBeGreaterThanOrEqual(at)
            expect(part.end).toBeGreaterThan(part.start)
            at = part.end
          }
          expect(at).toBeLessThanOrEqual(block.end)
        }
      }
    }),
  )
})
