// The pipeline over parts that a test holds in its hand, for what only their order brings about.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { QueueFullError } from '../../src/concurrency/worker-pool.ts'
import { parseSearchRequest, type SearchRequest, type SearchResult } from '../../src/contract.ts'
import type { PipelineParts } from '../../src/search/search-context.ts'
import { createSearch } from '../../src/search/search.ts'
import { createMemoryProofStore } from '../../src/search/proof/proof-store.ts'
import { createLogger } from '../../src/telemetry/log.ts'

const TEXT = 'A key can be revoked at any time in the dashboard.'
type Score = PipelineParts['score']

const answerOf = (passages: readonly unknown[]): Awaited<ReturnType<Score>> => ({
  relevance: Float64Array.from(passages, () => 0.9),
  scoredBy: passages.map(() => 'first' as const),
  version: 'test',
  model: 'bundled',
  requestedTier: 'balanced',
  warning: null,
  timings: { firstMs: 0, modelMs: 0 },
})

/** Rejects when the signal aborts, and not before. */
const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

function searchOver(paths: readonly string[], parts: Pick<PipelineParts, 'loadPage' | 'score'>) {
  const hits = paths.map((path) => ({
    url: `https://example.com${path}`,
    title: path,
    excerpt: null,
    publishedAt: null,
  }))
  const none = { recency: 'none', language: 'none', includeDomains: 'none', excludeDomains: 'none' } as const
  return createSearch({
    findHits: async () => ({ hits, provider: 'fake', applied: none, failures: [] }),
    readPage: async ({ url }) => ({
      page: {
        title: url,
        text: TEXT,
        isCut: false,
        publishDate: null,
        lastUpdated: null,
        language: { code: 'en', source: 'attribute' },
      },
      passages: [{ start: 0, end: TEXT.length, text: TEXT, headings: [], contentWeight: 1 }],
      truncated: false,
    }),
    linkPassages: async (_page, spans) => spans.map(() => null),
    proofStore: createMemoryProofStore({ maxBytes: 1, maxAgeMs: 1 }),
    log: createLogger('silent'),
    ...parts,
  })
}

const loaded: PipelineParts['loadPage'] = async (url) => ({
  requestedUrl: url,
  url,
  mediaType: 'text/html',
  content: '',
  lastModified: null,
  contentLanguage: null,
  fetchedAt: new Date().toISOString(),
  readBy: 'static',
  warning: null,
})

function requestOf(body: Record<string, unknown>): SearchRequest {
  const parsed = parseSearchRequest({ query: 'revoke a key', ...body })
  if (!parsed.ok) throw new Error('the request of this test is invalid')
  return parsed.request
}

const stray = vi.fn<() => void>()
beforeEach(() => void process.on('unhandledRejection', stray))
afterEach(() => {
  process.off('unhandledRejection', stray)
  stray.mockClear()
})

describe('a streamed search', () => {
  test('whose client leaves while one page is scored and another is opened leaves no rejection without an owner', async () => {
    const client = new AbortController()
    let isScoring = (): void => undefined
    const scoring = new Promise<void>((resolve) => (isScoring = resolve))
    const search = searchOver(['/scored', '/hangs'], {
      loadPage: (url, options, signal) =>
        url.endsWith('/hangs') ? never(signal) : loaded(url, options, signal),
      score: (_query, _passages, _request, signal) => {
        isScoring()
        return never(signal)
      },
    })
    const context = { arrivedAtMs: Date.now(), callerId: 'key', fresh: false, onResult: () => undefined }
    const [outcome] = await Promise.allSettled([
      search(requestOf({ num_results: 2 }), context, client.signal),
      scoring.then(() => client.abort(new Error('the client went away'))),
    ])
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the client went away' } })
    await nextTurn()
    expect(stray).not.toHaveBeenCalled()
  })

  test('ends only when the scoring of its early results has ended', async () => {
    const client = new AbortController()
    const order: string[] = []
    let isScoring = (): void => undefined
    const scoring = new Promise<void>((resolve) => (isScoring = resolve))
    const search = searchOver(['/scored', '/hangs'], {
      loadPage: (url, options, signal) =>
        url.endsWith('/hangs') ? never(signal) : loaded(url, options, signal),
      score: async (_query, _passages, _request, signal) => {
        isScoring()
        await never(signal).catch(() => nextTurn())
        order.push('scoring ended')
        throw signal.reason
      },
    })
    const context = { arrivedAtMs: Date.now(), callerId: 'key', fresh: false, onResult: () => undefined }
    const running = search(requestOf({ num_results: 2 }), context, client.signal).catch(() =>
      order.push('search ended'),
    )
    await scoring
    client.abort(new Error('the client went away'))
    await running
    expect(order).toEqual(['scoring ended', 'search ended'])
  })

  test('tells every result although the queue was full when its page was read', async () => {
    const told: SearchResult[] = []
    const search = searchOver(['/1', '/2', '/3'], {
      loadPage: loaded,
      score: async (_query, passages) => {
        if (passages.length === 1) throw new QueueFullError('full')
        return answerOf(passages)
      },
    })
    const { response } = await search(
      requestOf({ num_results: 3 }),
      { arrivedAtMs: Date.now(), callerId: 'key', fresh: false, onResult: (result) => told.push(result) },
      new AbortController().signal,
    )
    expect(response.results).toHaveLength(3)
    expect(told.map(({ rank }) => rank)).toEqual([1, 2, 3])
    expect(new Set(told.map(({ url }) => url))).toEqual(new Set(response.results.map(({ url }) => url)))
  })

  test('fails when a page cannot be scored for any other reason', async () => {
    const search = searchOver(['/1'], { loadPage: loaded, score: () => Promise.reject(new Error('lost')) })
    const context = { arrivedAtMs: Date.now(), callerId: 'key', fresh: false, onResult: () => undefined }
    await expect(
      search(requestOf({ num_results: 1 }), context, new AbortController().signal),
    ).rejects.toThrow('lost')
  })
})
