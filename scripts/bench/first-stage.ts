// How many passages a second the first stage reads on one core, and where the time goes.
import { readFileSync } from 'node:fs'
import { createFirstStage } from '../../src/score/relevance/first-stage.ts'
import { readStaticModel } from '../../src/score/static/static-model.ts'
import { loadWordPiece } from '../../src/score/models/word-piece.ts'
import { plainPassages } from '../eval/ranking.ts'
import { documentationQueries } from '../eval/evaluation-set.ts'
import { quantile } from './quantile.ts'

const PASSAGES = 2_000
/** Sentences are added until a passage has this many tokens; the last one carries it to about 80. */
const TOKENS_LEAST = 58
const ROUNDS = 7
/** A service is warm after its first requests; compilers need about as many passages. */
const WARM_UP_ROUNDS = 3

export interface FirstStageRow {
  passagesPerRequest: number
  tokensPerPassage: number
  /** Median of the rounds, another query in each. */
  passagesPerSecond: number
}

/** Passages of about 80 tokens, made of the documentation's sentences; no two are the same. */
function passagesOf(
  sentences: readonly string[],
  count: number,
  tokensOf: (text: string) => number,
): string[] {
  return Array.from({ length: count }, (_, passage) => {
    const chosen: string[] = []
    for (let turn = 0, tokens = 0; tokens < TOKENS_LEAST; turn++) {
      const sentence = sentences[(passage * 7 + turn * (1 + (passage % 13))) % sentences.length] ?? ''
      chosen.push(sentence)
      tokens += tokensOf(sentence)
    }
    return chosen.join(' ')
  })
}

/** Prints and returns one row for a request of one small page, one page and ten pages. */
export async function benchFirstStage(): Promise<FirstStageRow[]> {
  const wordPiece = loadWordPiece(JSON.parse(readFileSync('models/bundled/tokenizer.json', 'utf8')))
  const firstStage = createFirstStage({
    model: readStaticModel(readFileSync('models/bundled/onnx/model_quantized.onnx')),
    wordPiece,
  })
  const labelled = documentationQueries('docs')
  const queries = Array.from(new Set(labelled.map(({ query }) => query)))
  const sentences = Array.from(new Set(labelled.flatMap(({ passages }) => passages))).flatMap((text) =>
    text.split(/(?<=[.:;]) /u),
  )
  const countTokens = (text: string): number => wordPiece.tokens(text, 512).length
  const all = plainPassages(passagesOf(sentences, PASSAGES, countTokens))
  const meanTokens = all.reduce((sum, { text }) => sum + countTokens(text), 0) / all.length
  for (let round = 0; round < WARM_UP_ROUNDS; round++) firstStage.readPool('How do I warm up?', all)
  return [50, 200, PASSAGES].map((passagesPerRequest) => {
    const passages = all.slice(0, passagesPerRequest)
    const rates = Array.from({ length: ROUNDS }, (_, round) => {
      const startedAt = process.cpuUsage()
      firstStage.readPool(queries[round % queries.length] ?? '', passages)
      return (passagesPerRequest * 1e6) / process.cpuUsage(startedAt).user
    })
    const row = {
      passagesPerRequest,
      tokensPerPassage: Math.round(meanTokens),
      passagesPerSecond: Math.round(quantile(rates, 0.5)),
    }
    console.log(
      `first stage: ${row.passagesPerSecond} passages per second of processor time (${passagesPerRequest} in a request, ${row.tokensPerPassage} tokens each)`,
    )
    return row
  })
}
