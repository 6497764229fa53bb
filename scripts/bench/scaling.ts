// `npm run bench -- scaling [--cpu SECONDS]`: what 10, 1,000 and 100,000 searches a second need. One replica is simulated,
// searches of strangers arriving at it, from the measured cost of a search; everything else is arithmetic from there.
import { quantile } from './quantile.ts'

export interface ReplicaModel {
  /** Processor time of a search, in seconds; of a single one, it varies as an exponential does. */
  cpuSeconds: number
  /** Of engine and sites, in seconds. */
  distanceSeconds: number
  cores: number
  /** Searches under way at once (SEARCH_CONCURRENCY). */
  slots: number
}

const RATES = [10, 1_000, 100_000]
/** One in twenty searches may take this many times as long as one alone does on average. */
const SLOWER = 2
/** Of its cores' time at most: strangers come in crowds that no Poisson process knows. */
const SHARE_MAX = 0.7
const SEARCHES = 20_000
/** Pages of a search, and their bytes: on the wire, and compressed in Redis. */
const PAGES = 5
const PAGE_BYTES = 60_000
const KEPT_BYTES = 15_000
/** Dollars for an hour of one virtual core (2026-11, AWS c5 on demand, us-east-1). */
const CORE_HOUR_DOLLARS = 0.0425

/** The same numbers between 0 and 1 at every run (Park and Miller, 1988). */
function createRandom(): () => number {
  let seed = 20_261_123
  return () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
}

/** Seconds from arrival to answer of searches that arrive at `rate` a second, as a Poisson process. */
export function simulateReplica(model: ReplicaModel, rate: number, searches = SEARCHES): number[] {
  const random = createRandom()
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  const slots = Array.from({ length: model.slots }, () => 0)
  const cores = Array.from({ length: model.cores }, () => 0)
  let now = 0
  return Array.from({ length: searches }, () => {
    now += exponential(1 / rate)
    const slot = earliest(slots)
    const start = Math.max(now, slots[slot] ?? 0)
    // Its pages are read and scored side by side: as many parts as pages, each on the core that is free first.
    const ends = Array.from({ length: PAGES }, () => {
      const core = earliest(cores)
      const begun = Math.max(start + model.distanceSeconds, cores[core] ?? 0)
      return (cores[core] = begun + exponential(model.cpuSeconds / PAGES))
    })
    slots[slot] = Math.max(...ends)
    return (slots[slot] ?? 0) - now
  })
}

/** Index of the smallest. */
const earliest = (times: readonly number[]): number => times.indexOf(Math.min(...times))

/** The most searches a second at which no more than one in twenty takes `SLOWER` times as long as one alone. */
export function bestRate(model: ReplicaModel): number {
  const alone = simulateReplica(model, 0.001, 2_000)
  const limit = (SLOWER * alone.reduce((sum, seconds) => sum + seconds, 0)) / alone.length
  let [low, high] = [0, (SHARE_MAX * model.cores) / model.cpuSeconds]
  for (let step = 0; step < 12; step += 1) {
    const rate = (low + high) / 2
    if (quantile(simulateReplica(model, rate), 0.95) <= limit) low = rate
    else high = rate
  }
  return low
}

/** Prints what each rate needs, from the processor time of a search in seconds. */
export function benchScaling(cpuSeconds: number): void {
  const [cores, distanceSeconds] = [4, 0.35]
  // As many at once as keep the cores busy while others wait for their pages.
  const slots = Math.ceil(cores * (1 + distanceSeconds / cpuSeconds) * 2)
  const rate = bestRate({ cpuSeconds, distanceSeconds, cores, slots })
  const used = (rate * cpuSeconds) / cores
  console.log(
    `a replica of ${cores} cores, ${cpuSeconds} s of processor time a search: ${rate.toFixed(1)} searches a second ` +
      `(${Math.round(used * 100)} % of its cores), SEARCH_CONCURRENCY ${slots}`,
  )
  const dollars = ((cpuSeconds / used) * CORE_HOUR_DOLLARS * 1_000) / 3_600
  console.log(`machines for 1,000 searches, without spares: $${dollars.toFixed(4)}`)
  for (const total of RATES) console.log(JSON.stringify(needsAt(total, rate)))
}

function needsAt(total: number, perReplica: number) {
  const replicas = Math.ceil(total / perReplica)
  return {
    'searches a second': total,
    'replicas, a tenth and at least one spare': replicas + Math.max(1, Math.ceil(replicas / 10)),
    'from sites, Gbit/s': (total * PAGES * PAGE_BYTES * 8) / 1e9,
    'Redis, operations a second': total * (1 + 2 * PAGES),
    'Redis, Gbit/s': (total * 2 * PAGES * KEPT_BYTES * 8) / 1e9,
    'engine, questions a day': total * 86_400,
  }
}
