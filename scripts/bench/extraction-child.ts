// One extraction tool in a process of its own: reads the page it is sent and answers with what it found, times and
// memory.
import { EXTRACTION_TOOLS, type Extracted } from '../eval/extraction-tools.ts'

const tool = EXTRACTION_TOOLS.find(({ name }) => name === process.argv[2])
if (tool === undefined) throw new Error(`no such tool: ${process.argv[2]}`)

process.on('message', ({ html, url }: { html: string; url: string }) => {
  const start = performance.now()
  const before = process.cpuUsage()
  // A tool that fails on a page has spent the time all the same.
  void tool.extract(html, url).then(
    (extracted) => answer(extracted, start, before),
    () => answer(null, start, before),
  )
})

function answer(extracted: Extracted | null, start: number, before: NodeJS.CpuUsage): void {
  const wallMs = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  process.send?.({
    extracted,
    wallMs,
    cpuMs: (user + system) / 1_000,
    residentBytes: process.memoryUsage.rss(),
  })
}
