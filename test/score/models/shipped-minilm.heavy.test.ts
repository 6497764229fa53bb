// The MiniLM that ships against the library its weights come from.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { AutoModel, env, Tensor } from '@xenova/transformers'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadWordPiece } from '../../../src/score/models/word-piece.ts'

const MODEL = join(import.meta.dirname, '..', '..', '..', 'models', 'all-MiniLM-L6-v2')
const MAXIMUM_TOKENS = 256
const REFERENCE = join(
  import.meta.dirname,
  '..',
  '..',
  'fixtures',
  'score',
  'minilm-reference',
  'reference.jsonl.gz',
)

interface Reference {
  text: string
  ids: number[]
  /** Signed bytes in base64; only their direction counts. */
  vector: string
}

const references = gunzipSync(readFileSync(REFERENCE))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Reference)

function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let dot = 0
  let leftSquares = 0
  let rightSquares = 0
  for (let at = 0; at < left.length; at++) {
    const [a = 0, b = 0] = [left[at], right[at]]
    dot += a * b
    leftSquares += a * a
    rightSquares += b * b
  }
  return dot / Math.sqrt(leftSquares * rightSquares)
}

describe('all-MiniLM-L6-v2 as it ships', () => {
  const wordPiece = loadWordPiece(JSON.parse(readFileSync(join(MODEL, 'tokenizer.json'), 'utf8')))
  let model: (inputs: Record<string, Tensor>) => Promise<{ last_hidden_state: Tensor }>

  beforeAll(async () => {
    env.allowRemoteModels = false
    env.localModelPath = '/'
    model = (await AutoModel.from_pretrained(MODEL, {
      dtype: 'q8',
      local_files_only: true,
    })) as unknown as typeof model
  })

  test('cuts a thousand texts of twenty languages into the reference’s tokens', () => {
    for (const { text, ids } of references)
      expect([text, Array.from(wordPiece.encode(text, MAXIMUM_TOKENS))]).toEqual([text, ids])
  })

  test('gives each of them a vector whose cosine to the reference is .97 or more, and .99 in the mean', async () => {
    let sum = 0
    for (const { text, ids, vector } of references) {
      const row = (values: number[]) =>
        new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
      const { last_hidden_state: states } = await model({
        input_ids: row(ids),
        attention_mask: row(ids.map(() => 1)),
        token_type_ids: row(ids.map(() => 0)),
      })
      const width = states.dims[2] ?? 0
      const mean = new Float64Array(width)
      for (const [at, value] of (states.data as Float32Array).entries())
        mean[at % width] = (mean[at % width] ?? 0) + value
      const similarity = cosine(mean, new Int8Array(Buffer.from(vector, 'base64')))
      expect([text, similarity >= 0.97]).toEqual([text, true])
      sum += similarity
    }
    expect(sum / references.length).toBeGreaterThan(0.99)
  })
})
