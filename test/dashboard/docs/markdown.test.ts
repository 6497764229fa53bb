import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../../src/dashboard/docs/markdown.ts'

const html = renderMarkdown

/** The elements a browser would make of it: what stands inside an attribute's quotes is no tag or attribute. */
function elementsOf(markup: string): Array<{ name: string; attributes: Record<string, string> }> {
  const elements: Array<{ name: string; attributes: Record<string, string> }> = []
  const parser = new Parser({ onopentag: (name, attributes) => elements.push({ name, attributes }) })
  parser.end(markup)
  return elements
}

describe('markdown', () => {
  test('headings get an id of their words, or the one they choose, and never the same one twice', () => {
    const rendered = html(
      '# Title\n\n## What is `it`?\n\n## What is it?\n\n## Why 401? {#unauthorized}\n\n## Ça & là',
    )
    const ids = [...rendered.matchAll(/<h2 id="([^"]+)"/gu)].map(([, id]) => id)
    expect(ids).toEqual(['what-is-it', 'what-is-it-2', 'unauthorized', 'ça-là'])
    expect(rendered).toContain('<h1>Title</h1>')
    expect(rendered).toContain('<h2 id="unauthorized">Why 401?<a class="anchor" href="#unauthorized"')
    expect(rendered).not.toContain('{#')
  })

  test('a name in a table breaks where its words end, and in the first column not at all', () => {
    const rendered = html('| Name | Set up with |\n|---|---|\n| `A_B` | my_own `BRAVE_API_KEY` |')
    expect(rendered).toContain('<td><code>A_B</code></td>')
    expect(rendered).toContain('<td>my_own <code>BRAVE_<wbr>API_<wbr>KEY</code></td>')
  })

  test('code that follows in other languages is grouped under their names; all else stands alone', () => {
    const fence = (language: string): string => `\`\`\`${language}\ncode\n\`\`\``
    const groupsIn = (markdown: string): string[][] =>
      html(markdown)
        .split('<div class="languages">')
        .slice(1)
        .map((group) => [...group.matchAll(/data-language="([^"]+)"/gu)].map(([, name = '']) => name))
    expect(groupsIn([fence('sh'), fence('ts'), fence('python')].join('\n\n'))).toEqual([
      ['curl', 'TypeScript', 'Python'],
    ])
    expect(groupsIn([fence('sh'), fence('sh'), fence('json'), fence('ts')].join('\n\n'))).toEqual([])
    expect(groupsIn([fence('sh'), 'Words.', fence('ts')].join('\n\n'))).toEqual([])
    expect(html([fence('sh'), fence('ts')].join('\n\n')).match(/id="code-\d"/gu)).toEqual([
      'id="code-1"',
      'id="code-2"',
    ])
  })

  test('raw HTML is shown as text', () => {
    const rendered = html('a <b onclick="x()">b</b>\n\n<script>alert(1)</script>\n\n`<i>`\n\n```\n<u>\n```')
    expect(rendered).not.toMatch(/<(?:b|script|i|u)[ >]/u)
    expect(rendered).toContain('&lt;script&gt;')
    expect(rendered).toContain('&lt;u&gt;')
    expect(html('<!-- a mark -->\n\nText')).toBe('<p>Text</p>\n')
    expect(html('a <script> <b onclick=x> &copy; & &lt;')).toBe(
      '<p>a &lt;script&gt; &lt;b onclick=x&gt; &copy; &amp; &lt;</p>\n',
    )
  })

  test.each([
    ['[x](other.md)', 'href="/docs/other"'],
    ['[x](./other.md#part)', 'href="/docs/other#part"'],
    ['[x](#part)', 'href="#part"'],
    ['[x](/openapi.json)', 'href="/openapi.json"'],
    ['[x](https://example.org/a?b=1&c=2)', 'href="https://example.org/a?b=1&amp;c=2"'],
  ])('%s leads where it should', (markdown, expected) => {
    expect(html(markdown)).toContain(expected)
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'vbscript:x', '../../etc/passwd'])(
    'a link to %s becomes plain text',
    (href) => {
      expect(html(`[words](${href})`)).toBe('<p>words</p>\n')
    },
  )

  test('only pictures of the documentation are shown', () => {
    expect(html('![A plot](images/plot.svg)')).toContain('<img src="/docs/images/plot.svg" alt="A plot"')
    for (const source of ['https://evil.example/x.png', 'images/../x.png', 'images/x.html']) {
      expect(html(`![words](${source})`)).toBe('<p>words</p>\n')
    }
  })

  test('whatever is written, no tag or attribute of the writer’s comes out', () => {
    const fragment = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '`',
      '[',
      ']',
      '(',
      ')',
      '!',
      '#',
      '|',
      '\n',
      'a',
      ' ',
      'on=',
      'javascript:',
      '<img src=x onerror=y>',
      '<script>',
    )
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 40 }), (parts) => {
        for (const { name, attributes } of elementsOf(html(parts.join('')))) {
          expect(name).not.toMatch(/^(?:script|img)$/u)
          expect(Object.keys(attributes).filter((attribute) => attribute.startsWith('on'))).toEqual([])
          expect(attributes['href'] ?? '').not.toMatch(/^javascript:/iu)
        }
      }),
      { numRuns: 3_000 },
    )
  })
})
