// Threads that die in the middle of their work. The test ends them from outside, as running out of memory inside one
// would; Node tells it of every thread that is started.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { article, startSearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const closers: (() => unknown)[] = []
const threads = new Set<Worker>()
const keep = (message: unknown): void => {
  const { worker } = message as { worker: Worker }
  threads.add(worker)
  worker.once('exit', () => threads.delete(worker))
}
beforeEach(() => subscribe('worker_threads', keep))
afterEach(async () => {
  unsubscribe('worker_threads', keep)
  for (const close of closers.splice(0).toReversed()) await close()
})

const FILLER = Array.from({ length: 150 }, (_, line) => `On day ${line} the gardener watered row ${line}.`)
const PAGES = Object.fromEntries(
  [0, 1, 2, 3, 4].map((page) => {
    const answer = `An API key is revoked by deleting it on the keys page, says guide ${page}.`
    return [`/page-${page}`, { html: article(`Guide ${page}`, [answer, ...FILLER]) }]
  }),
)

async function start(): Promise<TestService> {
  const site = await startSearchSite(PAGES)
  closers.push(() => site.close())
  const service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
  closers.push(() => service.close())
  return service
}

/**
 * By the heap that they are given. They die between two searches: Node ends one that is within native code with the whole
 * process, as such code would itself.
 */
const MODEL_THREAD_MEMORY_MB = 1_024
const holdsModels = ({ resourceLimits }: Worker): boolean =>
  resourceLimits?.maxOldGenerationSizeMb === MODEL_THREAD_MEMORY_MB

const IDLE_MS = 100

/** Resolves once the thread has started and has next to nothing to do: it is not within native code then. */
async function untilIdle(thread: Worker): Promise<void> {
  let used = { active: 0, idle: 0 }
  while (thread.threadId !== -1 && (used.idle === 0 || used.idle < 9 * used.active)) {
    const before = thread.performance.eventLoopUtilization()
    await sleep(IDLE_MS)
    used = thread.performance.eventLoopUtilization(before)
  }
}

/** Ends the threads that `isMeant` finds. How many. */
async function end(isMeant: (thread: Worker) => boolean): Promise<number> {
  const meant = [...threads].filter(isMeant)
  await Promise.all(meant.map((thread) => thread.terminate()))
  return meant.length
}

const ask = (service: TestService): Promise<Response> =>
  service.search({ query: 'How is an API key revoked?' }, { 'Cache-Control': 'no-cache' })

/** What is found when every page was read and every passage scored, which a machine with more to do has no time for at once. */
async function askWhole(service: TestService): Promise<SearchResponse['results']> {
  let results: SearchResponse['results'] = []
  const warnings = async (): Promise<unknown[]> => {
    results = ((await (await ask(service)).json()) as SearchResponse).results
    return results.map(({ warning }) => warning)
  }
  await expect.poll(warnings, { timeout: 60_000 }).toEqual([null, null, null, null, null])
  return results
}

test('every thread that dies is replaced, whenever it dies: searches are answered, with warnings at worst', async () => {
  const service = await start()
  const before = await askWhole(service)
  expect(before[0]?.snippets.length).toBeGreaterThan(0)
  expect(threads.size).toBeGreaterThanOrEqual(2)
  let killed = 0
  for (const afterMs of [0, 20, 60]) {
    await Promise.all([...threads].filter(holdsModels).map(untilIdle))
    const modelThreads = await end(holdsModels)
    expect(modelThreads).toBeGreaterThan(0)
    const searches = [ask(service), ask(service), ask(service)]
    await sleep(afterMs)
    killed += modelThreads + (await end((thread) => !holdsModels(thread)))
    for (const answer of await Promise.all(searches)) {
      expect(answer.status).toBe(200)
      const body = (await answer.json()) as SearchResponse
      expect(body.results).toHaveLength(5)
      expect(JSON.stringify(body)).not.toMatch(/worker|thread|terminated/iu)
    }
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
  }
  expect(killed).toBeGreaterThanOrEqual(6)
  const after = await askWhole(service)
  expect(after.map(({ snippets }) => snippets)).toEqual(before.map(({ snippets }) => snippets))
})
