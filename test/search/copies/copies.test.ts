import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { documentationPages, pairsF1, readPlanted, tallyPairs } from '../../../scripts/eval/copies.ts'
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
  return { url, canonicalUrl: null, publishDate: null, position: 0, sketch: sketchOf(page), ...facts }
}

describe('pages that print the same text', () => {
  test('are told from all others, in frames that many texts share: pairs F1 at least .95', async () => {
    const pages = await readPlanted(await documentationPages('docs'))
    const tally = tallyPairs(pages)
    expect(tally.pairs).toBeGreaterThan(30)
    expect(pairsF1(tally)).toBeGreaterThanOrEqual(0.95)
  })

  test('are shown by the one that had it first: by date, else by the address it is said to be from', async () => {
    const text = TEXTS[0] ?? ''
    const early = await pageOf('https://one.example/', text, { publishDate: '2026-01-02' })
    const late = await pageOf('https://two.example/', text, { publishDate: '2026-01-03T08:00:00Z' })
    const undated = await pageOf('https://three.example/', text, { canonicalUrl: 'https://one.example/' })
    expect([isOriginalOf(early, late), isOriginalOf(late, early)]).toEqual([true, false])
    expect([isOriginalOf(early, undated), isOriginalOf(undated, early)]).toEqual([true, false])
  })

  test('are shown by the one that the search engine found first where nobody tells, in whatever order they were read', async () => {
    const text = TEXTS[0] ?? ''
    const first = await pageOf('https://one.example/', text, { position: 0, publishDate: '2026-01-02' })
    const second = await pageOf('https://two.example/', text, { position: 1 })
    expect([isOriginalOf(first, second), isOriginalOf(second, first)]).toEqual([true, false])
    const named = { ...second, canonicalUrl: 'http://www.one.example' }
    expect([isOriginalOf(first, named), isOriginalOf(named, first)]).toEqual([true, false])
    const naming = { ...first, canonicalUrl: 'https://two.example/' }
    expect([isOriginalOf(second, naming), isOriginalOf(naming, second)]).toEqual([true, false])
  })

  test('with little text are never taken for copies', async () => {
    const page = await pageOf('https://one.example/', 'Nothing here.')
    expect(areCopies(page, { ...page, url: 'https://two.example/' })).toBe(false)
  })
})
