// Measures how fast pages are read, beside what a user would pick instead, over the same pages in the same run.
// The tools take turns over small batches, so that whatever else the machine does falls on all of them alike.
// Saved pages come from the folder that EVAL_PAGES names; without one, the test fixtures are read again and again.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { EXTRACTION_TOOLS } from '../eval/extraction-tools.ts'

const MOST_PAGES = 200
const BATCH_PAGES = 20
/** Enough for the compiler of the engine to have seen every path. */
const WARM_UP_PAGES = 60
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
  const pages = loadPages()
  console.log(
    `${pages.length} pages, ${(pages.reduce((sum, html) => sum + html.length, 0) / pages.length / 1024).toFixed(0)} KiB each`,
  )
  console.log('tool                 pages/CPU-s    p50 ms   p95 ms   resident MiB')
  const speeds = await measureInTurns(pages)
  for (const speed of speeds) {
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

const answerSchema = z.object({
  times: z.array(z.object({ wallMs: z.number(), cpuMs: z.number() })),
  residentBytes: z.number(),
})

type PageTime = z.output<typeof answerSchema>['times'][number]

/** One process a tool; the first pages warm it up and do not count. */
async function measureInTurns(pages: readonly string[]): Promise<Speed[]> {
  const tools = EXTRACTION_TOOLS.map(({ name }) => ({
    name,
    child: startChild(name),
    times: [] as PageTime[],
    residentBytes: 0,
  }))
  try {
    for (const { child } of tools) await readBatch(child, pages.slice(0, WARM_UP_PAGES))
    for (let from = 0; from < pages.length; from += BATCH_PAGES) {
      for (const tool of tools) {
        const { times, residentBytes } = await readBatch(tool.child, pages.slice(from, from + BATCH_PAGES))
        tool.times.push(...times)
        tool.residentBytes = Math.max(tool.residentBytes, residentBytes)
      }
    }
  } finally {
    for (const { child } of tools) child.kill()
  }
  return tools.map(({ name, times, residentBytes }) => speedOf(name, times, residentBytes))
}

const startChild = (tool: string): ChildProcess =>
  fork(join(import.meta.dirname, 'extraction-child.ts'), [tool], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })

async function readBatch(
  child: ChildProcess,
  pages: readonly string[],
): Promise<z.output<typeof answerSchema>> {
  child.send(pages)
  const [answer] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('a tool ended before it answered'))),
  ])
  return answerSchema.parse(answer)
}

function speedOf(name: string, times: readonly PageTime[], residentBytes: number): Speed {
  const sorted = times.map(({ wallMs }) => wallMs).toSorted((left, right) => left - right)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN
  return {
    name,
    pagesPerSecond: (times.length * 1_000) / times.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    residentMegabytes: residentBytes / MEBIBYTE,
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
