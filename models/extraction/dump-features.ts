// Training, step 1: the features of every run of text of a folder of saved pages, and how much of each run is content.
// Usage: npx tsx models/extraction/dump-features.ts PAGES_FOLDER OUTPUT_FOLDER. The folder's shape: see README.md here.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDomain } from 'tldts'
import { createFeatureReader, FEATURE_NAMES } from '../../src/extract/classify/block-features.ts'
import { collectRuns } from '../../src/extract/html/parse-html.ts'
import { type MeasuredRun, measureRuns } from '../../src/extract/classify/run-statistics.ts'
import { type TruePage, readTruth, tokensOf } from '../../scripts/eval/extraction-scorer.ts'

const GRAM_TOKENS = 3
const NOT_KNOWN = -1

interface PageRecord {
  id: string
  domain: string
  /** Of five: pages of one domain share it. */
  fold: number
  full: boolean
  /** Share of the run that stands in the true text, 0..1, or -1 where the truth says nothing about it. */
  labels: number[]
  tokens: number[]
}

const gramsOf = (tokens: readonly string[], length: number): string[] =>
  Array.from({ length: Math.max(0, tokens.length - length + 1) }, (_, at) =>
    tokens.slice(at, at + length).join('\u0001'),
  )

function createLabeller(page: TruePage): (tokens: readonly string[], text: string) => number {
  if (page.text === null) return (_, text) => labelBySnippets(page, text)
  const lines = page.text.split('\n').map((line) => tokensOf(line))
  const wholeLines = new Set(lines.map((line) => line.join('\u0001')))
  const all = tokensOf(page.text)
  const grams = new Map([1, 2, GRAM_TOKENS].map((length) => [length, new Set(gramsOf(all, length))]))
  return (tokens) => {
    if (tokens.length === 0) return NOT_KNOWN
    if (wholeLines.has(tokens.join('\u0001'))) return 1
    const own = gramsOf(tokens, Math.min(GRAM_TOKENS, tokens.length))
    const known = grams.get(Math.min(GRAM_TOKENS, tokens.length))
    const share = own.filter((gram) => known?.has(gram)).length / own.length
    // One or two words stand in almost any text by chance: count them as half at most.
    return tokens.length < GRAM_TOKENS ? share / 2.01 : share
  }
}

function labelBySnippets(page: TruePage, text: string): number {
  const plain = normalise(text)
  if (plain.length < 10) return NOT_KNOWN
  if (page.with.some((wanted) => normalise(wanted).includes(plain) || plain.includes(normalise(wanted))))
    return 1
  if (page.without.some((refused) => plain.includes(normalise(refused)))) return 0
  return NOT_KNOWN
}

const normalise = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()

/** The registrable domain, by which pages are kept together when data is split; a page without address is its own. */
const domainOf = (page: TruePage): string => (page.url === null ? page.id : (getDomain(page.url) ?? page.id))

const FOLDS = 5

/** By a digest, so that a page stays in its fold whatever other pages there are. */
const foldOf = (domain: string): number =>
  createHash('sha256').update(domain).digest().readUInt32BE(0) % FOLDS

async function recordOf(page: TruePage, html: string): Promise<{ record: PageRecord; rows: Float32Array[] }> {
  const { runs, root, head } = await collectRuns(html, new AbortController().signal)
  const measured: MeasuredRun[] = measureRuns(runs.filter((run) => run.readable))
  const read = createFeatureReader(measured, root, head.title())
  const label = createLabeller(page)
  const tokens = measured.map(({ run }) => tokensOf(run.text))
  const domain = domainOf(page)
  return {
    record: {
      id: page.id,
      domain,
      fold: foldOf(domain),
      full: page.text !== null,
      labels: measured.map(({ run }, index) => label(tokens[index] ?? [], run.text)),
      tokens: tokens.map((list) => list.length),
    },
    rows: measured.map((_, index) => read(index).slice()),
  }
}

const [pagesFolder, outputFolder] = process.argv.slice(2)
if (pagesFolder === undefined || outputFolder === undefined)
  throw new Error('usage: dump-features PAGES OUTPUT')
mkdirSync(outputFolder, { recursive: true })
const records: PageRecord[] = []
const rows: Float32Array[] = []
for (const page of readTruth(pagesFolder)) {
  if (page.text === null && page.with.length === 0) continue
  const dumped = await recordOf(page, readFileSync(join(pagesFolder, 'html', `${page.id}.html`), 'utf8'))
  records.push(dumped.record)
  for (const row of dumped.rows) rows.push(row)
}
const all = new Float32Array(rows.length * FEATURE_NAMES.length)
for (const [index, row] of rows.entries()) all.set(row, index * FEATURE_NAMES.length)
writeFileSync(join(outputFolder, 'features.f32'), all)
writeFileSync(join(outputFolder, 'pages.json'), JSON.stringify({ features: FEATURE_NAMES, pages: records }))
console.log(`${records.length} pages, ${rows.length} runs, ${FEATURE_NAMES.length} features`)
