// The thread relevance is judged on: the first stage reads every passage of a request there, and the learned relevance
// makes probabilities of what is known, which takes too long for the serving thread. Between two slices of a long piece
// of work it hears whether anybody still waits for it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { serveTasks } from '../../concurrency/serve-tasks.ts'
import { yieldToServing } from '../../concurrency/worker-thread.ts'
import { loadWordPiece } from '../models/word-piece.ts'
import type { ScoredPassage } from '../passage.ts'
import { readStaticModel } from '../static/static-model.ts'
import { inSlices, type Steps } from '../steps.ts'
import type { FeatureTable } from './feature-table.ts'
import { createFirstStage } from './first-stage.ts'
import type { ErrorPromise } from './relevance-model.ts'
import { loadHighlightMap } from './highlight-map.ts'
import { createJudges, FIRST_STAGE, judgesSchema } from './judges.ts'
import { readParts, type PassageToHighlight } from './part-features.ts'

export type RelevanceTask =
  | { kind: 'read'; query: string; passages: readonly ScoredPassage[]; areTexts: boolean }
  | { kind: 'judge'; stage: string; table: FeatureTable; pages: Int32Array }
  | { kind: 'highlight'; query: string; passages: readonly PassageToHighlight[] }

/** `read` gives the table and what the first stage alone makes of it; `judge` the probabilities of a later stage. */
export interface RelevanceResult {
  table: FeatureTable
  /** 0..1, aligned with the passages. */
  relevance: Float64Array<ArrayBuffer>
  /** Names the fit that made them. */
  version: string
  promises: readonly ErrorPromise[]
}

/** To `highlight`: how likely each part of each passage answers, 0..1, passage after passage. */
export type RelevanceReply =
  | { kind: 'judged'; result: RelevanceResult }
  | { kind: 'highlighted'; probabilities: Float64Array<ArrayBuffer> }

/** Some five thousand passages, as of three hundred pages: about as many as are kept read. */
const MEMORY_BYTES = 32 * 1024 * 1024

const optionsSchema = z.object({
  bundledDirectory: z.string(),
  judges: judgesSchema,
  highlights: z.unknown(),
})
export type RelevanceWorkerOptions = z.input<typeof optionsSchema>

/** In a function, so that the files themselves, twelve megabytes, are let go of. */
async function loadFirstStage(directory: string) {
  const [onnxFile, tokenizerJson] = await Promise.all([
    readFile(join(directory, 'onnx', 'model_quantized.onnx')),
    readFile(join(directory, 'tokenizer.json'), 'utf8'),
  ])
  return createFirstStage({
    model: readStaticModel(onnxFile),
    wordPiece: loadWordPiece(JSON.parse(tokenizerJson)),
    memoryBytes: MEMORY_BYTES,
  })
}

function loadFits() {
  const { bundledDirectory, judges, highlights } = optionsSchema.parse(workerData)
  return { bundledDirectory, judges: createJudges(judges), sharesOf: loadHighlightMap(highlights) }
}

yieldToServing()
const { bundledDirectory, judges, sharesOf } = loadFits()
const firstStage = await loadFirstStage(bundledDirectory)

function* judge(stage: string, table: FeatureTable, pages: Int32Array): Steps<RelevanceReply> {
  const result: RelevanceResult = {
    table,
    relevance: yield* judges.judge(stage, table, pages),
    version: judges.versionOf(stage),
    promises: judges.promisesOf(stage),
  }
  return { kind: 'judged', result }
}

function* read({
  query,
  passages,
  areTexts,
}: Extract<RelevanceTask, { kind: 'read' }>): Steps<RelevanceReply> {
  const pages = Int32Array.from(passages, ({ page }) => page)
  const table = yield* firstStage.readPoolInSteps(query, passages, areTexts)
  return yield* judge(FIRST_STAGE, table, pages)
}

function highlight(
  query: string,
  passages: readonly PassageToHighlight[],
): Extract<RelevanceReply, { kind: 'highlighted' }> {
  const values = readParts(firstStage, query, passages)
  const probabilities: number[] = []
  for (const { passage, relevance } of passages) {
    const shares = sharesOf(values, probabilities.length, passage.parts?.length ?? 0)
    for (const share of shares) probabilities.push(share * relevance)
  }
  return { kind: 'highlighted', probabilities: Float64Array.from(probabilities) }
}

async function perform(task: RelevanceTask, signal: AbortSignal): Promise<RelevanceReply> {
  if (task.kind === 'highlight') return highlight(task.query, task.passages)
  if (task.kind === 'judge') return inSlices(judge(task.stage, task.table, task.pages), signal)
  return inSlices(read(task), signal)
}

serveTasks(perform)
