// From scored pages to results, over pages and scores that a test holds in its hand.
import { describe, expect, test } from 'vitest'
import { parseSearchRequest } from '../../src/contract.ts'
import { composeResults } from '../../src/search/answer.ts'
import { DEPTHS } from '../../src/search/depth.ts'
import type { GatheredPage } from '../../src/search/gather-page.ts'
import { createRememberedOrders } from '../../src/search/hits/remembered-orders.ts'
import { createMemoryProofStore } from '../../src/search/proof/proof-store.ts'
import type { ScoredPassage } from '../../src/search/rank.ts'
import type { Scored, SearchContext } from '../../src/search/search-context.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { createStageTimer } from '../../src/telemetry/stage-timer.ts'
import { firstStageAnswer } from '../support/first-stage-answer.ts'

const FIRST = 'A key is revoked in the dashboard, at once and on every replica.'
const SECOND = 'Whoever lost one asks its owner for another; none is ever shown twice.'
const BETWEEN = 'The dashboard has the address of the service.'
const TEXT = `${FIRST}\n\n${BETWEEN}\n\n${SECOND}`

const notAsked = () => Promise.reject(new Error('nothing of this test asks for it'))

function contextOf(body: Record<string, unknown> = {}): SearchContext {
  const parsed = parseSearchRequest({ query: 'revoke a key', ...body })
  if (!parsed.ok) throw new Error('the request of this test is invalid')
  return {
    request: parsed.request,
    languageSource: 'request',
    options: { arrivedAtMs: Date.now(), callerId: 'key', fresh: false },
    budget: DEPTHS.balanced,
    highlighted: 0,
    timer: createStageTimer(),
    parts: {
      findHits: notAsked,
      loadPage: notAsked,
      readPage: notAsked,
      score: notAsked,
      linkPassages: notAsked,
      signBundle: notAsked,
      proofStore: createMemoryProofStore({ maxBytes: 1, maxAgeMs: 1 }),
      version: '0',
      log: createLogger('silent'),
    },
    orders: createRememberedOrders(),
    signal: AbortSignal.timeout(60_000),
  }
}

function pageOf(position: number, more: Partial<GatheredPage> = {}): GatheredPage {
  const url = `https://site-${position}.example/`
  return {
    hit: { url, title: `Hit ${position}`, excerpt: null, publishedAt: null },
    position,
    url,
    fetchedAt: '2026-01-01T00:00:00Z',
    mediaType: 'text/html',
    readBy: 'static',
    page: {
      title: `Page ${position}`,
      text: TEXT,
      isCut: false,
      publishDate: null,
      lastUpdated: null,
      language: null,
    },
    canonicalUrl: null,
    sketch: new Uint32Array(0),
    captureDigest: null,
    copies: [],
    passages: [{ start: 0, end: FIRST.length, text: FIRST, headings: [], contentWeight: 1, parts: [] }],
    warning: null,
    outcome: 'read',
    startedAtMs: 0,
    loadMs: 0,
    elapsedMs: 0,
    ...more,
  }
}

const passageOf = (text: string, relevance: number): ScoredPassage => ({
  start: TEXT.indexOf(text),
  end: TEXT.indexOf(text) + text.length,
  text,
  headings: ['Keys'],
  opensSection: false,
  relevance,
  scoredBy: 'first',
  parts: null,
})

/** What each page's passages are worth, by its position. */
const scoredAs = (pages: readonly ScoredPassage[][], warning: string | null = null): Scored => ({
  answer: { ...firstStageAnswer([]), warning },
  byPosition: new Map(pages.entries()),
  likeliestElsewhere: new Map(),
})

const UNREAD: Partial<GatheredPage> = {
  page: null,
  passages: [],
  warning: 'The page did not answer in time.',
  outcome: 'timeout',
}

describe('the results', () => {
  test('join passages that stand beside each other and both answer', async () => {
    const scored = scoredAs([[passageOf(SECOND, 0.6), passageOf(BETWEEN, 0.4), passageOf(FIRST, 0.01)]])
    const [result] = await composeResults(contextOf(), [pageOf(0)], scored)
    expect(result?.snippets).toMatchObject([{ text: `${BETWEEN}\n\n${SECOND}`, relevance_score: 0.76 }])
  })

  test('stand by their best snippet, whatever place the engine gave them, and no more than were asked for', async () => {
    const scored = scoredAs([[passageOf(FIRST, 0.2)], [passageOf(FIRST, 0.9)], [passageOf(FIRST, 0.5)]])
    const results = await composeResults(
      contextOf({ num_results: 2 }),
      [0, 1, 2].map((at) => pageOf(at)),
      scored,
    )
    expect(results.map(({ rank, title }) => [rank, title])).toEqual([
      [1, 'Page 1'],
      [2, 'Page 2'],
    ])
  })

  test('show what is likely enough for the depth, most likely first, at most as many of a page as were asked for', async () => {
    const pages = [pageOf(0)]
    const scored = scoredAs([[passageOf(FIRST, 0.3), passageOf(SECOND, 0.8)]])
    const snippetsOf = async (body: Record<string, unknown>, of = scored) =>
      (await composeResults(contextOf(body), pages, of))[0]?.snippets.map(({ text }) => text)
    expect(await snippetsOf({})).toEqual([SECOND, FIRST])
    expect(await snippetsOf({ max_snippets_per_result: 1 })).toEqual([SECOND])
    expect(await snippetsOf({}, scoredAs([[passageOf(FIRST, 0.01), passageOf(SECOND, 0.8)]]))).toEqual([
      SECOND,
    ])
  })

  test('fill no more characters than the caller takes', async () => {
    const scored = scoredAs([[passageOf(FIRST, 0.9)], [passageOf(SECOND, 0.8)]])
    const context = contextOf({ max_total_characters: FIRST.length })
    const results = await composeResults(context, [pageOf(0), pageOf(1)], scored)
    expect(results.flatMap(({ snippets }) => snippets.map(({ text }) => text))).toEqual([FIRST])
  })

  test('never hold a snippet that is no slice of its page: the search fails instead', async () => {
    const altered = { ...passageOf(FIRST, 0.9), text: FIRST.replace('revoked', 'renewed') }
    await expect(composeResults(contextOf(), [pageOf(0)], scoredAs([[altered]]))).rejects.toThrow(
      'a snippet is not a slice of its page',
    )
  })

  test('tell of scores and headings to those who ask for an explanation, and to nobody else', async () => {
    const scored = scoredAs([[passageOf(FIRST, 0.912345)]])
    const snippetOf = async (body: Record<string, unknown>) =>
      (await composeResults(contextOf(body), [pageOf(0)], scored))[0]?.snippets[0]
    expect(await snippetOf({})).toEqual({ text: FIRST, relevance_score: 0.9123 })
    expect(await snippetOf({ include: ['explain'] })).toEqual({
      text: FIRST,
      relevance_score: 0.9123,
      scored_by: 'first',
      headings: ['Keys'],
    })
  })
})

describe('a warning', () => {
  const UNSCORED = 'There was no time to score all passages.'

  test('of a page that could not be read stands in its place, under the title that the engine gave it', async () => {
    const scored = scoredAs([[], [passageOf(FIRST, 0.9)]])
    const context = contextOf({ include: ['warning_code'] })
    const results = await composeResults(context, [pageOf(0, UNREAD), pageOf(1)], scored)
    expect(results.find(({ url }) => url === 'https://site-0.example/')).toMatchObject({
      title: 'Hit 0',
      snippets: [],
      warning: UNREAD.warning,
      warning_code: 'timeout',
    })
    expect(results.find(({ url }) => url === 'https://site-1.example/')?.warning).toBeNull()
  })

  test('of the scores stands with every page that has passages, unless something is said of the page itself', async () => {
    const scored = scoredAs([[], [passageOf(FIRST, 0.9)], []], UNSCORED)
    const pages = [pageOf(0, UNREAD), pageOf(1), pageOf(2, { passages: [] })]
    const results = await composeResults(contextOf(), pages, scored)
    const warnings = new Map(results.map(({ url, warning }) => [url, warning]))
    expect(warnings.get('https://site-0.example/')).toBe(UNREAD.warning)
    expect(warnings.get('https://site-1.example/')).toBe(UNSCORED)
    expect(warnings.get('https://site-2.example/')).toBeNull()
  })
})
