import { describe, expect, test } from 'vitest'
import { cutPassages } from '../../../src/extract/passages/cut-passages.ts'
import { read } from '../fixtures.ts'

const story = `<p>${Array.from({ length: 12 }, (_, index) => `Sentence ${index} of the story says a little more.`).join(' ')}</p>`

/** The passages of a page whose blocks all have the same weight. */
async function cut(html: string, contentWeight = 0.5): Promise<string> {
  const page = await read(html)
  const blocks = page.blocks.map((block) => ({ ...block, contentWeight }))
  const passages = cutPassages({ ...page, blocks }, { overlap: false, limit: 1_000 })
  return passages.map(({ text }) => text).join('\n---\n')
}

const links = (names: readonly string[], target: (index: number) => string) =>
  `<ul>${names.map((name, index) => `<li><a href="${target(index)}">${name}</a></li>`).join('')}</ul>`

describe('is not quoted where a page says more', () => {
  test('a heading with nothing below it', async () => {
    const heading =
      '<aside><h2>Everything about the latest news of the week, and of the year before it, in one place</h2></aside>'
    expect(await cut(`<article>${story}</article><hr>${'.'.repeat(80)}${heading}`)).not.toContain(
      'latest news',
    )
  })

  test('a list of links to parts of the page', async () => {
    const parts = [
      'What to buy before you begin with it',
      'How to begin when all of it is there',
      'Where to go when nothing helps',
    ]
    const html = `${links(parts, (index) => `#part-${index}`)}<hr>${'.'.repeat(80)}${story}`
    expect(await cut(html)).not.toContain('What to buy')
  })

  test('a short caption', async () => {
    const caption =
      'The minister on his way to the house of the president, photographed by an agency of the press'
    const html = `${story}<hr>${'.'.repeat(80)}<figure><figcaption>${caption}</figcaption></figure>`
    expect(await cut(html)).not.toContain('minister')
  })

  test('a menu, however long', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `Section number ${index}`)
    const html = `${links(names, (index) => `/section/${index}`)}<hr>${'.'.repeat(80)}${story}`
    expect(await cut(html, 0.04)).not.toContain('Section number')
  })
})

describe('is quoted', () => {
  test('a list of links that is likely content', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `Station number ${index}`)
    expect(await cut(`${links(names, (index) => `/station/${index}`)}${story}`)).toContain('Station number 7')
  })

  test('a list of headlines, however doubtful', async () => {
    const headlines = Array.from(
      { length: 9 },
      (_, index) => `Company ${index} buys another one that nobody has heard of`,
    )
    expect(await cut(`${links(headlines, (index) => `/news/${index}`)}${story}`, 0.04)).toContain('Company 7')
  })

  test('text beside which stand links to its own place on the page', async () => {
    const remark = (index: number) =>
      `<h3><a href="#remark-${index}">#</a></h3><div><a href="#remark-${index}">12 May</a></div><p>${index}: I have tried it for a week, and it works as the maker says it does.</p>`
    expect(await cut(Array.from({ length: 4 }, (_, index) => remark(index)).join(''))).toContain(
      '2: I have tried',
    )
  })

  test('a caption that tells a story', async () => {
    const caption =
      'The snow at the station on the nineteenth of January was five centimetres deep. That is the least since measuring began there. In other winters it was up to two metres, and the rivers had water until July.'
    const html = `${story}<hr>${'.'.repeat(80)}<figure><figcaption>${caption}</figcaption></figure>`
    expect(await cut(html)).toContain('five centimetres')
  })
})
