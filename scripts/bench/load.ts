// Drives a running service over loopback: how many searches a second, how slow, how much memory; what overload does
// to those inside, those refused and /health; and whether anything grows over thousands of searches.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import autocannon from 'autocannon'
import { readQuestions, startLoopbackWeb } from './loopback-web.ts'
import { describeMachine, startCompiledService, type RunningService } from './running-service.ts'

/** A search engine and sites as far away as they are on a good day. */
const WEB = { engineDelayMs: 200, pageDelayMs: 150 } as const
const CONCURRENCIES = [1, 8, 32, 128]
const SECONDS = 20
const WARM_UP_SEARCHES = 40
const OVERLOAD = 5
const OVERLOAD_CONNECTIONS = 200
const HEALTH_EVERY_MS = 50
const SOAK_CONCURRENCY = 8
const SOAK_STEPS = 5
/** Of the searches of a soak, one in so many is exhaustive, so that the browser works too. */
const SOAK_EXHAUSTIVE_EVERY = 20

type Load = Omit<autocannon.Options, 'url'>

export async function benchLoad({ soak }: { soak: number | null }): Promise<void> {
  const web = await startLoopbackWeb(WEB)
  const service = await startCompiledService({ SEARXNG_URL: web.engineUrl })
  try {
    console.log(describeMachine())
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
    rows.push({
      load: `${connections} at once`,
      ...(await measure(service, { connections, duration: SECONDS })),
    })
  }
  const best = Math.max(...rows.map((row) => row['answered/s']))
  const overload = {
    connections: OVERLOAD_CONNECTIONS,
    duration: SECONDS,
    overallRate: Math.max(OVERLOAD_CONNECTIONS, Math.round(best * OVERLOAD)),
    ignoreCoordinatedOmission: true,
  }
  rows.push({
    load: `${overload.overallRate} offered/s`,
    ...(await measure(service, overload)),
  })
  console.table(rows)
  console.log('Event loop: 10 ms is idle, the resolution of the measurement.')
}

/** Memory and processes along the way: after the warm-up they may rise once, and must then stay. */
async function measureSoak(service: RunningService, searches: number): Promise<void> {
  const rows = [{ searches: WARM_UP_SEARCHES, ...(await inspect(service)) }]
  for (let step = 1; step <= SOAK_STEPS; step += 1) {
    const amount = Math.ceil(searches / SOAK_STEPS)
    const { answered, otherStatuses } = await drive(
      service,
      { connections: SOAK_CONCURRENCY, amount },
      SOAK_EXHAUSTIVE_EVERY,
    )
    if (otherStatuses.size > 0) console.log('Not answered:', Object.fromEntries(otherStatuses))
    rows.push({ searches: (rows.at(-1)?.searches ?? 0) + answered.length, ...(await inspect(service)) })
    console.log(JSON.stringify(rows.at(-1)))
  }
  console.table(rows)
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

async function measure(service: RunningService, load: Load) {
  const before = await service.scrape()
  const ownDelay = monitorEventLoopDelay({ resolution: 10 })
  ownDelay.enable()
  const health = watchHealth(service)
  const startedAt = performance.now()
  const { answered, refused, otherStatuses } = await drive(service, load)
  const seconds = (performance.now() - startedAt) / 1_000
  const healthMs = await health.stop()
  ownDelay.disable()
  const samples = await service.scrape()
  const cpuSeconds = cpuOf(samples) - cpuOf(before)
  if (otherStatuses.size > 0) console.log('Neither 200 nor 429:', Object.fromEntries(otherStatuses))
  return {
    'answered/s': Math.round((answered.length / seconds) * 10) / 10,
    'p50 ms': quantile(answered, 0.5),
    'p95 ms': quantile(answered, 0.95),
    'p99 ms': quantile(answered, 0.99),
    'CPU ms each': Math.round((cpuSeconds * 1_000) / Math.max(1, answered.length)),
    'refused/s': Math.round((refused.length / seconds) * 10) / 10,
    'refused p99 ms': quantile(refused, 0.99),
    'health p99 ms': quantile(healthMs, 0.99),
    'event loop p99 ms': Math.round((samples.get('nodejs_eventloop_lag_p99_seconds') ?? 0) * 1_000),
    'load generator p99 ms': Math.round(ownDelay.percentile(99) / 1e6),
    'memory MB': service.inspect().residentMegabytes,
  }
}

/** Searches in the way `load` says, every question in turn; latencies in milliseconds by how they ended. */
async function drive(service: RunningService, load: Load, exhaustiveEvery = Number.POSITIVE_INFINITY) {
  const requests = readQuestions().map((query, index) => ({
    method: 'POST' as const,
    path: '/v1/search',
    headers: service.headers,
    body: JSON.stringify({
      query,
      num_results: 5,
      search_depth: (index + 1) % exhaustiveEvery === 0 ? 'exhaustive' : 'balanced',
    }),
  }))
  const answered: number[] = []
  const refused: number[] = []
  const otherStatuses = new Map<number, number>()
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon({ url: service.url, timeout: 30, requests, ...load }, (error) =>
      error ? reject(new Error('the load tool failed', { cause: error })) : resolve(),
    )
    instance.on('response', (_client, status, _bytes, elapsedMs) => {
      if (status === 200) answered.push(elapsedMs)
      else if (status === 429) refused.push(elapsedMs)
      else otherStatuses.set(status, (otherStatuses.get(status) ?? 0) + 1)
    })
  })
  return { answered, refused, otherStatuses }
}

/** Asks /health at a steady pace, as a balancer would. */
function watchHealth(service: RunningService) {
  const elapsedMs: number[] = []
  const end = new AbortController()
  const watching = (async () => {
    while (!end.signal.aborted) {
      const startedAt = performance.now()
      await (await fetch(`${service.url}/health`)).text()
      elapsedMs.push(performance.now() - startedAt)
      await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS))
    }
  })()
  return {
    async stop(): Promise<readonly number[]> {
      end.abort()
      await watching
      return elapsedMs
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

/** Processor time of the service on all its threads; the browser is not in it. */
const cpuOf = (samples: ReadonlyMap<string, number>): number => samples.get('process_cpu_seconds_total') ?? 0

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0)
}
