// `npm run eval -- --proof --pages DIR [--limit N]`: what a bundle takes, whether one that was tampered with is accepted, and
// whether it is told what has become of quotes on pages that were edited.
import { createStandings } from '../../src/search/quotes/standing.ts'
import { isAccepted, makeBundles, tallyTamperings } from './bundle-tampering.ts'
import { plantEdits, type PlantedEdit, type SavedPage } from './planted-edits.ts'
import { createRandom } from './quote-mutations.ts'
import { readHtml, readPages } from './verification.ts'

const BUNDLES = 10_000
const TAMPERINGS = 100_000
const EDITS = 2_000
const SEED = 20_261_122
/** Of planted edits that were told wrong, so many are shown. */
const SHOWN = 20

export interface EditTally {
  edits: number
  right: number
}

/** Reads every edited page anew and compares, as `recheck` does. `onWrong` is told of each that is told wrong. */
export async function tallyEdits(
  pages: readonly SavedPage[],
  planted: readonly { page: number; edit: PlantedEdit }[],
  onWrong: (edit: PlantedEdit, told: string) => void,
): Promise<Map<string, EditTally>> {
  const tallies = new Map<string, EditTally>()
  for (const { page, edit } of planted) {
    const kind = `${edit.standing}: ${edit.kind}`
    const tally = tallies.get(kind) ?? { edits: 0, right: 0 }
    tallies.set(kind, tally)
    const now = await readHtml(edit.html)
    const told =
      createStandings(pages[page]?.text ?? '', now.text)(edit.quote)?.standing ?? 'not found before'
    tally.edits += 1
    if (told === edit.standing) tally.right += 1
    else onWrong(edit, told)
  }
  return tallies
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function measureBundles(pages: readonly SavedPage[]): Promise<void> {
  const random = createRandom(SEED)
  const texts = pages.map(({ text }) => text).filter((text) => text.length > 200)
  const startedAt = performance.now()
  const { bundles, keys } = await makeBundles(texts, BUNDLES, random)
  const madeMs = (performance.now() - startedAt) / BUNDLES
  const sizes = bundles.map(({ jws, snippets }) => Buffer.byteLength(JSON.stringify({ jws, snippets })))
  const signed = bundles.map(({ jws }) => Buffer.byteLength(JSON.stringify(jws)))
  const numbers = [0.5, 0.99, 1].map((share) => `${quantile(sizes, share)} (${quantile(signed, share)})`)
  const accepted = bundles.filter((bundle) => isAccepted(bundle, keys)).length
  console.log(
    `bytes without the text, in brackets without snippets: median, p99, most: ${numbers.join(', ')}`,
  )
  console.log(`made in ${madeMs.toFixed(2)} ms each, digests included; untouched ones accepted: ${accepted}`)
  const tallies = tallyTamperings(bundles, keys, TAMPERINGS, random)
  console.log('\n| tampering | tried | accepted |\n|---|---|---|')
  for (const [kind, { tried, accepted: wrongly }] of tallies)
    console.log(`| ${kind} | ${tried} | ${wrongly} |`)
}

export async function evaluateProof(folder: string, limit: number | null): Promise<void> {
  const pages = await readPages(folder)
  await measureBundles(pages)
  const planted = plantEdits(pages, limit ?? EDITS, createRandom(SEED))
  const wrong: string[] = []
  const tallies = await tallyEdits(pages, planted, ({ kind, standing, quote }, told) =>
    wrong.push(`${standing}: ${kind}, told ${told}: ${quote.slice(0, 100)}`),
  )
  console.log('\n| planted edit | edits | told right |\n|---|---|---|')
  for (const [kind, { edits, right }] of tallies)
    console.log(`| ${kind} | ${edits} | ${(right / edits).toFixed(3)} |`)
  const right = [...tallies.values()].reduce((sum, tally) => sum + tally.right, 0)
  console.log(`\n${right} of ${planted.length} told right: ${(right / planted.length).toFixed(4)}`)
  console.log(wrong.slice(0, SHOWN).join('\n'))
}
