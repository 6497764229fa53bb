import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { describe, expect, test } from 'vitest'
import type { PageText } from '../../../src/extract/document.ts'
import { toHtml } from '../../../src/extract/markup/to-html.ts'
import { toMarkdown } from '../../../src/extract/markup/to-markdown.ts'
import { read } from '../fixtures.ts'

const ALL = { contentWeightLeast: 0 }

const page = await read(`
  <h1>Title</h1><p>Some <a href="/x?a=1&amp;b=2">link</a> and <a href="javascript:alert(1)">none</a>.<br>New line<br><br>New paragraph</p>
  <ol start="3"><li>three<ul><li>sub</li></ul></li><li><p>four</p><blockquote><p>quoted</p></blockquote></li></ol>
  <table><caption>Sales</caption><tr><td></td><th colspan="2">2020</th></tr><tr><td></td><th>Q1</th><th>Q2</th></tr>
  <tr><th rowspan="2">Pears</th><td>5|6</td><td></td></tr><tr><td>7</td><td>8</td></tr></table>
  <pre class="language-python">def f():

    return "\`\`\`"</pre>
  <dl><dt>Weight</dt><dd>5 kg</dd></dl>`)

test('a page as Markdown', () => {
  expect(toMarkdown(page, ALL)).toBe(`# Title

Some [link](https://example.org/x?a=1&b=2) and none.\\
New line

New paragraph

3. three
   - sub
4. four
   > quoted

*Sales*

| | 2020 / Q1 | 2020 / Q2 |
| - | - | - |
| Pears | 5\\|6 | |
| Pears | 7 | 8 |

\`\`\`\`python
def f():

    return "\`\`\`"
\`\`\`\`

**Weight**

5 kg
`)
})

test('a page as HTML', () => {
  expect(toHtml(page, ALL)).toBe(`<h1>Title</h1>
<p>Some <a href="https://example.org/x?a=1&amp;b=2">link</a> and none.<br>New line</p>
<p>New paragraph</p>
<ol start="3"><li>three<ul><li>sub</li></ul></li><li>four<blockquote><p>quoted</p></blockquote></li></ol>
<figure><figcaption>Sales</figcaption></figure>
<table><thead><tr><td></td><th colspan="2">2020</th></tr><tr><td></td><th>Q1</th><th>Q2</th></tr></thead><tbody><tr><th rowspan="2">Pears</th><td>5|6</td><td></td></tr><tr><td>7</td><td>8</td></tr></tbody></table>
<pre><code class="language-python">def f():

    return "\`\`\`"</code></pre>
<dl><dt>Weight</dt><dd>5 kg</dd></dl>
`)
})

test('what is less likely content than asked for is left out', () => {
  expect(toMarkdown(page, { contentWeightLeast: 1.1 })).toBe('')
})

describe('pages that are no HTML', async () => {
  const markdown = await read(
    '# One\n\n<script>alert(1)</script>\n\n[a](javascript:x) [b](../c) ![d](e.png)\n',
    {
      mediaType: 'text/markdown',
    },
  )

  test('Markdown stays as it was sent', () => {
    expect(toMarkdown(markdown, ALL)).toBe(markdown.text)
  })

  test('Markdown to HTML loses raw HTML and links that lead nowhere on the web', () => {
    expect(toHtml(markdown, ALL)).toBe(
      '<h1>One</h1>\n<p><span>a</span> <a href="https://example.org/c">b</a> d</p>\n',
    )
  })

  test('JSON is code', async () => {
    const json = await read('{"a": "<b>"}', { mediaType: 'application/json' })
    expect(toMarkdown(json, ALL)).toBe('```json\n{"a": "<b>"}\n```\n')
    expect(toHtml(json, ALL)).toBe('<pre><code class="language-json">{"a": "&lt;b>"}</code></pre>\n')
  })

  test('lines of a printed page run on', async () => {
    const plain = await read('A sentence goes\nover two lines.\n\nAnother one.', { mediaType: 'text/plain' })
    expect(toMarkdown(plain, ALL)).toBe('A sentence goes over two lines.\n\nAnother one.\n')
  })

  test('what is printed before the items of a plain text is written once', async () => {
    const plain = await read('1. One\n2. 3 eggs\n   - deeper - in\n\n• last', { mediaType: 'text/plain' })
    expect(toMarkdown(plain, ALL)).toBe('1. One\n2. 3 eggs\n   - deeper - in\n\n- last\n')
    expect(toHtml(plain, ALL)).toContain('<ul><li>last</li></ul>')
  })
})

/** What Markdown or HTML could take for its own. */
const said = fc
  .array(
    fc.constantFrom(
      ...Array.from('*_[]()<>&#+-.!|~`\\:;@/"\'=1a '),
      '\n',
      'word',
      '&amp;',
      'https://a.b/',
      '](x)',
      '-->',
      '漢',
    ),
    {
      minLength: 1,
      maxLength: 14,
    },
  )
  .map((parts) => parts.join(''))
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const html = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom('p', 'h2', 'li', 'blockquote', 'dt', 'dd', 'figcaption'), said)
        .map(([tag, text]) => `<${tag}>${escapeHtml(text).replaceAll('\n', '<br>')}</${tag}>`),
      fc
        .tuple(said, said, fc.webUrl({ withQueryParameters: true, withFragments: true }))
        .map(
          ([text, link, url]) =>
            `<p>${escapeHtml(text)} <a href="${escapeHtml(url)}">x${escapeHtml(link)}</a></p>`,
        ),
      fc
        .array(fc.array(said, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 3 })
        .map(
          (rows) =>
            `<table>${rows.map((row) => `<tr>${row.map((text) => `<td>x${escapeHtml(text)}</td>`).join('')}</tr>`).join('')}</table>`,
        ),
      said.map((text) => `<pre>x${escapeHtml(text)}</pre>`),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const withoutSpace = (text: string): string => text.replace(/[\s\u200b\u2060]+/gu, '')
/** The words of the blocks: what has neither letter nor digit is no block. */
const wordsOf = ({ blocks, text }: PageText): string =>
  withoutSpace(blocks.map(({ start, end }) => text.slice(start, end)).join(''))

const parsed = (markdown: string): Nodes =>
  fromMarkdown(markdown, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })

const textIn = (node: Nodes): string =>
  'children' in node ? node.children.map(textIn).join('') : 'value' in node ? node.value : ''

const linksIn = (node: Nodes): string[] => [
  ...(node.type === 'link' ? [node.url] : []),
  ...('children' in node ? node.children.flatMap(linksIn) : []),
]

/** Read by another reader than wrote it, and one that obeys. */
const { JSDOM } = await import('jsdom')

describe('whatever a page says', () => {
  test('its Markdown says the same words, and nothing in them is markup', async () => {
    await fc.assert(
      fc.asyncProperty(html, async (content) => {
        const found = await read(content)
        const tree = parsed(toMarkdown(found, ALL))
        expect(withoutSpace(textIn(tree))).toBe(wordsOf(found))
        const targets = found.blocks.flatMap(({ links = [] }) =>
          links.map(({ target }) => new URL(target).href),
        )
        expect(linksIn(tree).filter((url) => !url.startsWith('https://a.b/')).length).toBeLessThanOrEqual(
          targets.length,
        )
      }),
    )
  })

  test('its HTML says the same words', async () => {
    await fc.assert(
      fc.asyncProperty(html, async (content) => {
        const found = await read(content)
        const { document } = new JSDOM(toHtml(found, ALL)).window
        expect(withoutSpace(document.body.textContent ?? '')).toBe(wordsOf(found))
        expect(document.querySelectorAll('script, img, [onclick], [style]')).toHaveLength(0)
      }),
      { numRuns: 30 },
    )
  })
})

test('a link leads in Markdown where it leads on the page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.constantFrom('', '(a)', '(', '|', '&copy;', '`', '\\', ']'),
      async (url, more) => {
        const target = `${new URL(url).href}${more}`
        const found = await read(`<p><a href="${escapeHtml(target)}">x</a></p>`)
        const [written = ''] = linksIn(parsed(toMarkdown(found, ALL)))
        const decoded = (address: string): string => {
          const { href } = new URL(address)
          return href.replace(/%(28|29|7C|60|5C|3B)/giu, decodeURIComponent)
        }
        expect(decoded(written)).toBe(decoded(target))
      },
    ),
  )
})

test('tables that span more than any screen are written in proportion to their text', async () => {
  const row = `<tr><td colspan="199">x</td><td>y</td></tr>`
  const found = await read(`<table>${row.repeat(5_000)}</table>`)
  expect(toMarkdown(found, ALL).length).toBeLessThan(found.text.length * 10)
})
