// Over saved real pages with known content and dates: how much is kept, how much is let in, which dates are right.
// All tools in one run over the same pages, each in a process of its own and bounded on every page. The folder's shape: `html/ID.html` and `truth.jsonl` (extraction-scorer.ts).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { meanScore, type PageScore, readTruth, scorePage, type TruePage } from './extraction-scorer.ts'
import { createToolProcess } from './extraction-process.ts'
import { EXTRACTION_TOOLS, type Extracted } from './extraction-tools.ts'
import { UNKNOWN_ADDRESS } from './read-html-page.ts'

/** What the reader must reach on pages of domains that its weights were not learned from. */
const GOALS = { passagesKept: 0.94, wordF1: 0.85 } as const

/** The engine's compiler needs some pages before a tool runs as it does in a service: these count for nothing but text. */
const WARM_UP_PAGES = 200
const PAGES_BETWEEN_SIGNS = 100

interface DateTally {
  cases: number
  right: number
}

interface ToolResult {
  name: string
  score: PageScore
  published: DateTally
  updated: DateTally
  /** Pages the tool threw on or did not finish in time. */
  failures: number
  pagesPerSecond: number
}

/**
 * Prints one line a tool: word precision, recall and F1, share of true passages kept, boilerplate let in, dates right,
 * pages a second of CPU time. Takes some minutes, nearly all of them for jsdom and defuddle.
 * The weights of the classifier were learned from shared pages like these: for pages they were learned from, its own
 * line is too good, and models/extraction/README.md gives the figures of pages left out.
 */
export async function evaluateExtraction(pagesFolder: string): Promise<void> {
  const pages = readTruth(pagesFolder)
  console.log(`${pages.length} pages`)
  console.log(
    'tool                     words P   R     F1    passages kept  unwanted  published  updated  failed  pages/CPU-s',
  )
  const results: ToolResult[] = []
  for (const tool of EXTRACTION_TOOLS) {
    const result = await evaluate(tool.name, pages, pagesFolder)
    results.push(result)
    console.log(lineOf(result))
  }
  printGoals(results)
}

async function evaluate(name: string, pages: readonly TruePage[], folder: string): Promise<ToolResult> {
  const scores: PageScore[] = []
  const tally = {
    published: { cases: 0, right: 0 },
    updated: { cases: 0, right: 0 },
    failures: 0,
  }
  const cpuMs: number[] = []
  const running = createToolProcess(name)
  try {
    for (const [index, page] of pages.entries()) {
      const html = readFileSync(join(folder, 'html', `${page.id}.html`), 'utf8')
      const reading = await running.read(html, page.url ?? UNKNOWN_ADDRESS)
      const { extracted } = reading
      if (extracted === null) tally.failures++
      if (index >= WARM_UP_PAGES || pages.length <= WARM_UP_PAGES) cpuMs.push(reading.cpuMs)
      if (page.text !== null || page.with.length > 0) scores.push(scorePage(page, extracted?.text ?? ''))
      if (page.type === 'date' && page.date !== null) tallyDate(tally, page, page.date, extracted)
      if ((index + 1) % PAGES_BETWEEN_SIGNS === 0) console.error(`  ${name}: ${index + 1} of ${pages.length}`)
    }
  } finally {
    running.end()
  }
  const pagesPerSecond = (cpuMs.length * 1_000) / cpuMs.reduce((sum, ms) => sum + ms, 0)
  return { name, ...tally, score: meanScore(scores), pagesPerSecond }
}

/** A page without a date of its own for the update counts as last updated when it was published. */
function tallyDate(
  result: { published: DateTally; updated: DateTally },
  page: TruePage,
  truth: string,
  extracted: Extracted | null,
): void {
  const isUpdate = page.src === 'htmldate-m'
  const found = isUpdate ? (extracted?.updated ?? extracted?.published) : extracted?.published
  const tally = isUpdate ? result.updated : result.published
  tally.cases++
  if (found?.slice(0, 10) === truth.slice(0, 10)) tally.right++
}

const figure = (value: number | undefined): string => (value === undefined ? '  -  ' : value.toFixed(3))

function lineOf({ name, score, published, updated, failures, pagesPerSecond }: ToolResult): string {
  return [
    name.padEnd(24),
    `${figure(score.wordPrecision)} ${figure(score.wordRecall)} ${figure(score.wordF1)}`,
    figure(score.passagesKept).padEnd(13),
    figure(score.unwanted).padEnd(8),
    `${published.right}/${published.cases}`.padEnd(9),
    `${updated.right}/${updated.cases}`.padEnd(7),
    String(failures).padEnd(6),
    pagesPerSecond.toFixed(1),
  ].join('  ')
}

function printGoals(results: readonly ToolResult[]): void {
  const [ours, ...others] = results
  if (ours === undefined) return
  const best = (of: (result: ToolResult) => number) => Math.max(...others.map(of))
  const goal = (name: string, value: number, least: number) =>
    console.log(
      `${value >= least ? 'reached' : 'MISSED '}  ${name}: ${value.toFixed(3)}, goal ${least.toFixed(3)}`,
    )
  goal('share of true passages kept', ours.score.passagesKept ?? 0, GOALS.passagesKept)
  goal('word F1', ours.score.wordF1 ?? 0, GOALS.wordF1)
  goal(
    'dates of publication right',
    shareRight(ours.published),
    best(({ published }) => shareRight(published)),
  )
  goal(
    'dates of update right',
    shareRight(ours.updated),
    best(({ updated }) => shareRight(updated)),
  )
}

const shareRight = ({ right, cases }: DateTally): number => (cases === 0 ? 0 : right / cases)
