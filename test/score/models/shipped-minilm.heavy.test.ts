// The MiniLM that ships against the library its weights come from.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { openSession } from '../../../src/score/models/network/session.ts'
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
  let session: Awaited<ReturnType<typeof openSession>>

  beforeAll(async () => {
    session = await openSession(join(MODEL, 'onnx', 'model_quantized.onnx'), 'cpu', ['last_hidden_state'])
  })

  test('cuts a thousand texts of twenty languages into the reference’s tokens', () => {
    for (const { text, ids } of references)
      expect([text, Array.from(wordPiece.encode(text, MAXIMUM_TOKENS))]).toEqual([text, ids])
  })

  test('gives each of them a vector whose cosine to the reference is .97 or more, and .99 in the mean', async () => {
    let sum = 0
    for (const { text, ids, vector } of references) {
      const batch = { rows: [{ ids, secondStart: ids.length }], width: ids.length }
      const { data, dims } = await session.run(batch)
      const width = dims[2] ?? 0
      const mean = new Float64Array(width)
      for (const [at, value] of data.entries()) mean[at % width] = (mean[at % width] ?? 0) + value
      const similarity = cosine(mean, new Int8Array(Buffer.from(vector, 'base64')))
      expect([text, similarity >= 0.97]).toEqual([text, true])
      sum += similarity
    }
    expect(sum / references.length).toBeGreaterThan(0.99)
  })
})
