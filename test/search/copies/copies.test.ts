import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPage } from '../../../src/extract/read-page.ts'
import { areCopies, isOriginalOf, type ComparedPage } from '../../../src/search/copies/group-copies.ts'
import { sketchOf } from '../../../src/search/copies/sketch.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const TEXTS = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(join(ROOT, 'docs', name), 'utf8').replace(/^---[\s\S]*?---/u, ''))

async function pageOf(
  url: string,
  markdown: string,
  facts: Partial<ComparedPage> = {},
): Promise<ComparedPage> {
  const input = {
    url,
    mediaType: 'text/markdown',
    content: markdown,
    lastModified: null,
    contentLanguage: null,
    now: new Date(0),
  }
  const page = await readPage(input, AbortSignal.timeout(60_000))
  return { url, canonicalUrl: null, publishDate: null, sketch: sketchOf(page), ...facts }
}

/** What another site makes of a text: paragraphs left out, words changed, a headline and a notice of its own. */
function syndicated(text: string, seed: number): string {
  const paragraphs = text.split('\n\n').filter((_, at) => (at * 7 + seed) % 11 !== 0)
  const edited = paragraphs.map((paragraph) =>
    paragraph
      .split(' ')
      .map((word, at) => ((at + seed) % 37 === 0 ? 'instead' : word))
      .join(' '),
  )
  return `# Syndicated ${seed}\n\n${edited.join('\n\n')}\n\nFirst printed elsewhere; all rights reserved by the partners of network ${seed}.`
}

describe('pages that print the same text', () => {
  test('are told from all others: pairs F1 at least .95', async () => {
    const originals = await Promise.all(TEXTS.map((text, at) => pageOf(`https://one${at}.example/`, text)))
    const copies = await Promise.all(
      TEXTS.map((text, at) => pageOf(`https://two${at}.example/`, syndicated(text, at))),
    )
    const pages = [...originals, ...copies]
    let [right, called] = [0, 0]
    for (const [left, page] of pages.entries())
      for (let other = left + 1; other < pages.length; other++) {
        const [one, two] = [page, pages[other]]
        if (two === undefined || !areCopies(one, two)) continue
        called += 1
        if (other - left === TEXTS.length) right += 1
      }
    const f1 = (2 * right) / (called + TEXTS.length)
    expect(f1).toBeGreaterThanOrEqual(0.95)
  })

  test('are shown by the one that had it first: by date, else by the address it is said to be from', async () => {
    const text = TEXTS[0] ?? ''
    const early = await pageOf('https://one.example/', text, { publishDate: '2026-01-02' })
    const late = await pageOf('https://two.example/', text, { publishDate: '2026-01-03T08:00:00Z' })
    const undated = await pageOf('https://three.example/', text, { canonicalUrl: 'https://one.example/' })
    expect([isOriginalOf(early, late), isOriginalOf(late, early)]).toEqual([true, false])
    expect([isOriginalOf(early, undated), isOriginalOf(undated, early)]).toEqual([true, false])
  })

  test('with little text are never taken for copies', async () => {
    const page = await pageOf('https://one.example/', 'Nothing here.')
    expect(areCopies(page, { ...page, url: 'https://two.example/' })).toBe(false)
  })
})
