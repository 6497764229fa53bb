// Asks /health at a steady pace until it is told to stop, and sends its parent what each answer took.
import type { HealthAnswers } from './health-watch.ts'

const EVERY_MS = 50

const [url = ''] = process.argv.slice(2)
const elapsedMs: number[] = []
const end = new AbortController()
process.once('message', () => end.abort())
process.once('disconnect', () => process.exit())
while (!end.signal.aborted) {
  const startedAt = performance.now()
  await (await fetch(`${url}/health`)).text()
  elapsedMs.push(performance.now() - startedAt)
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
}
process.send?.({ elapsedMs } satisfies HealthAnswers)
