import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { read, readFixture, textOf } from '../fixtures.ts'

const expectedSchema = z.object({
  title: z.string(),
  publishDate: z.object({ iso: z.string(), source: z.string() }),
  lastUpdated: z.object({ iso: z.string(), source: z.string() }),
  language: z.object({ code: z.string(), source: z.string() }),
  blocks: z.array(z.object({ kind: z.string(), text: z.string(), headings: z.array(z.string()) })),
  absent: z.array(z.string()),
  content: z.array(z.string()),
  boilerplate: z.array(z.string()),
})

describe('an article', async () => {
  const page = await read(readFixture('article/source.html'))
  const expected = expectedSchema.parse(JSON.parse(readFixture('article/expected.json')))
  const weightOf = (text: string) =>
    page.blocks.find((block) => textOf(page, block).includes(text))?.contentWeight ?? NaN

  test('title, dates and language are the page’s own', () => {
    const { title, publishDate, lastUpdated, language } = page
    expect({ title, publishDate, lastUpdated, language }).toEqual({
      title: expected.title,
      publishDate: expected.publishDate,
      lastUpdated: expected.lastUpdated,
      language: expected.language,
    })
  })

  test('every kind of block is found under its headings', () => {
    const found = page.blocks.map((block) => ({
      kind: block.kind,
      text: textOf(page, block),
      headings: [...block.headings],
    }))
    for (const block of expected.blocks) expect(found).toContainEqual(block)
  })

  test('what a person does not see is not in the text', () => {
    for (const text of expected.absent) expect(page.text).not.toContain(text)
  })

  test('navigation, consent and footers stay in the text but weigh less than half of any content', () => {
    const content = Math.min(...expected.content.map(weightOf))
    const boilerplate = Math.max(...expected.boilerplate.map(weightOf))
    expect(content).toBeGreaterThan(0.5)
    expect(boilerplate).toBeLessThan(content / 2)
  })

  test('blocks lie in order, do not overlap, and begin and end with a visible character', () => {
    let end = 0
    for (const block of page.blocks) {
      expect(block.start).toBeGreaterThanOrEqual(end)
      expect(textOf(page, block).trim()).toBe(textOf(page, block))
      end = block.end
    }
    expect(end).toBeLessThanOrEqual(page.text.length)
  })
})

describe('components', () => {
  test.each([
    [
      'are words where they stand among words',
      '<p>Written with <side-note data-name="E">Emil</side-note>, <b>in <time-ago>May</time-ago></b>.</p>',
      'Written with Emil, in May.',
    ],
    ['in a heading, too', '<h2>Over <number-counter>1500</number-counter> watts</h2>', 'Over 1500 watts'],
    [
      'and lines of their own elsewhere',
      '<product-card><card-title>Kettle</card-title><card-price>$40</card-price></product-card>',
      'Kettle\n$40',
    ],
    [
      'unless their styles say otherwise',
      '<p>Words<a-b style="display:block">below</a-b></p>',
      'Words\nbelow',
    ],
  ])('%s', async (_, html, text) => {
    expect((await read(html)).text).toBe(text)
  })
})

describe('white space', async () => {
  const page = await read(readFixture('whitespace/source.html'))
  const texts = page.blocks.map((block) => textOf(page, block))

  test.each([
    ['collapses as in a browser', 'Words over several lines, with bold and slanted parts.'],
    ['a line break is kept', 'First line\nsecond line\n\nafter an empty one'],
    ['inline elements add none', 'Plainjoined text and a link, then a comma.'],
    ['a no-break space stays one', 'No\u00a0break & an entity <b> and 5\u202fkm'],
    ['cells are parted by tabs', 'one\ttwo\tthree'],
    ['an empty cell keeps its tab', 'four\t\tsix'],
    ['preformatted text is kept', '  indented\n\ttabbed   code\nlast'.trimStart()],
    ['a soft hyphen stays, a space without width goes', 'Soft\u00adhyphen and zerowidth stay.'],
  ])('%s', (_, text) => {
    expect(texts.map((found) => found.trimStart())).toContain(text)
  })

  test('a button breaks no sentence of the text apart', () => {
    expect(page.text).toContain('Press Save or Cancel here.')
  })
})

test('a shadow root written out in HTML is read, another template is not', async () => {
  const page = await read(
    '<p>before</p><x-card><template shadowrootmode="open"><p>inside the shadow</p></template></x-card><template>unused</template>',
  )
  expect(page.text).toBe('before\n\ninside the shadow')
})

test('code whose names are components of their own keeps its lines', async () => {
  const name = '<span><x-type of="fn">id</x-type></span>'
  const line = `<div class="line"><span>function </span>${name}<span>(</span><x-type>arg</x-type>)</div>`
  const page = await read(`<pre><div><code>${line}${line}</code></div></pre>`)
  expect(page.text).toBe('function id(arg)\nfunction id(arg)')
})

test('hidden="until-found" can be found, so it is read', async () => {
  expect((await read('<div hidden="until-found">folded text</div>')).text).toBe('folded text')
})

test('a heading inside an aside does not stand above what follows the aside', async () => {
  const page = await read('<h1>Top</h1><aside><h2>Elsewhere</h2><p>x y</p></aside><p>Back in the text.</p>')
  expect(page.blocks.at(-1)?.headings).toEqual(['Top'])
})

test('answers of a forum are content', async () => {
  const page = await read(readFixture('forum/source.html'))
  const answer = page.blocks.find((block) => textOf(page, block).includes('Zwangstrennung'))
  expect(answer?.contentWeight).toBeGreaterThan(0.2)
  expect(page.language).toEqual({ code: 'de', source: 'attribute' })
})

test('a page without any text is empty, not an error', async () => {
  const page = await read('<html><body><script>x()</script></body></html>')
  expect(page).toMatchObject({ text: '', blocks: [], title: null, language: null })
})

describe('a long page', () => {
  const sentence = 'The ferry leaves at nine and comes back at noon. '

  test('is read to its end behind megabytes of scripts and styles, and is not cut', async () => {
    const filler = `<script>${'x=1;'.repeat(700_000)}</script><style>${'a{color:red}'.repeat(200_000)}</style>`
    const page = await read(`<p>${sentence}</p>${filler}<p>The last words.</p>`)
    expect(page.text).toContain('The last words.')
    expect(page.isCut).toBe(false)
  })

  test.each([
    ['a million characters of text', `<p>${sentence}</p>`.repeat(25_000)],
    ['twenty thousand runs', '<p>a</p>'.repeat(25_000)],
    ['two hundred thousand elements in one another', `${'<div>'.repeat(400_000)}${sentence}`],
  ])('of more than %s is cut, and says so', async (_, html) => {
    expect((await read(`${html}<p>The last words.</p>`)).isCut).toBe(true)
  })

  test('that is made of data is cut and says so', async () => {
    const posts = Array.from({ length: 60 }, (_, index) => ({
      '@type': 'Question',
      name: `Question ${index}`,
      acceptedAnswer: { text: `${index} ${sentence.repeat(400)}` },
    }))
    const data = JSON.stringify({ '@graph': posts })
    const page = await read(`<script type="application/ld+json">${data}</script><div id="root"></div>`)
    expect(page).toMatchObject({ isFromData: true, isCut: true })
  })
})
