import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block, PageText } from '../../../src/extract/document.ts'
import { read, textOf } from '../fixtures.ts'

const SOURCE = `# Tides

1. Look at the [table of the harbour](/tides "by month").
2. Add an hour:
   - in summer
   - and ![not a link](/picture.png)

   Nobody knows why.
3. Row.

Then rest.

* one thing

> said once
> and again

> > said by another

\`\`\`TypeScript
- const tide = low

* 2
\`\`\`

| place | low | high \\| spring |
|-------|:---:|---:|
| Quay  | 4   | 9  |
| Point |     | 8  |
`

const blockWith = (page: PageText, text: string): Block => {
  const block = page.blocks.find((found) => textOf(page, found).includes(text))
  if (block === undefined) throw new Error(`no block says ${text}`)
  return block
}

describe('Markdown', async () => {
  const page = await read(SOURCE, { mediaType: 'text/markdown' })

  test('an item knows its list, its number and the item it stands in, and so does what is indented below it', () => {
    const add = blockWith(page, 'Add an hour').item
    expect(add).toMatchObject({ index: 1, number: 2, parent: null })
    expect(blockWith(page, 'in summer').item).toMatchObject({ index: 0, number: null, parent: add })
    expect(blockWith(page, 'not a link').item).toMatchObject({ index: 1, parent: add })
    expect(blockWith(page, 'Nobody knows').item).toEqual(add)
    expect(blockWith(page, 'Row.').item).toMatchObject({ list: add?.list, index: 2, number: 3 })
    expect(blockWith(page, 'Then rest').item).toBeUndefined()
    expect(blockWith(page, 'one thing').item?.list).not.toBe(add?.list)
  })

  test('a link is its text with its target; a picture is none', () => {
    const links = page.blocks.flatMap((block) => block.links ?? [])
    expect(links.map((link) => [textOf(page, link), link.target])).toEqual([
      ['table of the harbour', '/tides'],
    ])
  })

  test('quotations count how deep they are', () => {
    expect(blockWith(page, 'said once').quoteDepth).toBe(1)
    expect(blockWith(page, 'said by another').quoteDepth).toBe(2)
  })

  test('code has the language of its fence, and what looks like items in it is code', () => {
    expect(blockWith(page, 'const tide')).toMatchObject({
      kind: 'code',
      code: { number: 0, language: 'typescript' },
    })
    expect(textOf(page, blockWith(page, 'const tide'))).toBe('- const tide = low\n\n* 2')
  })

  test('a cell knows its place and the name of its column, empty cells and bars that are text counted', () => {
    const cells = blockWith(page, 'Point').table?.cells ?? []
    expect(cells.map((cell) => [textOf(page, cell), cell.row, cell.column, cell.columnHeaders])).toEqual([
      ['Point', 2, 0, ['place']],
      ['8', 2, 2, ['high \\| spring']],
    ])
    expect(blockWith(page, 'place |').table?.cells.every(({ isHeader }) => isHeader)).toBe(true)
    expect(page.blocks.some((block) => textOf(page, block).includes('---'))).toBe(false)
  })

  test('any text gives blocks in order whose parts lie in them', async () => {
    const line = fc.constantFrom(
      '# a',
      '- b',
      '  - c',
      '12. d',
      '> e',
      '```',
      '| f | g |',
      '|---|',
      '[h](i)',
      '',
      'j',
      '\\|',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
        const { text, blocks } = await read(lines.join('\n'), { mediaType: 'text/markdown' })
        let end = 0
        for (const block of blocks) {
          expect(block.start).toBeGreaterThanOrEqual(end)
          end = block.end
          for (const part of [...(block.links ?? []), ...(block.table?.cells ?? [])]) {
            expect(part.start).toBeGreaterThanOrEqual(block.start)
            expect(part.end).toBeLessThanOrEqual(block.end)
            expect(text.slice(part.start, part.end).trim()).not.toBe('')
          }
        }
      }),
    )
  })
})

describe('the title of a text', () => {
  const titleOf = async (content: string, mediaType: string) => (await read(content, { mediaType })).title

  test.each([
    [
      '---\nlayout: post\ntitle: "The otter: how it sleeps"\ndate: 2026-02-03\n---\n\nIt floats.\n',
      'The otter: how it sleeps',
    ],
    ["---\ntitle: The otter's night\n---\n# Otters\n", "The otter's night"],
    ['---\nlayout: post\ntitle: >\n  folded\n---\n\n# Otters\n\nThey float.\n', 'Otters'],
    ['# [Otters](/otters) and `rivers` in **June** #\n\nThey float.\n', 'Otters and rivers in June'],
    ['# C#\n\nA language.\n', 'C#'],
    ['# snake_case_names and 2 * 3 * 4\n', 'snake_case_names and 2 * 3 * 4'],
    ['---\n\nOtters float.\n\n---\n', 'Otters float.'],
  ])(
    'of Markdown is what front matter or its first heading says, without marks: %j',
    async (content, title) => {
      expect(await titleOf(content, 'text/markdown')).toBe(title)
    },
  )

  test('is never a rule: it is the first line that says something', async () => {
    expect(await titleOf('\n=====\nOTTERS\n=====\n\nThey float.\n', 'text/plain')).toBe('OTTERS')
    expect(await titleOf('=====\n\n-----\n', 'text/plain')).toBeNull()
  })

  test('front matter is no passage and no heading of what follows', async () => {
    const page = await read('---\nlayout: post\ntitle: Otters\n---\n\nThey float on their backs.\n', {
      mediaType: 'text/markdown',
    })
    expect(page.blocks.map((block) => [block.kind, textOf(page, block), block.headings])).toEqual([
      ['paragraph', 'They float on their backs.', []],
    ])
  })
})

test('a comment that has its lines to itself is no text of a Markdown page; in code, and after words, it is', async () => {
  const source =
    '# Keys\n\n<!-- How do I revoke one? -->\n\nDelete it.\n\n<!--\nfor editors:\n\nnot yet\n-->\nThen sign in.\n\n```html\n<!-- shown -->\n```\n\nWords <!-- stay -->\n'
  const page = await read(source, { mediaType: 'text/markdown' })
  expect(page.blocks.map((block) => textOf(page, block))).toEqual([
    '# Keys',
    'Delete it.',
    'Then sign in.',
    '<!-- shown -->',
    'Words <!-- stay -->',
  ])
  expect(page.text).toContain('# Keys\n\n\nDelete it.')
})

test('a comment that is shown in code is text, whatever fences the code shows', async () => {
  const shown = '<!-- shown -->'
  const inCode = ['````\n```\n', '```\n', '\n````'] as const
  for (const source of [
    `${inCode[0]}${shown}\n${inCode[1]}${shown}${inCode[2]}\n\nWords.`,
    `\`\`\`js\n\`\`\`ts\n${shown}\n\`\`\`\n\nWords.`,
    `~~~\n\`\`\`\n${shown}\n~~~\n\nWords.`,
  ]) {
    const page = await read(source, { mediaType: 'text/markdown' })
    expect(page.text).toContain(shown)
    expect(page.text).toBe(source)
  }
  const outside = await read(`A\n\n\`\`\`a\`\`\` b\n\n${shown}\n\nWords.`, { mediaType: 'text/markdown' })
  expect(outside.text).not.toContain(shown)
})

test('what is written in other notations keeps its comments', async () => {
  const source = 'key: value\n<!-- stays -->\nother: value'
  expect((await read(source, { mediaType: 'text/x-yaml' })).text).toBe(source)
})
