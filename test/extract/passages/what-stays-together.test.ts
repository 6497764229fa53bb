// What the cutter keeps in one passage, and where it prefers to part, on pages as they are written.
import { describe, expect, test } from 'vitest'
import { cutPassages } from '../../../src/extract/passages/cut-passages.ts'
import { read } from '../fixtures.ts'

/** The passages of a page all of which is content. */
async function cut(html: string, overlap = false): Promise<string[]> {
  const page = await read(html)
  const blocks = page.blocks.map((block) => ({ ...block, contentWeight: 1 }))
  return cutPassages({ ...page, blocks }, { overlap, limit: 1_000 }).map(({ text }) => text)
}

const sentences = (count: number, word = 'word') =>
  Array.from({ length: count }, (_, index) => `Sentence ${index} says one ${word} more than the last.`).join(
    ' ',
  )
const filler = `<p>${sentences(9)}</p>`

/** The passage that holds `text`; fails where there is none or more than one. */
function passageWith(passages: readonly string[], text: string): string {
  const found = passages.filter((passage) => passage.includes(text))
  expect(found).toHaveLength(1)
  return found[0] ?? ''
}

const passageOf = async (html: string, text: string) => passageWith(await cut(html), text)

describe('stays with what comes below it', () => {
  test.each([
    [
      'a line that ends with a colon',
      '<p>You need these tools:</p><ul><li>A saw</li><li>A hammer</li></ul>',
      'A saw',
    ],
    [
      'the last sentence of a long paragraph that ends with a colon',
      `<p>${sentences(10)} Here is what it takes:</p><pre>npm start --now</pre>`,
      'npm start',
    ],
    [
      'a question that is a paragraph',
      '<p>How long does it take?</p><p>Two days, says the maker.</p>',
      'Two days',
    ],
    ['a term', '<dl><dt>Weight</dt><dd>Five kilograms with the lid</dd></dl>', 'Five kilograms'],
    [
      'a short line that is no sentence',
      `<p><b>Benefits of it</b></p><p>${sentences(6, 'gain')}</p>`,
      'Sentence 0 says one gain',
    ],
    [
      'an item of which others are',
      `<ul><li>Berries<ul><li>Currants of every colour there is</li></ul></li></ul>`,
      'Currants',
    ],
  ])('%s', async (_, html, below) => {
    const text =
      html
        .replace(/<[^>]+>/gu, ' ')
        .trim()
        .split(/\s{2,}/u)[0] ?? ''
    const opening = text.split('. ').at(-1)?.slice(0, 20) ?? ''
    expect(await passageOf(`${filler}${html}${filler}`, opening)).toContain(below)
  })
})

describe('a table', () => {
  const row = (index: number) => `<tr><td>Item number ${index} of the list</td><td>${index}0 euros</td></tr>`
  const rows = Array.from({ length: 30 }, (_, index) => row(index)).join('')

  test('keeps all rows of its header with the first row below them', async () => {
    const html = `${filler}<table><tr><th rowspan="2">Item</th><th colspan="1">Prices</th></tr><tr><th>in 2024</th></tr>${rows}</table>`
    expect(await passageOf(html, 'Prices')).toContain('0 euros')
  })

  test('behind another table begins its own passage rather than end that one’s', async () => {
    const table = (name: string) => `<table><tr><th>${name}</th><th>Price</th></tr>${rows}</table>`
    expect(await passageOf(table('Apples') + table('Pears'), 'Pears')).toContain('Item number 0')
  })

  test('whose cells hold paragraphs is cut between rows', async () => {
    const cells = Array.from(
      { length: 20 },
      (_, index) =>
        `<tr><td><p>Plan ${index}</p></td><td><p>${index} euros a month and ${sentences(2)}</p></td></tr>`,
    )
    const passages = await cut(`<table><tr><th>Plan</th><th>Cost</th></tr>${cells.join('')}</table>`)
    for (const passage of passages) expect(passage).toMatch(/^Plan/u)
  })

  test('that only lays a page out is cut between sentences', async () => {
    const html = `<table role="presentation"><tr><td>Anna, 5 posts</td><td>${sentences(40)}</td></tr></table>`
    const passages = await cut(html)
    expect(passages.length).toBeGreaterThan(2)
    for (const passage of passages) expect(passage).toMatch(/last\.$/u)
  })

  test('with a row longer than a passage has it cut between sentences', async () => {
    const html = `<table><tr><th>Name</th><th>Story</th></tr><tr><td>Anna</td><td>${sentences(40)}</td></tr></table>`
    const passages = await cut(html)
    expect(passages.length).toBeGreaterThan(2)
    for (const passage of passages) expect(passage).toMatch(/last\.$/u)
  })
})

describe('a sentence is not parted', () => {
  test('where it stands in several boxes', async () => {
    const html = `${filler}<p>${sentences(3)} It is made by</p><div>TAO</div><div>which is responsible for all windows of the program.</div>${filler}`
    expect(await passageOf(html, 'TAO')).toMatch(/TAO\nwhich is/u)
  })

  test('where lines of Chinese are wrapped', async () => {
    const line = '许多人以为这场争论是两条路线斗争发展到白热化阶段的必然产物而且有些人甚至'
    const text = Array.from({ length: 6 }, () => `${line}<br>${line}<br>${line}。`).join('<br>')
    for (const passage of await cut(`<p>${text}</p>`)) expect(passage).toMatch(/。$/u)
  })

  test('where a memo is printed in a fixed layout', async () => {
    const lines = Array.from(
      { length: 30 },
      () =>
        '    The server that is asked for a folder answers with all that\n    stands in it, and says when that was last changed by anybody.',
    )
    for (const passage of await cut(`<pre>${lines.join('\n')}</pre>`)) expect(passage).toMatch(/anybody\.$/u)
  })

  test('but lines of code are lines', async () => {
    const code = Array.from({ length: 60 }, (_, index) => `const value${index} = read(${index}, input)`)
    for (const passage of await cut(`<pre>${code.join('\n')}</pre>`))
      expect(passage).toMatch(/^const .*\)$/su)
  })
})

test('cards are parted between them, not inside', async () => {
  const card = (index: number) =>
    `<div><div><div>Running shoe of the series ${index}</div><div>${index}9.95 euros</div></div><div>In four colours</div></div>`
  const passages = await cut(`<div>${Array.from({ length: 40 }, (_, index) => card(index)).join('')}</div>`)
  expect(passages.length).toBeGreaterThan(2)
  for (const passage of passages) expect(passage).toMatch(/^Running.*colours$/su)
})

test('names that stand one below the other go with what they name', async () => {
  const entry = (index: number) => `No. ${index} Cenci<br>Kyoto<br><br>${sentences(5)}<br><br>`
  const html = `<p>${Array.from({ length: 6 }, (_, index) => entry(index)).join('')}</p>`
  for (const passage of await cut(html)) expect(passage).toMatch(/^No\. .*\.$/su)
})

describe('a window across two passages parts', () => {
  const prose = (count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        `<p>In part ${index} of the harbour book it is told that boats come in the morning, nets are mended at noon, and in the evening the lamp is lit.</p>`,
    ).join('')
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  test.each([
    [
      'no term from its meaning',
      '<dl><dt>Gaff</dt><dd>A spar that holds the upper edge of a sail.</dd><dt>Thwart</dt><dd>A seat across a rowing boat.</dd></dl>',
      [
        ['Gaff', 'A spar'],
        ['Thwart', 'A seat'],
      ],
    ],
    [
      'no rows of a table from its header',
      `<table>${row('Day', 'High water')}${row('Monday', '04:12')}${row('Tuesday', '05:03')}${row('Friday', '05:55')}</table>`,
      [['High water', 'Friday']],
    ],
    [
      'no question from its answer',
      '<p>Is it far?</p><p>No, it is not.</p><p>How long does it take?</p><p>Two days, says the maker.</p>',
      [
        ['Is it', 'No, it'],
        ['How long', 'Two days'],
      ],
    ],
  ])('%s', async (_, html, pairs) => {
    for (const count of [4, 5, 6, 7]) {
      const page = `<h1>T</h1>${prose(count)}${html}${prose(count)}`
      for (const text of await cut(page, true))
        for (const [first = '', second = ''] of pairs)
          expect([text, text.includes(first)]).toEqual([text, text.includes(second)])
    }
  })
})
