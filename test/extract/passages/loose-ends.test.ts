import { expect, test } from 'vitest'
import { cutPassages } from '../../../src/extract/passages/cut-passages.ts'
import { read } from '../fixtures.ts'

const sentences = (about: string) =>
  `<p>${Array.from({ length: 9 }, (_, index) => `Sentence ${index} about ${about} says a little more.`).join(' ')}</p>`

/** The passages of a page whose blocks all have the same weight. */
async function cut(html: string): Promise<string[]> {
  const page = await read(html)
  const blocks = page.blocks.map((block) => ({ ...block, contentWeight: 0.5 }))
  return cutPassages({ ...page, blocks }, { overlap: false, limit: 1_000 }).map(({ text }) => text)
}

test.each([
  'Advertisement',
  'Anzeige',
  '– WERBUNG –',
  'Advertisement - story continues below',
  'ADVERTISEMENT · SCROLL TO CONTINUE',
  'Continue reading the main story',
  '広告',
])('a passage neither begins nor ends with %j', async (label) => {
  const html = `<div>${label}</div>${sentences('bees')}<div>${label}</div>${sentences('hives')}<div>${label}</div>`
  for (const passage of await cut(html)) {
    expect(passage.startsWith(label)).toBe(false)
    expect(passage.endsWith(label)).toBe(false)
  }
})

test.each(['Advertisements are read by bees', 'Werbung für Honig', 'Anzeige erstattet'])(
  'words about advertising are no label: %j',
  async (words) => {
    const html = `<h2>News</h2><div>${words}</div>${sentences('bees')}`
    expect((await cut(html)).join('\n')).toContain(words)
  },
)

test('a passage does not end with a heading that has nothing below it', async () => {
  const html = `<h2>Honey cake</h2>${sentences('cake')}<h2>Video</h2><video src="cake.mp4"></video><h2>Notes</h2>${sentences('notes')}`
  const passages = await cut(html)
  expect(passages.filter((text) => text.includes('Video'))).toEqual([])
  expect(passages.some((text) => text.startsWith('Notes\n'))).toBe(true)
})

test.each([
  ['headlines in a list', '<h3>Bees move in</h3><h3>Hives move out</h3>', 'Hives move out'],
  ['a headline that leads to its page', '<h3><a href="/bees">Bees move in</a></h3>', 'Bees move in'],
  ['a signature that is a heading', '<h3>fn hash(&self) -> u64</h3>', 'fn hash(&self) -> u64'],
  ['a price that is a heading', '<h3>Now only 30 €</h3>', 'Now only 30 €'],
])('a passage may end with %s', async (_name, headings, last) => {
  const html = `<h2>Honey cake</h2><p>A sentence about the cake.</p>${headings}<h2>Notes</h2>${sentences('notes')}`
  expect((await cut(html)).join('\n')).toContain(last)
})
