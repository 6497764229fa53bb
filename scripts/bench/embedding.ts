// Measures the embedder against the naive call of the same library, side by side: passages a second, and how
// long the serving thread is kept from its work. Uses the installed MiniLM; without it, models of exactly its shape
// with random weights, whose speed is the same.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { env, pipeline } from '@xenova/transformers'
import { openEmbedder } from '../../src/score/models/embedder.ts'
import type { ModelLocation } from '../../src/score/models/transformer.ts'
import { loadWordPiece } from '../../src/score/models/word-piece.ts'
import { provideMiniLm } from './minilm.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PASSAGES = 96
/** Characters of a passage; about 95 tokens of English prose. */
const PASSAGE_CHARACTERS = 430
/** It is measured over this many rounds of different passages, so that its cache cannot help. */
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

async function measureEmbedder(model: ModelLocation, rounds: string[][]): Promise<EmbeddingMeasurement> {
  const workers = availableParallelism()
  const embedder = await openEmbedder({ workers, queueLimit: 10_000, cacheBytes: 64_000_000 })
  const signal = new AbortController().signal
  await embedder.load(model, signal)
  const ask = (round: string[]) => {
    const passages = round.map((text) => ({ context: '', text }))
    return embedder.relate(model, 'How do I revoke an API key?', passages, Number.POSITIVE_INFINITY, signal)
  }
  const design = `ours, int8, ${workers} workers; cosine, best sentence and MaxSim`
  const measurement = await measure(design, rounds.flat().length, () => Promise.all(rounds.map(ask)))
  await embedder.close()
  return measurement
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
    const own = await measureEmbedder({ id, directory, device: 'cpu', spec }, rounds)
    const measurements = [own, await measureNaive(directory, 'q8', first)]
    // The full-precision file is there only with random weights, and on hosts with a GPU.
    if (!isReal) measurements.push(await measureNaive(directory, 'fp32', first))
    return {
      model: isReal ? id : `the shape of ${id} with random weights (the real one is not installed)`,
      meanTokens: tokens / first.length,
      measurements,
    }
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/** The measurements as a Markdown table. */
function formatBench({ model, meanTokens, measurements }: EmbeddingBench): string {
  const rows = measurements.map((row) => {
    const figures = [row.passagesPerSecond, row.delayP99Ms, row.delayMaxMs, row.gainedMegabytes]
    return `| ${row.design} | ${figures.map((figure) => figure.toFixed(0)).join(' | ')} |`
  })
  return [
    `Model: ${model}. Passages of ${meanTokens.toFixed(0)} tokens on average.`,
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
