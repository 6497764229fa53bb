// Measures the embedding engine against the naive call of the same library, side by side: passages a second, and how
// long the serving thread is kept from its work. Uses the installed MiniLM; without it, models of exactly its shape
// with random weights, whose speed is the same.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { env, pipeline } from '@xenova/transformers'
import { openEmbedder, type Embedder } from '../../src/score/models/embedder.ts'
import type { ModelLocation } from '../../src/score/models/transformer.ts'
import { loadWordPiece } from '../../src/score/models/word-piece.ts'
import { provideMiniLm } from './minilm.ts'
import { quantile } from './quantile.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PASSAGES = 96
/** Characters of a passage; about 95 tokens of English prose. */
const PASSAGE_CHARACTERS = 430
/** The engine is measured over this many rounds of different passages, so that its cache cannot help. */
const ROUNDS = 4
interface EmbeddingMeasurement {
  design: string
  passagesPerSecond: number
  /** Delay of the serving thread's event loop, milliseconds. */
  delayP99Ms: number
  delayMaxMs: number
  /** Memory the process gained while it ran. */
  gainedMegabytes: number
}

interface EmbeddingBench {
  /** `all-MiniLM-L6-v2`, or that its shape was filled with random weights. */
  model: string
  meanTokens: number
  /** Median time of a query that meets full workers. */
  queryMs: number
  measurements: EmbeddingMeasurement[]
}

/** Prose of the repository's own documentation in pieces of equal length, `rounds` sets of them, all different. */
async function readPassages(rounds: number): Promise<string[][]> {
  const names = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md')).toSorted()
  const pages = await Promise.all(names.map((name) => readFile(join(ROOT, 'docs', name), 'utf8')))
  const text = pages.join('\n').replace(/\s+/gu, ' ')
  const step = Math.max(1, Math.floor((text.length - PASSAGE_CHARACTERS) / (PASSAGES * rounds)))
  const all = Array.from({ length: PASSAGES * rounds }, (_, index) => {
    // Lengths from half to one and a half, as on real pages: equal ones would hide what padding costs.
    const length = Math.round(PASSAGE_CHARACTERS * (0.5 + ((index * 37) % 101) / 100))
    return text.slice(index * step, index * step + length)
  })
  // Every round gets a sample of the whole text.
  return Array.from({ length: rounds }, (_, round) =>
    all.filter((_passage, index) => index % rounds === round),
  )
}

async function measure(
  design: string,
  passages: number,
  work: () => Promise<unknown>,
): Promise<EmbeddingMeasurement> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const residentBefore = process.memoryUsage.rss()
  delay.enable()
  const startedAt = performance.now()
  await work()
  const seconds = (performance.now() - startedAt) / 1_000
  const residentAfter = process.memoryUsage.rss()
  // The delay of a loop that was blocked to the end is recorded only when the loop turns again.
  await setTimeout(20)
  delay.disable()
  return {
    design,
    passagesPerSecond: passages / seconds,
    // The timer itself fires once a millisecond; what is above that is delay.
    delayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 1),
    delayMaxMs: Math.max(0, delay.max / 1e6 - 1),
    gainedMegabytes: (residentAfter - residentBefore) / 1e6,
  }
}

/** Milliseconds a query takes while the workers are full of passages: the median of twenty. */
async function measureQuery(embedder: Embedder, model: ModelLocation, signal: AbortSignal): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < 20; count++) {
    const startedAt = performance.now()
    const options = { isUrgent: true, deadlineMs: Number.POSITIVE_INFINITY }
    await embedder.embed(model, [`How do I revoke API key number ${count}?`], options, signal)
    times.push(performance.now() - startedAt)
  }
  return quantile(times, 0.5)
}

async function measureEngine(model: ModelLocation, rounds: string[][]) {
  const workers = availableParallelism()
  const embedder = await openEmbedder({ workers, queueLimit: 10_000, cacheBytes: 64_000_000 })
  const signal = new AbortController().signal
  const options = { isUrgent: false, deadlineMs: Number.POSITIVE_INFINITY }
  await embedder.load(model, signal)
  let queryMs = Number.NaN
  const measurement = await measure(`engine, int8, ${workers} workers`, rounds.flat().length, async () => {
    const passages = Promise.all(rounds.map((round) => embedder.embed(model, round, options, signal)))
    queryMs = await measureQuery(embedder, model, signal)
    await passages
  })
  await embedder.close()
  return { measurement, queryMs }
}

async function measureNaive(
  directory: string,
  dtype: 'fp32' | 'q8',
  passages: string[],
): Promise<EmbeddingMeasurement> {
  const extract = await pipeline('feature-extraction', directory, { dtype, local_files_only: true })
  await extract('warm up', { pooling: 'mean', normalize: true })
  const result = await measure(`transformers.js, ${dtype}, all passages in one call`, passages.length, () =>
    extract(passages, { pooling: 'mean', normalize: true }),
  )
  await extract.dispose()
  return result
}

async function benchModel(layers: 6 | 12, modelDirectory: string): Promise<EmbeddingBench> {
  const id = `all-MiniLM-L${layers}-v2`
  const scratch = await mkdtemp(join(tmpdir(), 'verbatim-bench-'))
  try {
    const { spec, directory, isReal } = await provideMiniLm(id, layers, modelDirectory, scratch)
    const rounds = await readPassages(ROUNDS)
    const first = rounds[0] ?? []
    const wordPiece = loadWordPiece(JSON.parse(await readFile(join(directory, 'tokenizer.json'), 'utf8')))
    const tokens = first.reduce((sum, passage) => sum + wordPiece.encode(passage, 512).length, 0)
    const engine = await measureEngine({ id, directory, device: 'cpu', spec }, rounds)
    const measurements = [engine.measurement, await measureNaive(directory, 'q8', first)]
    // The full-precision file is there only with random weights, and on hosts with a GPU.
    if (!isReal) measurements.push(await measureNaive(directory, 'fp32', first))
    return {
      model: isReal ? id : `the shape of ${id} with random weights (the real one is not installed)`,
      meanTokens: tokens / first.length,
      queryMs: engine.queryMs,
      measurements,
    }
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/** The measurements as a Markdown table. */
function formatBench({ model, meanTokens, queryMs, measurements }: EmbeddingBench): string {
  const rows = measurements.map((row) => {
    const figures = [row.passagesPerSecond, row.delayP99Ms, row.delayMaxMs, row.gainedMegabytes]
    return `| ${row.design} | ${figures.map((figure) => figure.toFixed(0)).join(' | ')} |`
  })
  return [
    `Model: ${model}. Passages of ${meanTokens.toFixed(0)} tokens on average.`,
    `A query while the engine is full of passages: ${queryMs.toFixed(1)} ms (median).`,
    '',
    '| design | passages/s | event-loop delay p99 ms | longest ms | memory gained MB |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** Prints a table for each MiniLM. `modelDirectory` is MODEL_DIR. Takes about a minute on two cores. */
export async function benchEmbedding(modelDirectory: string): Promise<void> {
  env.allowRemoteModels = false
  for (const layers of [6, 12] as const) console.log(formatBench(await benchModel(layers, modelDirectory)))
}
