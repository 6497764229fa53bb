// `npm run eval -- --copies [--pages DIR]`: whether pages that print one text are told from all others. Without --pages, on
// the documentation's own pages.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer, parser } from 'marked'
import { readPage } from '../../src/extract/read-page.ts'
import { areCopies, type ComparedPage } from '../../src/search/copies/group-copies.ts'
import { sharedShare, sketchOf } from '../../src/search/copies/sketch.ts'
import { ORIGINAL, plantCopies, sourcesOf, type PlantedPage } from './planted-copies.ts'
import type { SavedPage } from './planted-edits.ts'
import { createRandom } from './quote-mutations.ts'
import { readHtml, readPages } from './verification.ts'

const SEED = 20_261_123

export interface PairTally {
  /** Pairs that print one text, those of them that were told, and those told that print none. */
  pairs: number
  told: number
  wrong: number
}

/** F1 of the pairs. */
export const pairsF1 = ({ pairs, told, wrong }: PairTally): number => (2 * told) / (pairs + told + wrong)

/** Tables and code of a frame would stay beside a copy. */
const PROSE: ReadonlySet<string> = new Set(['heading', 'paragraph', 'list'])

/** The prose of the documentation's pages, each in a frame of its own. */
export async function documentationPages(folder: string): Promise<SavedPage[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  return Promise.all(
    names.map(async (name) => {
      const markdown = readFileSync(join(folder, name), 'utf8').replace(/^---[\s\S]*?---/u, '')
      const links = names.filter((other) => other > name).map((other) => `<a href="/${other}">${other}</a>`)
      const body = parser(lexer(markdown).filter(({ type }) => PROSE.has(type)))
      const html = `<!doctype html><html lang="en"><head><title>${name}</title></head><body><nav>${links.join(' ')}</nav>
<main><article>${body}</article></main><footer>About ${name} and this site</footer></body></html>`
      const { text, language } = await readHtml(html)
      return { html, text, language }
    }),
  )
}

interface ReadPlanted extends ComparedPage {
  planted: PlantedPage
}

/** Plants copies of the pages and reads them all as a search does, each as a page of a site of its own. */
export async function readPlanted(pages: readonly SavedPage[]): Promise<ReadPlanted[]> {
  const read: ReadPlanted[] = []
  for (const [position, planted] of plantCopies(sourcesOf(pages), createRandom(SEED)).entries()) {
    const url = `https://site${position}.example/`
    const origin = { url, lastModified: null, contentLanguage: null, now: new Date(0) }
    const input = { ...origin, mediaType: 'text/html', content: planted.html }
    const page = await readPage(input, AbortSignal.timeout(60_000))
    read.push({ url, canonicalUrl: null, publishDate: null, position, sketch: sketchOf(page), planted })
  }
  return read
}

/** Compares every page with every other one. `onPair` is told of the pairs that print one text, or are said to. */
export function tallyPairs(
  pages: readonly ReadPlanted[],
  onPair?: (left: ReadPlanted, right: ReadPlanted, isTold: boolean) => void,
): PairTally {
  const tally = { pairs: 0, told: 0, wrong: 0 }
  for (const [at, left] of pages.entries())
    for (let other = at + 1; other < pages.length; other++) {
      const right = pages[other]
      if (right === undefined) continue
      const isPair = left.planted.text === right.planted.text
      const isTold = areCopies(left, right)
      if (isPair) tally.pairs += 1
      if (isTold) tally[isPair ? 'told' : 'wrong'] += 1
      if (isPair || isTold) onPair?.(left, right, isTold)
    }
  return tally
}

/** Prints pairs by what was done to the copy, the pairs that were told and are none, and F1. */
export async function evaluateCopies(folder: string | null): Promise<void> {
  const saved = folder === null ? await documentationPages('docs') : await readPages(folder)
  const pages = await readPlanted(saved)
  const kinds = new Map<string, { pairs: number; told: number; least: number }>()
  const wrong: string[] = []
  const tally = tallyPairs(pages, (left, right, isTold) => {
    const shared = sharedShare(left.sketch, right.sketch)
    if (left.planted.text !== right.planted.text) {
      wrong.push(
        `  ${left.planted.kind} (${left.url}) and ${right.planted.kind} (${right.url}): ${shared.toFixed(2)}`,
      )
      return
    }
    const kind = left.planted.kind === ORIGINAL ? right.planted.kind : 'two copies of one text'
    const counted = kinds.get(kind) ?? { pairs: 0, told: 0, least: 1 }
    kinds.set(kind, counted)
    counted.pairs += 1
    counted.told += isTold ? 1 : 0
    counted.least = Math.min(counted.least, shared)
  })
  console.log(`${pages.length} pages\n| copy | pairs | told | least shared |\n|---|---|---|---|`)
  for (const [kind, { pairs, told, least }] of kinds)
    console.log(`| ${kind} | ${pairs} | ${(told / pairs).toFixed(3)} | ${least.toFixed(2)} |`)
  const { pairs, told, wrong: falsely } = tally
  console.log(
    `pairs: precision ${(told / (told + falsely)).toFixed(4)}, recall ${(told / pairs).toFixed(4)}, F1 ${pairsF1(tally).toFixed(4)} (goal .95)`,
  )
  console.log(wrong.join('\n'))
}
