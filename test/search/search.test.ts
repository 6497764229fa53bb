// The pipeline over parts that a test holds in its hand, for what only their order brings about.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { QueueFullError } from '../../src/concurrency/worker-pool.ts'
import { PageError } from '../../src/pages/capture.ts'
import { parseSearchRequest, type SearchRequest, type SearchResult } from '../../src/contract.ts'
import type { PipelineParts } from '../../src/search/search-context.ts'
import { DEPTHS } from '../../src/search/depth.ts'
import { createSearch } from '../../src/search/search.ts'
import { createMemoryProofStore } from '../../src/search/proof/proof-store.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { firstStageAnswer } from '../support/first-stage-answer.ts'

const TEXT = 'A key can be revoked at any time in the dashboard.'
type Score = PipelineParts['score']

const answerOf = (passages: readonly unknown[]) => firstStageAnswer(passages.map(() => 0.9))

/** Rejects when the signal aborts, and not before. */
const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

function searchOver(
  paths: readonly string[],
  parts: Pick<PipelineParts, 'loadPage' | 'score'> & Partial<Pick<PipelineParts, 'readPage' | 'findHits'>>,
) {
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
      canonicalUrl: null,
      passages: [{ start: 0, end: TEXT.length, text: TEXT, headings: [], contentWeight: 1, parts: [] }],
      truncated: false,
      sketch: new Uint32Array(0),
      captureDigest: { sha256: '', bytes: 0 },
    }),
    linkPassages: async (_page, spans) => spans.map(() => null),
    proofStore: createMemoryProofStore({ maxBytes: 1, maxAgeMs: 1 }),
    signBundle: async () => null,
    version: '0',
    log: createLogger('silent'),
    ...parts,
  })
}

const loaded: PipelineParts['loadPage'] = async (url) => ({
  id: url,
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

  test('tells which engine found the pages, and then of each page that it is done, read or not', async () => {
    const search = searchOver(['/read', '/lost'], {
      loadPage: (url, options, signal) =>
        url.endsWith('/lost') ? Promise.reject(new Error('lost')) : loaded(url, options, signal),
      score: async (_query, passages) => answerOf(passages),
    })
    const told: unknown[] = []
    const onProgress = (progress: unknown): void => void told.push(progress)
    const context = { arrivedAtMs: Date.now(), callerId: 'key', fresh: false, onProgress }
    await search(requestOf({ num_results: 2 }), context, new AbortController().signal)
    expect(told).toEqual([0, 1, 2].map((done) => ({ engine: 'fake', pages: 2, done })))
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

  test('what is scored ahead of the answer leaves it the time that is kept for scoring all, and is read by one model', async () => {
    const ahead: { deadlineMs: number; candidates: number; reranked: number }[] = []
    let ofAll = 0
    const search = searchOver(['/1', '/2'], {
      loadPage: loaded,
      score: async (_query, passages, { deadlineMs, candidates, reranked }) => {
        if (passages.length === 1) ahead.push({ deadlineMs, candidates, reranked })
        else ofAll = deadlineMs
        return answerOf(passages)
      },
    })
    const context = { arrivedAtMs: Date.now(), callerId: 'key', fresh: false, onResult: () => undefined }
    const request = requestOf({ num_results: 2, search_depth: 'exhaustive' })
    await search(request, context, new AbortController().signal)
    const kept = { deadlineMs: ofAll - DEPTHS.exhaustive.scoringReserveMs, candidates: 12, reranked: 0 }
    expect(ahead).toEqual([kept, kept])
  })

  test('fails when a page cannot be scored for any other reason', async () => {
    const search = searchOver(['/1'], { loadPage: loaded, score: () => Promise.reject(new Error('lost')) })
    const context = { arrivedAtMs: Date.now(), callerId: 'key', fresh: false, onResult: () => undefined }
    await expect(
      search(requestOf({ num_results: 1 }), context, new AbortController().signal),
    ).rejects.toThrow('lost')
  })
})

test('a search whose caller leaves too little time for any engine is told so, and is no failure of the service', async () => {
  const search = searchOver([], {
    loadPage: loaded,
    score: async (_query, passages) => answerOf(passages),
    findHits: (_query, signal) => never(signal),
  })
  const { signal } = new AbortController()
  for (const patienceMs of [0, 1, 10, 200]) {
    const options = { arrivedAtMs: Date.now(), callerId: 'key', fresh: false, patienceMs }
    await expect(search(requestOf({}), options, signal)).rejects.toMatchObject({
      status: 408,
      code: 'out_of_time',
    })
  }
})

describe('a page whose time is over', () => {
  const plain = { callerId: 'key', fresh: false }
  const score: Score = async (_query, passages) => answerOf(passages)
  const ask = async (parts: Parameters<typeof searchOver>[1], arrivedAtMs = Date.now()) => {
    const search = searchOver(['/1'], parts)
    const request = requestOf({ num_results: 1, search_depth: 'precise' })
    const { response } = await search(request, { ...plain, arrivedAtMs }, new AbortController().signal)
    return response.results[0]
  }

  test('gives the text that had come by then', async () => {
    const result = await ask({
      loadPage: async (url, options, signal) => {
        await sleep(Math.max(0, options.deadlineMs - Date.now()))
        return loaded(url, options, signal)
      },
      score,
    })
    expect(result?.snippets.map(({ text }) => text)).toEqual([TEXT])
  })

  test('is blamed on the site only when the site had the time and did not answer', async () => {
    const isSilent: PipelineParts['loadPage'] = (_url, _options, signal) => never(signal)
    expect((await ask({ loadPage: isSilent, score }))?.warning).toBe('The page did not answer in time.')
    const ours = 'This service had no time left to read the page.'
    // The page is here and waits for a thread; the search began late; the loader's own time was cut short.
    const isUnread = {
      loadPage: loaded,
      readPage: (_c: unknown, _o: unknown, signal: AbortSignal) => never(signal),
    }
    expect((await ask({ ...isUnread, score }))?.warning).toBe(ours)
    expect((await ask({ loadPage: isSilent, score }, Date.now() - 2_600))?.warning).toBe(ours)
    const refuses: PipelineParts['loadPage'] = async (url) => {
      throw new PageError(url, { code: 'timeout', message: 'The site did not answer in time.' })
    }
    expect((await ask({ loadPage: refuses, score }, Date.now() - 2_600))?.warning).toBe(ours)
  })
})

describe('the address of a result', () => {
  const score: Score = async (_query, passages) => answerOf(passages)
  const ask = async (paths: readonly string[], loadPage: PipelineParts['loadPage']) => {
    const options = { arrivedAtMs: Date.now(), callerId: 'key', fresh: false }
    const request = requestOf({ num_results: paths.length })
    const { response } = await searchOver(paths, { loadPage, score })(
      request,
      options,
      new AbortController().signal,
    )
    return response.results
  }

  test.each([
    'javascript:alert(1)',
    'data:text/html,<p>hello',
    'file:///etc/passwd',
    'chrome://settings',
    'http://user:password@bank.example/',
    'no address at all',
  ])('is the one that was asked for when the site names %s', async (reached) => {
    const refused: PipelineParts['loadPage'] = async () => {
      throw new PageError(reached, { code: 'unreachable', message: 'The site could not be reached.' })
    }
    expect((await ask(['/a'], refused)).map(({ url }) => url)).toEqual(['https://example.com/a'])
    const shown: PipelineParts['loadPage'] = async (url, options, signal) => ({
      ...(await loaded(url, options, signal)),
      url: reached,
    })
    expect((await ask(['/a'], shown)).map(({ url }) => url)).toEqual(['https://example.com/a'])
  })

  test('is the one that was asked for when the site led to one that this service does not open', async () => {
    const [result] = await ask(['/a'], async () => {
      const message = 'The page leads to an address that this service does not open.'
      throw new PageError('http://169.254.169.254/latest/', { code: 'address_refused', message })
    })
    expect(result?.url).toBe('https://example.com/a')
  })

  test('stands in one result alone, however many hits lead there, and the next hit takes the free place', async () => {
    const results = await ask(['/a', '/b', '/c', '/other'], async (url, options, signal) => ({
      ...(await loaded(url, options, signal)),
      url: url.endsWith('/other') ? url : 'https://www.example.com/same/?utm_source=x',
    }))
    expect(results.map(({ url }) => url).toSorted()).toEqual([
      'https://example.com/other',
      'https://www.example.com/same/?utm_source=x',
    ])
  })
})

test('a search whose time was over before anything was scored says so of every page that it read', async () => {
  const warning = 'The time was used up before the passages were scored.'
  const score: Score = async (_query, passages) => ({
    ...answerOf(passages),
    relevance: new Float64Array(passages.length),
    warning,
  })
  const search = searchOver(['/1', '/2'], { loadPage: loaded, score })
  const context = { arrivedAtMs: Date.now(), callerId: 'key', fresh: false }
  const request = requestOf({ num_results: 2, include: ['warning_code'] })
  const { response } = await search(request, context, new AbortController().signal)
  expect(
    response.results.map(({ snippets, warning_code, ...result }) => [snippets, result.warning, warning_code]),
  ).toEqual([
    [[], warning, 'scores_incomplete'],
    [[], warning, 'scores_incomplete'],
  ])
})
