// One extraction tool in a process of its own: reads the pages it is told to and answers with times and memory.
// Apart from the benchmark, because memory is told only by process, and one tool's garbage must not slow another.
import { EXTRACTION_TOOLS } from '../eval/extraction-tools.ts'

const tool = EXTRACTION_TOOLS.find(({ name }) => name === process.argv[2])
if (tool === undefined) throw new Error(`no such tool: ${process.argv[2]}`)

process.on('message', (pages: readonly string[]) => {
  void readAll(pages).then((times) => process.send?.({ times, residentBytes: process.memoryUsage.rss() }))
})

/** Milliseconds a page. A tool that fails on a page has spent the time all the same. */
async function readAll(pages: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const html of pages) {
    const start = performance.now()
    await tool?.extract(html, 'https://saved.example/').catch((): null => null)
    times.push(performance.now() - start)
  }
  return times
}
