import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { QueueFullError } from '../../../src/concurrency/worker-pool.ts'
import { parseSearchRequest } from '../../../src/contract.ts'
import { DEPTHS } from '../../../src/search/depth.ts'
import { orderHits } from '../../../src/search/hits/order-hits.ts'
import { createRememberedOrders, type RememberedOrders } from '../../../src/search/hits/remembered-orders.ts'
import type { PipelineParts, SearchContext } from '../../../src/search/search-context.ts'
import { createStageTimer } from '../../../src/telemetry/stage-timer.ts'
import { firstStageAnswer } from '../../support/first-stage-answer.ts'

const PAGES = 5

const hitsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    url: `https://example.com/${index}`,
    title: `Title ${index}`,
    excerpt: null,
    publishedAt: null,
  }))

interface Circumstances {
  score?: PipelineParts['score']
  orders?: RememberedOrders
  page?: number
}

/** The order of twenty hits and the like when the scorer says this of them. */
async function orderOf(relevance: readonly number[], circumstances: Circumstances = {}): Promise<number[]> {
  const { score, orders = createRememberedOrders(), page = 1 } = circumstances
  const parsed = parseSearchRequest({ query: 'revoke a key', page })
  if (!parsed.ok) throw new Error('the request of this test is invalid')
  const answering: PipelineParts['score'] = async (_query, passages) =>
    firstStageAnswer(passages.map((_, index) => relevance[index] ?? 0))
  const context = {
    languageSource: 'default',
    request: parsed.request,
    options: { arrivedAtMs: Date.now(), callerId: 'test', fresh: false },
    budget: DEPTHS.balanced,
    highlighted: 0,
    timer: createStageTimer(),
    parts: { score: score ?? answering } as PipelineParts,
    orders,
    signal: new AbortController().signal,
  } satisfies SearchContext
  const hits = hitsOf(relevance.length)
  const ordered = await orderHits(context, hits, PAGES)
  return ordered.map((hit) => hits.findIndex(({ url }) => url === hit.url))
}

describe('the order in which hits are opened', () => {
  test('is the engine’s when every one of them is opened', async () => {
    expect(await orderOf([0.01, 0.1, 0.2, 0.5, 0.9])).toEqual([0, 1, 2, 3, 4])
  })

  test('is the engine’s when titles and excerpts tell nothing', async () => {
    expect(await orderOf(Array.from({ length: 20 }, () => 0.2))).toEqual(
      Array.from({ length: 20 }, (_, at) => at),
    )
  })

  test('brings the one that answers forward, however far down it stands', async () => {
    const order = await orderOf(Array.from({ length: 20 }, (_, at) => (at === 17 ? 0.8 : 0.05)))
    expect(order[0]).toBe(17)
  })

  test('is the engine’s when there is no room to judge them', async () => {
    const full = async () => {
      throw new QueueFullError()
    }
    expect(await orderOf([0, 0, 0, 0, 0, 0, 1], { score: full })).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('is the first stage’s when the time was over before a model had read all of them', async () => {
    const late: PipelineParts['score'] = async (_query, passages, { candidates }) => ({
      ...firstStageAnswer(passages.map((_, index) => (index === (candidates === 0 ? 6 : 5) ? 0.9 : 0.05))),
      scoredBy: passages.map((_, index) => (candidates > 0 && index < 5 ? 'model' : 'first')),
      warning: 'The time was used up.',
    })
    expect((await orderOf([0, 0, 0, 0, 0, 0, 1], { score: late }))[0]).toBe(6)
  })

  test('stays for the next page of results, however much time there is to judge it then', async () => {
    const orders = createRememberedOrders()
    const late = Array.from({ length: 20 }, (_, at) => (at === 17 ? 0.8 : 0.05))
    const first = await orderOf(late, { orders })
    const rich = late.toReversed()
    expect(await orderOf(rich, { orders, page: 2 })).toEqual(first)
    expect(await orderOf(rich, { orders })).not.toEqual(first)
  })

  test('holds every hit once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 }),
        async (relevance) => {
          expect((await orderOf(relevance)).toSorted((a, b) => a - b)).toEqual(relevance.map((_, at) => at))
        },
      ),
    )
  })
})
