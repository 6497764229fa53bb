// Measures how fast pages are read, beside what a user would pick instead, over the same pages in the same run.
// One tool after the other, each without a pause: V8 forgets the code of a process that idles while others have their turn.
// Saved pages come from the folder that EVAL_PAGES names; without one, the test fixtures are read again and again.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createToolProcess, type PageReading } from '../eval/extraction-process.ts'
import { EXTRACTION_TOOLS } from '../eval/extraction-tools.ts'
import { quantile } from './quantile.ts'

const MOST_PAGES = 200
const PAGE_URL = 'https://saved.example/'
const MEBIBYTE = 2 ** 20
/** Either is enough: the machine decides the first, the comparison the second. */
const GOALS = { pagesPerSecond: 200, timesReadability: 30 } as const

interface Speed {
  name: string
  /** By CPU time: what one core does when nothing else runs on it. */
  pagesPerSecond: number
  p50Ms: number
  p95Ms: number
  residentMegabytes: number
}

/** Prints pages a second, median and 95th percentile of a page, and resident memory after the run, for every tool. */
export async function benchExtraction(): Promise<void> {
  const { pages, warmUp } = loadPages()
  const kibibytes = pages.reduce((sum, html) => sum + html.length, 0) / pages.length / 1024
  console.log(
    `${pages.length} pages, ${kibibytes.toFixed(0)} KiB each, after ${warmUp.length} others to warm up`,
  )
  console.log('tool                 pages/CPU-s    p50 ms   p95 ms   resident MiB')
  const speeds: Speed[] = []
  for (const { name } of EXTRACTION_TOOLS) {
    const speed = await measure(name, pages, warmUp)
    speeds.push(speed)
    console.log(
      `${speed.name.padEnd(24)} ${speed.pagesPerSecond.toFixed(1).padStart(7)} ${speed.p50Ms.toFixed(1).padStart(9)} ${speed.p95Ms.toFixed(1).padStart(8)} ${speed.residentMegabytes.toFixed(0).padStart(14)}`,
    )
  }
  // The goal was set for pages of the web: the fixtures are far smaller.
  if (process.env['EVAL_PAGES'] !== undefined) printGoal(speeds)
}

interface PageSets {
  pages: string[]
  /**
   * As many others: a service has run for a while, and an engine's compiler needs some hundred pages to have seen every
   * path of any of the tools.
   */
  warmUp: string[]
}

function loadPages(): PageSets {
  const folder = process.env['EVAL_PAGES']
  if (folder === undefined) {
    console.log(
      'EVAL_PAGES is not set: reading the test fixtures, which are small. Only the ratios mean something.',
    )
    const fixtures = join(import.meta.dirname, '../../test/fixtures/extract')
    const own = readdirSync(fixtures)
      .map((name) => join(fixtures, name, 'source.html'))
      .filter((path) => existsSync(path))
      .map((path) => readFileSync(path, 'utf8'))
    const pages = Array.from({ length: MOST_PAGES }, (_, index) => own[index % own.length] ?? '')
    return { pages, warmUp: pages }
  }
  const names = readdirSync(join(folder, 'html'))
    .filter((name) => name.endsWith('.html'))
    .toSorted()
  const chosen = spread(names, MOST_PAGES)
  const others = names.filter((name) => !chosen.includes(name))
  const read = (list: readonly string[]) =>
    list.map((name) => readFileSync(join(folder, 'html', name), 'utf8'))
  return { pages: read(chosen), warmUp: read(spread(others, MOST_PAGES)) }
}

/** At most `count` of the names, evenly spread. */
function spread(names: readonly string[], count: number): string[] {
  const step = Math.max(1, names.length / count)
  return names.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step))
}

async function measure(name: string, pages: readonly string[], warmUp: readonly string[]): Promise<Speed> {
  const running = createToolProcess(name)
  const readings: PageReading[] = []
  try {
    for (const html of warmUp) await running.read(html, PAGE_URL)
    for (const html of pages) readings.push(await running.read(html, PAGE_URL))
  } finally {
    running.end()
  }
  return speedOf(name, readings)
}

function speedOf(name: string, readings: readonly PageReading[]): Speed {
  const times = readings.map(({ wallMs }) => wallMs)
  return {
    name,
    pagesPerSecond: (readings.length * 1_000) / readings.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    residentMegabytes: Math.max(...readings.map(({ residentBytes }) => residentBytes)) / MEBIBYTE,
  }
}

function printGoal(speeds: readonly Speed[]): void {
  const ours = speeds.find(({ name }) => name === 'verbatim')
  const readability = speeds.find(({ name }) => name === 'jsdom + Readability')
  if (ours === undefined || readability === undefined) return
  const times = ours.pagesPerSecond / readability.pagesPerSecond
  const isReached = ours.pagesPerSecond >= GOALS.pagesPerSecond || times >= GOALS.timesReadability
  console.log(
    `${isReached ? 'reached' : 'MISSED '}  ${ours.pagesPerSecond.toFixed(0)} pages a CPU second, ${times.toFixed(0)} × jsdom + Readability; goal ${GOALS.pagesPerSecond} or ${GOALS.timesReadability} ×`,
  )
}
