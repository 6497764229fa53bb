// The thread relevance is judged on: the first stage reads every passage of a request there, and the learned relevance
// makes probabilities of what is known, which takes too long for the serving thread.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { yieldToServing } from '../../concurrency/start-worker.ts'
import type { WorkerReply } from '../../concurrency/worker-pool.ts'
import { loadWordPiece } from '../models/word-piece.ts'
import type { ScoredPassage } from '../passage.ts'
import { readStaticModel } from '../static/static-model.ts'
import type { FeatureTable } from './feature-table.ts'
import { createFirstStage } from './first-stage.ts'
import type { ErrorPromise } from './relevance-model.ts'
import { createJudges, FIRST_STAGE, judgesSchema } from './judges.ts'

export type RelevanceTask =
  | { kind: 'read'; query: string; passages: readonly ScoredPassage[] }
  | { kind: 'judge'; stage: string; table: FeatureTable; pages: Int32Array }

/** `read` gives the table and what the first stage alone makes of it; `judge` the probabilities of a later stage. */
export interface RelevanceResult {
  table: FeatureTable
  /** 0..1, aligned with the passages. */
  relevance: Float64Array<ArrayBuffer>
  /** Names the fit that made them. */
  version: string
  promises: readonly ErrorPromise[]
}

/** Some five thousand passages, as of three hundred pages: about as many as are kept read. */
const MEMORY_BYTES = 32 * 1024 * 1024

const optionsSchema = z.object({ bundledDirectory: z.string(), judges: judgesSchema })
export type RelevanceWorkerOptions = z.input<typeof optionsSchema>

yieldToServing()
const port = parentPort
if (!port) throw new Error('This module runs as a worker thread.')
const options = optionsSchema.parse(workerData)
const [onnxFile, tokenizerJson] = await Promise.all([
  readFile(join(options.bundledDirectory, 'onnx', 'model_quantized.onnx')),
  readFile(join(options.bundledDirectory, 'tokenizer.json'), 'utf8'),
])
const firstStage = createFirstStage({
  model: readStaticModel(onnxFile),
  wordPiece: loadWordPiece(JSON.parse(tokenizerJson)),
  memoryBytes: MEMORY_BYTES,
})
const judges = createJudges(options.judges)

function judge(stage: string, table: FeatureTable, pages: Int32Array): RelevanceResult {
  return {
    table,
    relevance: judges.judge(stage, table, pages),
    version: judges.versionOf(stage),
    promises: judges.promisesOf(stage),
  }
}

function perform(task: RelevanceTask): RelevanceResult {
  if (task.kind === 'judge') return judge(task.stage, task.table, task.pages)
  const pages = Int32Array.from(task.passages, ({ page }) => page)
  return judge(FIRST_STAGE, firstStage.readPool(task.query, task.passages), pages)
}

port.on('message', ({ id, task }: { id: number; task: RelevanceTask }) => {
  let reply: WorkerReply<RelevanceResult>
  try {
    reply = { id, result: perform(task) }
  } catch (error) {
    reply = { id, failure: error instanceof Error ? error.message : String(error) }
  }
  const moved = 'result' in reply ? [reply.result.table.values.buffer, reply.result.relevance.buffer] : []
  port.postMessage(reply, moved)
})
port.postMessage({ ready: true } satisfies WorkerReply<RelevanceResult>)
