// The thread the first stage runs on: it reads every passage of a request, which takes too long for the serving thread.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { loadCalibration } from './calibration.ts'
import { createFirstStage } from './first-stage.ts'
import { readStaticModel } from '../static/static-model.ts'
import { loadWordPiece } from '../models/word-piece.ts'
import { yieldToServing } from '../../concurrency/start-worker.ts'
import type { WorkerReply } from '../../concurrency/worker-pool.ts'

export interface FirstStageTask {
  query: string
  passages: readonly { text: string; heading: string }[]
}

/** Log odds of relevance, aligned with the task's passages. */
export type FirstStageResult = Float64Array<ArrayBuffer>

/** Some five thousand passages, as of three hundred pages: about as many as are kept read. */
const MEMORY_BYTES = 32 * 1024 * 1024

const optionsSchema = z.object({ bundledDirectory: z.string(), calibration: z.unknown() })
export type FirstStageWorkerOptions = z.infer<typeof optionsSchema>

yieldToServing()
const port = parentPort
if (!port) throw new Error('This module runs as a worker thread.')
const { bundledDirectory, calibration } = optionsSchema.parse(workerData)
const [onnxFile, tokenizerJson] = await Promise.all([
  readFile(join(bundledDirectory, 'onnx', 'model_quantized.onnx')),
  readFile(join(bundledDirectory, 'tokenizer.json'), 'utf8'),
])
const firstStage = createFirstStage({
  model: readStaticModel(onnxFile),
  wordPiece: loadWordPiece(JSON.parse(tokenizerJson)),
  calibration: loadCalibration(calibration),
  memoryBytes: MEMORY_BYTES,
})

port.on('message', ({ id, task }: { id: number; task: FirstStageTask }) => {
  let reply: WorkerReply<FirstStageResult>
  try {
    reply = { id, result: Float64Array.from(firstStage.score(task.query, task.passages).logit) }
  } catch (error) {
    reply = { id, failure: error instanceof Error ? error.message : String(error) }
  }
  port.postMessage(reply, 'result' in reply ? [reply.result.buffer] : [])
})
port.postMessage({ ready: true } satisfies WorkerReply<FirstStageResult>)
