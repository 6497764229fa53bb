// The thread the transformers run on: loads each model when it first meets it and answers one task after the other.
import { parentPort } from 'node:worker_threads'
import { loadTransformer, type ModelLocation, type RelatedText, type Transformer } from './transformer.ts'
import { yieldToServing } from '../../concurrency/start-worker.ts'
import type { WorkerReply } from '../../concurrency/worker-pool.ts'

export type EmbedderTask =
  | { kind: 'load'; model: ModelLocation }
  | { kind: 'relate'; model: ModelLocation; query: string; passages: readonly RelatedText[] }
  | { kind: 'rank'; model: ModelLocation; query: string; texts: readonly string[] }

const NOTHING = new Float32Array(0)
const models = new Map<string, Promise<Transformer>>()

function modelFor(location: ModelLocation): Promise<Transformer> {
  const key = `${location.device}:${location.directory}`
  const known = models.get(key)
  if (known) return known
  const loading = loadTransformer(location)
  models.set(key, loading)
  // A failure is not kept: the files may have been mended when the model is asked for again.
  loading.catch(() => models.delete(key))
  return loading
}

async function perform(task: EmbedderTask): Promise<Float32Array<ArrayBuffer>> {
  const model = await modelFor(task.model)
  if (task.kind === 'relate') return model.relate(task.query, task.passages)
  if (task.kind === 'rank') return model.rank(task.query, task.texts)
  return NOTHING
}

yieldToServing()
const port = parentPort
if (!port) throw new Error('This module runs as a worker thread.')

// One at a time: two sessions running by turns on one thread only push each other out of the cache.
let turn: Promise<void> = Promise.resolve()

async function answer(id: number, task: EmbedderTask): Promise<void> {
  let reply: WorkerReply<Float32Array<ArrayBuffer>>
  try {
    reply = { id, result: await perform(task) }
  } catch (error) {
    reply = { id, failure: error instanceof Error ? error.message : String(error) }
  }
  port?.postMessage(reply, 'result' in reply && reply.result !== NOTHING ? [reply.result.buffer] : [])
}

port.on('message', ({ id, task }: { id: number; task: EmbedderTask }) => {
  turn = turn.then(() => answer(id, task))
})
port.postMessage({ ready: true } satisfies WorkerReply<Float32Array<ArrayBuffer>>)
