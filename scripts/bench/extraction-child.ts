// One extraction tool in a process of its own: reads the pages it is told to and answers with times and memory.
// Apart from the benchmark, because memory is told only by process, and one tool's garbage must not slow another.
import { EXTRACTION_TOOLS } from '../eval/extraction-tools.ts'

const tool = EXTRACTION_TOOLS.find(({ name }) => name === process.argv[2])
if (tool === undefined) throw new Error(`no such tool: ${process.argv[2]}`)

process.on('message', (pages: readonly string[]) => {
  void readAll(pages).then((times) => process.send?.({ times, residentBytes: process.memoryUsage.rss() }))
})

/** Milliseconds of wall clock and of CPU a page. A tool that fails on a page has spent the time all the same. */
async function readAll(pages: readonly string[]): Promise<{ wallMs: number; cpuMs: number }[]> {
  const times: { wallMs: number; cpuMs: number }[] = []
  for (const html of pages) {
    const start = performance.now()
    const before = process.cpuUsage()
    await tool?.extract(html, 'https://saved.example/').catch((): null => null)
    const { user, system } = process.cpuUsage(before)
    times.push({ wallMs: performance.now() - start, cpuMs: (user + system) / 1_000 })
  }
  return times
}
