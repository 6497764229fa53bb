// Drives a running service over loopback: how many searches a second, how slow, how much memory; what overload does
// to those inside, those refused and /health; and whether anything grows over thousands of searches.
import { setPriority } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { watchHealth } from './health-watch.ts'
import { readQuestions, startLoopbackWeb } from './loopback-web.ts'
import { offerLoad, type Answered } from './offered-load.ts'
import { quantile } from './quantile.ts'
import { describeMachine, startCompiledService, type RunningService } from './running-service.ts'

/** A search engine and sites as far away as they are on a good day. */
const WEB = { engineDelayMs: 200, pageDelayMs: 150 } as const
const CONCURRENCIES = [1, 8, 32, 128]
const SECONDS = 20
const WARM_UP_SEARCHES = 40
const OVERLOAD = 5
const SOAK_CONCURRENCY = 8
/** Nicer to nobody: between an ordinary process (0) and the most urgent (-20). */
const GENERATOR_NICENESS = -10
const SOAK_STEPS = 5
/** From this step on nothing may grow by more than this share: the caches hold a few hundred pages. */
const SOAK_FILLED_STEP = 2
const SOAK_GROWTH_MAX = 0.05
/** What closes behind the last answers of a step is given so long. */
const SETTLE_MS = 2_000
/** Of the searches of a soak, one in so many is exhaustive, so that the browser works too. */
const SOAK_EXHAUSTIVE_EVERY = 20

type Load = Omit<autocannon.Options, 'url'>

export async function benchLoad({ soak }: { soak: number | null }): Promise<void> {
  const web = await startLoopbackWeb(WEB)
  const service = await startCompiledService({ SEARXNG_URL: web.engineUrl })
  try {
    console.log(describeMachine())
    console.log(
      `The load generator ${takePrecedence() ? 'precedes' : 'shares the processor with'} the service.`,
    )
    console.log(
      `Every search opens five new pages; engine ${WEB.engineDelayMs} ms, page ${WEB.pageDelayMs} ms away.`,
    )
    await drive(service, { connections: 4, amount: WARM_UP_SEARCHES })
    if (soak === null) await measureLoad(service)
    else await measureSoak(service, soak)
    console.log(`Scored by: ${await modelsUsed(service)}`)
  } finally {
    await service.close()
    await web.close()
  }
}

async function measureLoad(service: RunningService): Promise<void> {
  const rows = []
  for (const connections of CONCURRENCIES) {
    const work = () => drive(service, { connections, duration: SECONDS })
    rows.push({ load: `${connections} at once`, ...(await measure(service, work)) })
  }
  const best = Math.max(...rows.map((row) => row['answered/s']))
  const ratePerSecond = Math.round(best * OVERLOAD)
  const overload = () => offerLoad({ ...searchesOf(service), ratePerSecond, seconds: SECONDS })
  rows.push({ load: `${ratePerSecond} offered/s`, ...(await measure(service, overload)) })
  console.table(rows)
  console.log('Event loop and generator: 10 ms is idle, the resolution of the measurement.')
}

/** Memory and processes along the way: they may rise while caches fill, and must then stay. */
async function measureSoak(service: RunningService, searches: number): Promise<void> {
  const rows = [{ searches: WARM_UP_SEARCHES, ...(await inspect(service)) }]
  for (let step = 1; step <= SOAK_STEPS; step += 1) {
    const amount = Math.ceil(searches / SOAK_STEPS)
    const memory = watchMemory(service)
    const answers = await drive(service, { connections: SOAK_CONCURRENCY, amount }, SOAK_EXHAUSTIVE_EVERY)
    const residentMegabytes = memory.stop()
    const total = (rows.at(-1)?.searches ?? 0) + sortOut(answers).answered.length
    await sleep(SETTLE_MS)
    rows.push({ searches: total, ...(await inspect(service)), residentMegabytes })
    console.log(JSON.stringify(rows.at(-1)))
  }
  console.table(rows)
  judgeSoak(rows)
}

type SoakRow = { searches: number; residentMegabytes: number; processes: number }

/** Prints whether anything grew once the caches were full; a soak that failed ends the bench with status 1. */
function judgeSoak(rows: readonly SoakRow[]): void {
  const [filled, last] = [rows[SOAK_FILLED_STEP], rows.at(-1)]
  if (filled === undefined || last === undefined) return
  const grown = last.residentMegabytes / filled.residentMegabytes - 1
  const isFlat = grown <= SOAK_GROWTH_MAX && last.processes <= filled.processes
  console.log(
    `${isFlat ? 'Flat' : 'NOT flat'} from ${filled.searches} to ${last.searches} searches: ` +
      `${filled.residentMegabytes} to ${last.residentMegabytes} MB (${(grown * 100).toFixed(1)} %), ` +
      `${filled.processes} to ${last.processes} processes.`,
  )
  if (!isFlat) process.exitCode = 1
}

async function inspect(service: RunningService) {
  const samples = await service.scrape()
  const megabytes = (name: string) => Math.round((samples.get(name) ?? 0) / 2 ** 20)
  return {
    ...service.inspect(),
    heapMegabytes: megabytes('nodejs_heap_size_used_bytes'),
    externalMegabytes: megabytes('nodejs_external_memory_bytes'),
    openFiles: samples.get('process_open_fds') ?? 0,
    browserStarts: samples.get('verbatim_browser_starts_total') ?? 0,
  }
}

async function measure(service: RunningService, work: () => Promise<readonly Answered[]>) {
  const before = await service.scrape()
  const ownDelay = monitorEventLoopDelay({ resolution: 10 })
  ownDelay.enable()
  const health = watchHealth(service.url)
  const startedAt = performance.now()
  const { answered, refused } = sortOut(await work())
  const seconds = (performance.now() - startedAt) / 1_000
  const healthMs = await health.stop()
  ownDelay.disable()
  const samples = await service.scrape()
  const cpuSeconds = cpuOf(samples) - cpuOf(before)
  return {
    'answered/s': Math.round((answered.length / seconds) * 10) / 10,
    'p50 ms': rounded(answered, 0.5),
    'p95 ms': rounded(answered, 0.95),
    'p99 ms': rounded(answered, 0.99),
    'CPU ms each': Math.round((cpuSeconds * 1_000) / Math.max(1, answered.length)),
    'refused/s': Math.round((refused.length / seconds) * 10) / 10,
    'refused p99 ms': rounded(refused, 0.99),
    'health p99 ms': rounded(healthMs, 0.99),
    'event loop p99 ms': Math.round((samples.get('nodejs_eventloop_lag_p99_seconds') ?? 0) * 1_000),
    'load generator p99 ms': Math.round(ownDelay.percentile(99) / 1e6),
    'memory MB': service.inspect().residentMegabytes,
  }
}

/** Searches in the way `load` says, every question in turn. */
async function drive(
  service: RunningService,
  load: Load,
  exhaustiveEvery = Number.POSITIVE_INFINITY,
): Promise<Answered[]> {
  const { headers, bodies } = searchesOf(service, exhaustiveEvery)
  const requests = bodies.map((body) => ({ method: 'POST' as const, path: '/v1/search', headers, body }))
  const answers: Answered[] = []
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon({ url: service.url, timeout: 30, requests, ...load }, (error) =>
      error ? reject(new Error('the load tool failed', { cause: error })) : resolve(),
    )
    instance.on('response', (_client, status, _bytes, elapsedMs) => answers.push({ status, elapsedMs }))
  })
  return answers
}

function searchesOf({ url, headers }: RunningService, exhaustiveEvery = Number.POSITIVE_INFINITY) {
  const depth = (index: number) => ((index + 1) % exhaustiveEvery === 0 ? 'exhaustive' : 'balanced')
  const bodies = readQuestions().map((query, index) =>
    JSON.stringify({ query, num_results: 5, search_depth: depth(index) }),
  )
  return { url: `${url}/v1/search`, headers, bodies }
}

/** Latencies in milliseconds of the answered and of the refused; says what was neither. */
function sortOut(answers: readonly Answered[]): { answered: number[]; refused: number[] } {
  const latenciesOf = (wanted: number) =>
    answers.flatMap(({ status, elapsedMs }) => (status === wanted ? [elapsedMs] : []))
  const others = answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 429)
  if (others.length > 0) console.log(`Neither 200 nor 429: ${others.join(', ')}`)
  return { answered: latenciesOf(200), refused: latenciesOf(429) }
}

/**
 * Lets whoever measures run before the service on the cores they share, as if it had its own machine: otherwise its
 * waiting for a core would count as the service's. Only root may; says whether it could.
 */
function takePrecedence(): boolean {
  try {
    setPriority(GENERATOR_NICENESS)
    return true
  } catch {
    return false
  }
}

/** The median of a second-by-second look: one look depends on how long ago garbage was collected. */
function watchMemory(service: RunningService) {
  const megabytes: number[] = []
  const timer = setInterval(() => megabytes.push(service.inspect().residentMegabytes), 1_000)
  return {
    stop(): number {
      clearInterval(timer)
      return quantile(megabytes, 0.5)
    },
  }
}

async function modelsUsed(service: RunningService): Promise<string> {
  const samples = [...(await service.scrape())]
  const names = samples.flatMap(
    ([series]) => /^verbatim_model_searches_total\{.*model="([^"]+)"/u.exec(series)?.[1] ?? [],
  )
  return [...new Set(names)].join(', ')
}

const rounded = (values: readonly number[], share: number): number => Math.round(quantile(values, share))

/** Processor time of the service on all its threads; the browser is not in it. */
const cpuOf = (samples: ReadonlyMap<string, number>): number => samples.get('process_cpu_seconds_total') ?? 0
