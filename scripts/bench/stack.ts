// From question to passages, end to end: the running service with the models that ship, beside the chain that people wire
// by hand from a search engine, a page loader, Readability, a text splitter and all-MiniLM-L6-v2. Over loopback, so that
// only their own work is measured.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from '../../src/pages/browser/detection.ts'
import { openHandWired } from './hand-wired.ts'
import { type LoopbackWeb, readQuestions, startLoopbackWeb } from './loopback-web.ts'
import { quantile } from './quantile.ts'
import { describeMachine, startCompiledService } from './running-service.ts'

const ROUNDS = 12
const WARM_UP_ROUNDS = 10
/** What most chains load, with its own weights, in the precision that Verbatim's models have. */
const MODEL = join(import.meta.dirname, '..', '..', 'models', 'all-MiniLM-L6-v2')

type Search = (query: string) => Promise<unknown>

/** Prints the table. Takes about three minutes on two cores. */
export async function benchStack(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'verbatim-stack-'))
  const web = await startLoopbackWeb({ engineDelayMs: 0, pageDelayMs: 0 })
  try {
    console.log(describeMachine())
    const rows = [
      await measureService('Verbatim', web, join(scratch, 'none')),
      await measureHandWired('by hand, fetch', web, null),
    ]
    const chromiumPath = await findBrowser({ chromiumPath: process.env['CHROMIUM_PATH'] ?? null })
    if (chromiumPath !== null) {
      rows.push(await measureHandWired('by hand, Playwright', web, chromiumPath))
    }
    console.table(rows)
  } finally {
    await web.close()
    await rm(scratch, { recursive: true })
  }
}

async function measureService(design: string, web: LoopbackWeb, modelDirectory: string) {
  const service = await startCompiledService({ SEARXNG_URL: web.engineUrl, MODEL_DIR: modelDirectory })
  try {
    return await measure(design, (query) => service.search(query))
  } finally {
    await service.close()
  }
}

async function measureHandWired(design: string, { engineUrl }: LoopbackWeb, chromiumPath: string | null) {
  const chain = await openHandWired({ engineUrl, modelFolder: MODEL, chromiumPath })
  try {
    return await measure(design, (query) => chain.search(query))
  } finally {
    await chain.close()
  }
}

/** Every search finds pages that nobody has seen before. */
async function measure(design: string, search: Search) {
  const questions = readQuestions()
  const elapsedMs: number[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const startedAt = performance.now()
    await search(questions[round % questions.length] ?? '')
    if (round >= WARM_UP_ROUNDS) elapsedMs.push(performance.now() - startedAt)
  }
  const [median, slowest] = [0.5, 1].map((share) => Math.round(quantile(elapsedMs, share)))
  return { design, 'median ms': median, 'slowest ms': slowest }
}
