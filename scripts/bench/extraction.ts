// Measures how fast pages are read, beside what a user would pick instead, over the same pages in the same run.
// Saved pages come from the folder that EVAL_PAGES names; without one, the test fixtures are read again and again.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXTRACTION_TOOLS, type ExtractionTool } from '../eval/extraction-tools.ts'

const MOST_PAGES = 200
const WARM_UP_PAGES = 20
const MEBIBYTE = 2 ** 20
/** Either is enough: the machine decides the first, the comparison the second. */
const GOALS = { pagesPerSecond: 200, timesReadability: 30 } as const

interface Speed {
  name: string
  pagesPerSecond: number
  p50Ms: number
  p95Ms: number
  residentMegabytes: number
}

/** Prints pages a second, median and 95th percentile of a page, and resident memory after the run, for every tool. */
export async function benchExtraction(): Promise<void> {
  const pages = loadPages()
  console.log(
    `${pages.length} pages, ${(pages.reduce((sum, html) => sum + html.length, 0) / pages.length / 1024).toFixed(0)} KiB each`,
  )
  console.log('tool                     pages/s    p50 ms   p95 ms   resident MiB')
  const speeds: Speed[] = []
  for (const tool of EXTRACTION_TOOLS) {
    const speed = await measure(tool, pages)
    speeds.push(speed)
    console.log(
      `${speed.name.padEnd(24)} ${speed.pagesPerSecond.toFixed(1).padStart(7)} ${speed.p50Ms.toFixed(1).padStart(9)} ${speed.p95Ms.toFixed(1).padStart(8)} ${speed.residentMegabytes.toFixed(0).padStart(14)}`,
    )
  }
  printGoal(speeds)
}

function loadPages(): string[] {
  const folder = process.env['EVAL_PAGES']
  if (folder === undefined) {
    console.log(
      'EVAL_PAGES is not set: reading the test fixtures, which are small. Only the ratios mean something.',
    )
    const fixtures = join(import.meta.dirname, '../../test/fixtures/extract')
    const own = readdirSync(fixtures).map((name) => readFileSync(join(fixtures, name, 'source.html'), 'utf8'))
    return Array.from({ length: MOST_PAGES }, (_, index) => own[index % own.length] ?? '')
  }
  const names = readdirSync(join(folder, 'html'))
    .filter((name) => name.endsWith('.html'))
    .toSorted()
  const step = Math.max(1, names.length / MOST_PAGES)
  const chosen = names.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step))
  return chosen.map((name) => readFileSync(join(folder, 'html', name), 'utf8'))
}

async function measure(tool: ExtractionTool, pages: readonly string[]): Promise<Speed> {
  const times: number[] = []
  for (const html of pages.slice(0, WARM_UP_PAGES)) await timed(tool, html)
  for (const html of pages) times.push(await timed(tool, html))
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN
  return {
    name: tool.name,
    pagesPerSecond: (times.length * 1_000) / times.reduce((sum, time) => sum + time, 0),
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    residentMegabytes: process.memoryUsage.rss() / MEBIBYTE,
  }
}

/** A tool that fails on a page has spent the time all the same. */
async function timed(tool: ExtractionTool, html: string): Promise<number> {
  const start = performance.now()
  await tool.extract(html, 'https://saved.example/').catch((): null => null)
  return performance.now() - start
}

function printGoal(speeds: readonly Speed[]): void {
  const ours = speeds.find(({ name }) => name === 'verbatim')
  const readability = speeds.find(({ name }) => name === 'jsdom + Readability')
  if (ours === undefined || readability === undefined) return
  const times = ours.pagesPerSecond / readability.pagesPerSecond
  const isReached = ours.pagesPerSecond >= GOALS.pagesPerSecond || times >= GOALS.timesReadability
  console.log(
    `${isReached ? 'reached' : 'MISSED '}  ${ours.pagesPerSecond.toFixed(0)} pages/s, ${times.toFixed(0)} × jsdom + Readability; goal ${GOALS.pagesPerSecond} or ${GOALS.timesReadability} ×`,
  )
}
