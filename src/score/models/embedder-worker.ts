// The thread the transformers run on: loads each model when it first meets it and answers one task after the other.
import { parentPort } from 'node:worker_threads'
import { threadProcessorMs } from './network/processor-time.ts'
import { loadTransformer, type ModelLocation, type RelatedText, type Transformer } from './transformer.ts'
import { yieldToServing } from '../../concurrency/worker-thread.ts'
import type { WorkerReply } from '../../concurrency/worker-pool.ts'

export type EmbedderTask =
  | { kind: 'load'; model: ModelLocation }
  | { kind: 'relate' | 'rank'; model: ModelLocation; query: string; passages: readonly RelatedText[] }

/** An ordinary passage, to see how long one takes. */
const PROBE: RelatedText = {
  context: 'Keys',
  text: 'Whoever wants to take a key back deletes it in the dashboard or names it on the command line. '.repeat(
    5,
  ),
}
/** One that nothing else held up is among so many, or the model is so slow that it does not matter. */
const PROBES_MAX = 12
const PROBING_MS = 300
/** After so many that took as long as the quickest, give or take the share, nothing holds them up. */
const ALIKE_PROBES = 3
const ALIKE_SHARE = 0.1

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

/** What a model's pace is told by: a GPU's work is not booked to the thread that waits for it. */
const clockOf = ({ device }: ModelLocation): (() => number) =>
  device === 'cpu' && threadProcessorMs() !== null ? () => threadProcessorMs() ?? 0 : () => performance.now()

/**
 * Milliseconds that the model takes for a passage on this thread, while the others do the same. Of work and not of waiting: a
 * service that was started beside other programs would read less for as long as it lives.
 */
async function paceOf(model: Transformer, location: ModelLocation): Promise<number> {
  const now = clockOf(location)
  const begun = performance.now()
  const paces: number[] = []
  const best = (): number => Math.min(...paces)
  const areAlike = (): boolean =>
    paces.filter((pace) => pace <= best() * (1 + ALIKE_SHARE)).length >= ALIKE_PROBES
  while (paces.length < PROBES_MAX && performance.now() - begun < PROBING_MS && !areAlike()) {
    const start = now()
    if (location.spec.kind === 'cross-encoder') await model.rank('how do I take a key back?', [PROBE])
    else await model.readPassages([PROBE])
    paces.push(now() - start)
  }
  return best()
}

async function perform(task: EmbedderTask): Promise<Float32Array<ArrayBuffer>> {
  const model = await modelFor(task.model)
  if (task.kind === 'relate') return model.relate(task.query, task.passages)
  if (task.kind === 'rank') return model.rank(task.query, task.passages)
  return Float32Array.of(await paceOf(model, task.model))
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
  port?.postMessage(reply, 'result' in reply ? [reply.result.buffer] : [])
}

port.on('message', ({ id, task }: { id: number; task: EmbedderTask }) => {
  turn = turn.then(() => answer(id, task))
})
port.postMessage({ ready: true } satisfies WorkerReply<Float32Array<ArrayBuffer>>)
