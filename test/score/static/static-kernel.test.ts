// The WebAssembly kernel against the same sums worked out one by one.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import openWabt from 'wabt'
import { STATIC_KERNEL } from '../../../src/score/static/static-kernel-bytes.ts'
import { createStaticKernel, QUERY_TOKENS_MAX, TOKENS_MAX } from '../../../src/score/static/static-kernel.ts'

const COUNT = 40
const DIMENSIONS = 48
/** A token whose row holds zeros only. */
const SILENT = 7

const values = Int8Array.from({ length: COUNT * DIMENSIONS }, (_, at) =>
  Math.floor(at / DIMENSIONS) === SILENT ? 0 : ((at * 7919) % 256) - 128,
)
const scales = Float32Array.from({ length: COUNT }, (_, row) => 0.01 + row / 100)
const kernel = createStaticKernel({
  count: COUNT,
  dimensions: DIMENSIONS,
  values: new Uint8Array(values.buffer),
  scales,
})

const rowOf = (token: number): number[] =>
  Array.from(values.subarray(token * DIMENSIONS, (token + 1) * DIMENSIONS))
const product = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
const lengthOf = (token: number): number => Math.sqrt(product(rowOf(token), rowOf(token)))

const token = fc.nat({ max: COUNT - 1 })
const text = fc.array(token, { maxLength: 30 })
const query = fc
  .uniqueArray(token, { maxLength: 9 })
  .map((tokens) => tokens.filter((each) => each !== SILENT))

describe('the kernel of the static model', () => {
  it('is compiled from its source', async () => {
    const path = 'src/score/static/static-kernel.wat'
    const wabt = await openWabt()
    const { buffer } = wabt.parseWat(path, readFileSync(path, 'utf8'), { simd: true }).toBinary({})
    expect(STATIC_KERNEL, 'run: npm run kernel').toBe(Buffer.from(buffer).toString('base64'))
  })

  it('finds for every query token the nearest token of each text', () => {
    fc.assert(
      fc.property(query, fc.array(text, { minLength: 1, maxLength: 4 }), (tokens, texts) => {
        kernel.startQuery(tokens)
        for (const each of texts) {
          const found = kernel.bestSimilarities(Int32Array.from(each))
          const heard = each.filter((other) => other !== SILENT)
          expect(found).toHaveLength(tokens.length)
          for (const [index, wanted] of tokens.entries()) {
            const nearest = heard.map((other) => product(rowOf(wanted), rowOf(other)) / lengthOf(other))
            expect(found[index]).toBeCloseTo(Math.max(0, ...nearest), 2)
          }
        }
      }),
    )
  })

  it('adds up the true vectors of a text', () => {
    fc.assert(
      fc.property(text, (tokens) => {
        const sum = kernel.sumRows(Int32Array.from(tokens))
        for (let at = 0; at < DIMENSIONS; at++) {
          const column = tokens.map((each) => (scales[each] ?? 0) * (rowOf(each)[at] ?? 0))
          expect(sum[at]).toBeCloseTo(
            column.reduce((total, value) => total + value, 0),
            2,
          )
        }
      }),
    )
  })

  it('holds the longest query and the longest text, in which it meets every token of the table', () => {
    const large = createStaticKernel({
      count: TOKENS_MAX,
      dimensions: 16,
      values: new Uint8Array(TOKENS_MAX * 16).fill(1),
      scales: new Float32Array(TOKENS_MAX).fill(1),
    })
    large.startQuery(Array.from({ length: QUERY_TOKENS_MAX }, (_, index) => index))
    const all = Int32Array.from({ length: TOKENS_MAX }, (_, index) => index)
    expect(Array.from(large.bestSimilarities(all))).toEqual(Array.from({ length: QUERY_TOKENS_MAX }, () => 4))
    expect(Array.from(large.sumRows(all))).toEqual(Array.from({ length: 16 }, () => TOKENS_MAX))
  })

  it('passes over tokens that the table does not have', () => {
    kernel.startQuery([1])
    expect(Array.from(kernel.sumRows(Int32Array.of(COUNT, 5_000_000)))).toEqual(
      Array.from({ length: DIMENSIONS }, () => 0),
    )
    expect(Array.from(kernel.bestSimilarities(Int32Array.of(COUNT, -1)))).toEqual([0])
  })

  it('refuses rows that it cannot read in blocks', () => {
    const rows = { count: 1, dimensions: 20, values: new Uint8Array(20), scales: new Float32Array(1) }
    expect(() => createStaticKernel(rows)).toThrow(RangeError)
  })
})
