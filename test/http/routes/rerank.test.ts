import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RerankResponse } from '../../../src/contract/rerank.ts'
import { startService, type TestService } from '../../support/service.ts'

const QUERY = 'How do I revoke a key?'
const ANSWER =
  'A key can be revoked at any time in the dashboard: open Keys, choose Delete beside the key and confirm.'
const OTHERS = [
  'The harbour lies between two hills and was built in the year 1840 by the owners of the mine.',
  'Bread is baked from flour, water, salt and yeast; the dough must rest for two hours before it is shaped.',
  'The museum of the town shows paintings of three centuries and is closed on Mondays.',
  'A session ends after thirty days; whoever signs in again gets a new one.',
]

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const ask = (body: unknown): Promise<Response> =>
  fetch(`${service.url}/v1/rerank`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const rerank = async (body: unknown): Promise<RerankResponse> => {
  const response = await ask(body)
  expect(response.status).toBe(200)
  return (await response.json()) as RerankResponse
}

describe('POST /v1/rerank', () => {
  test('puts the text that answers first, with probabilities, each document once', async () => {
    const { results, warning } = await rerank({ query: QUERY, documents: [...OTHERS, ANSWER] })
    expect(results.map(({ index }) => index).toSorted()).toEqual([0, 1, 2, 3, 4])
    expect(results[0]?.index).toBe(4)
    expect(results[0]?.relevance_score).toBeGreaterThan(0.5)
    expect(results[1]?.relevance_score).toBeLessThan(0.3)
    expect(warning).toBeNull()
  })

  test('a text about something else scores low even where there is no better one', async () => {
    for (const other of OTHERS.slice(0, 3)) {
      const { results } = await rerank({ query: QUERY, documents: [other] })
      expect(results[0]?.relevance_score).toBeLessThan(0.3)
    }
    const { results } = await rerank({ query: QUERY, documents: [ANSWER] })
    expect(results[0]?.relevance_score).toBeGreaterThan(0.5)
  })

  test("a document's score does not depend on where it stands", async () => {
    const documents = [...OTHERS, ANSWER, ANSWER, '', ...OTHERS.map((text) => `${text} ${text}`)]
    const scores = async (order: readonly string[]) => {
      const { results } = await rerank({ query: QUERY, documents: order })
      return results.map(({ index, relevance_score: score }) => [order[index], score]).toSorted()
    }
    const expected = await scores(documents)
    expect(await scores(documents.toReversed())).toEqual(expected)
    expect(await scores([...documents.slice(5), ...documents.slice(0, 5)])).toEqual(expected)
  })

  test('top_n and min_score leave out the worst', async () => {
    const documents = [...OTHERS, ANSWER]
    expect((await rerank({ query: QUERY, documents, top_n: 2 })).results).toHaveLength(2)
    const sure = (await rerank({ query: QUERY, documents, min_score: 0.5 })).results
    expect(sure.map(({ index }) => index)).toEqual([4])
  })

  test('a long document is worth what its best passage is', async () => {
    const filler = OTHERS.join(' ')
    const long = `${filler}\n\n${filler}\n\n${ANSWER}\n\n${filler}\n\n${filler}`
    const { results } = await rerank({
      query: QUERY,
      documents: [`${filler}\n\n${filler}\n\n${filler}`, long],
    })
    expect(results[0]?.index).toBe(1)
    expect(results[0]?.relevance_score).toBeGreaterThan(0.4)
  })

  test('takes a thousand documents, and bodies beyond those of other routes', async () => {
    const documents = Array.from(
      { length: 1_000 },
      (_, index) => `${index}. ${OTHERS[index % 4]} ${'word '.repeat(60)}`,
    )
    expect(JSON.stringify(documents).length).toBeGreaterThan(300_000)
    const { results } = await rerank({ query: QUERY, documents: documents.with(700, ANSWER), top_n: 3 })
    expect(results[0]?.index).toBe(700)
  })

  test.each([
    [{ documents: ['a'] }, 400, '/query'],
    [{ query: ' ', documents: ['a'] }, 400, '/query'],
    [{ query: 'q' }, 422, '/documents'],
    [{ query: 'q', documents: [] }, 422, '/documents'],
    [{ query: 'q', documents: ['a', 5] }, 422, '/documents/1'],
    [{ query: 'q', documents: Array.from({ length: 1_001 }, () => 'a') }, 422, '/documents'],
    [{ query: 'q', documents: ['a'], top_n: 0 }, 422, '/top_n'],
    [{ query: 'q', documents: ['a'], min_score: 2 }, 422, '/min_score'],
  ])('%j is refused with %i at %s', async (body, status, pointer) => {
    const response = await ask(body)
    expect(response.status).toBe(status)
    expect(((await response.json()) as { errors: { pointer: string }[] }).errors[0]?.pointer).toBe(pointer)
  })

  test('a body beyond two megabytes is refused with the limit of this route', async () => {
    const response = await ask({ query: 'q', documents: ['a'.repeat(2_200_000)] })
    expect(response.status).toBe(413)
    expect(((await response.json()) as { detail: string }).detail).toContain('2097152')
  })
})
