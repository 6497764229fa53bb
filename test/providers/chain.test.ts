import { expect, test, vi } from 'vitest'
import {
  CHAIN_DEFAULTS,
  createProviderChain,
  isRefusedQuery,
  NoProviderAnsweredError,
} from '../../src/providers/chain.ts'
import {
  ProviderError,
  type ProviderCapabilities,
  type ProviderFailure,
  type ProviderQuery,
  type SearchHit,
  type SearchProvider,
} from '../../src/providers/provider.ts'
import { EVERY_CAPABILITY, QUESTION } from './engines/provider-contract.ts'

const hit = (url: string): SearchHit => ({ url, title: url, publishedAt: null, excerpt: null })
const HITS = [hit('https://example.org/a'), hit('https://example.org/b')]

type Answer =
  | SearchHit[]
  | ProviderFailure
  | 'hang'
  | ((signal: AbortSignal, query: ProviderQuery) => Promise<SearchHit[]>)

/** A provider that gives one answer after the other (the last one stays) and counts its calls. */
function scripted(name: string, answers: Answer[], capabilities: Partial<ProviderCapabilities> = {}) {
  const state = { calls: 0, abortedCalls: 0, askedFor: [] as number[] }
  const provider: SearchProvider = {
    name,
    capabilities: { ...EVERY_CAPABILITY, ...capabilities },
    async search(query, signal) {
      const answer = answers[Math.min(state.calls, answers.length - 1)] ?? []
      state.calls += 1
      state.askedFor.push(query.count)
      signal.addEventListener('abort', () => (state.abortedCalls += 1), { once: true })
      if (typeof answer === 'function') return answer(signal, query)
      if (answer === 'hang') return new Promise(() => undefined)
      if (typeof answer === 'string') throw new ProviderError(name, answer, `scripted ${answer}`)
      return answer
    },
  }
  return { provider, state }
}

const FAST = { retryDelayMs: 1, hedgeAfterMs: 10_000, slowAfterMs: 0 } as const
const search = (chain: ReturnType<typeof createProviderChain>, signal = AbortSignal.timeout(20_000)) =>
  chain.findHits(QUESTION, signal)

test('an engine that is named is asked alone, wherever it stands, and nobody answers for it', async () => {
  const first = scripted('first', [HITS])
  const second = scripted('second', ['timeout'])
  const chain = createProviderChain([[first.provider], [second.provider]], { ...FAST, retries: 0 })
  const signal = AbortSignal.timeout(20_000)
  expect((await chain.findHits(QUESTION, signal, 'first')).provider).toBe('first')
  expect(second.state.calls).toBe(0)
  await expect(chain.findHits(QUESTION, signal, 'second')).rejects.toThrow(NoProviderAnsweredError)
  expect(first.state.calls).toBe(1)
  await expect(chain.findHits(QUESTION, signal, 'third')).rejects.toThrow(NoProviderAnsweredError)
})

test('the first engine that has hits answers, and the next is not asked', async () => {
  const first = scripted('first', [HITS])
  const second = scripted('second', [HITS])
  const answer = await search(createProviderChain([[first.provider], [second.provider]], FAST))
  expect(answer).toEqual({
    hits: HITS,
    provider: 'first',
    applied: { recency: 'none', language: 'native', includeDomains: 'none', excludeDomains: 'none' },
    failures: [],
  })
  expect(second.state.calls).toBe(0)
})

test('an engine that fails or finds nothing hands over to the next, and the failure is told', async () => {
  const seen: string[] = []
  const chain = createProviderChain(
    [
      [scripted('broken', ['misconfigured']).provider],
      [scripted('empty', [[]]).provider],
      [scripted('third', [HITS]).provider],
    ],
    { ...FAST, onFailure: (error) => seen.push(error.message) },
  )
  const answer = await search(chain)
  expect(answer.provider).toBe('third')
  expect(answer.failures).toEqual([{ provider: 'broken', failure: 'misconfigured' }])
  expect(seen).toEqual(['broken: scripted misconfigured'])
})

test('engines that answer and find nothing give an empty answer, no failure', async () => {
  const chain = createProviderChain(
    [[scripted('broken', ['refused']).provider], [scripted('empty', [[]]).provider]],
    FAST,
  )
  expect(await search(chain)).toMatchObject({ hits: [], provider: 'empty' })
})

test('it fails only when every engine failed, with the reason of each', async () => {
  const chain = createProviderChain(
    [[scripted('one', ['refused']).provider], [scripted('two', ['misconfigured']).provider]],
    FAST,
  )
  const error: unknown = await search(chain).catch((reason: unknown) => reason)
  if (!(error instanceof NoProviderAnsweredError))
    throw new Error('expected NoProviderAnsweredError', { cause: error })
  expect(error.errors.map((each: ProviderError) => each.failure)).toEqual(['refused', 'misconfigured'])
})

test('without any engine it fails, too', async () => {
  await expect(search(createProviderChain([], FAST))).rejects.toThrow(NoProviderAnsweredError)
})

test('what passes by itself is tried again, what does not is not', async () => {
  for (const [failure, calls] of [
    ['unreachable', 2],
    ['bad_answer', 2],
    ['refused', 1],
    ['misconfigured', 1],
    ['rate_limited', 1],
    ['timeout', 1],
  ] as const) {
    const engine = scripted('engine', [failure])
    await expect(search(createProviderChain([[engine.provider]], FAST))).rejects.toThrow('no search provider')
    expect([failure, engine.state.calls]).toEqual([failure, calls])
  }
  const shaky = scripted('shaky', ['unreachable', HITS])
  expect((await search(createProviderChain([[shaky.provider]], FAST))).failures).toEqual([])
})

test('a 429 is honoured: the engine is not asked again before its Retry-After is over', async () => {
  const limited = scripted('limited', [
    async () =>
      Promise.reject(new ProviderError('limited', 'rate_limited', 'slow down', { retryAfterSeconds: 1 })),
    HITS,
  ])
  const chain = createProviderChain([[limited.provider], [scripted('reserve', [HITS]).provider]], FAST)
  expect((await search(chain)).provider).toBe('reserve')
  expect(await search(chain)).toMatchObject({
    provider: 'reserve',
    failures: [{ provider: 'limited', failure: 'rate_limited' }],
  })
  expect(limited.state.calls).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 1_050))
  expect((await search(chain)).provider).toBe('limited')
})

/** Searches until the first engine is left alone; gives how often it had been asked by then. */
async function untilLeftAlone(
  chain: ReturnType<typeof createProviderChain>,
  state: { calls: number },
): Promise<number> {
  await vi.waitFor(async () => {
    await search(chain, AbortSignal.timeout(300))
    expect(chain.describe()[0]?.condition).toBe('left_alone')
  }, 20_000)
  return state.calls
}

test('an engine that keeps failing is left alone, and asked again after a while', async () => {
  const { breakAfterFailures } = CHAIN_DEFAULTS
  const failing = Array.from({ length: breakAfterFailures + 1 }, () => 'timeout' as const)
  const down = scripted('down', [...failing, HITS])
  const chain = createProviderChain([[down.provider], [scripted('reserve', [HITS]).provider]], {
    ...FAST,
    breakMs: 300,
  })
  // The plain question is the last of them.
  expect(await untilLeftAlone(chain, down.state)).toBe(breakAfterFailures + 1)
  expect((await search(chain)).failures).toEqual([{ provider: 'down', failure: 'timeout' }])
  expect(down.state.calls).toBe(breakAfterFailures + 1)
  await vi.waitFor(async () => expect((await search(chain)).provider).toBe('down'))
})

test.each(['timeout', 'unreachable', 'bad_answer', 'misconfigured'] as const)(
  'a query that always ends in %s never shuts the engine off for others',
  async (failure) => {
    const odd = { ...QUESTION, text: '\u8A9E'.repeat(2_000) }
    const delicate = scripted('delicate', [
      async (_signal, { text }) => {
        if (text === odd.text) throw new ProviderError('delicate', failure, 'status 500: out of order')
        return HITS
      },
    ])
    const chain = createProviderChain([[delicate.provider], [scripted('reserve', [HITS]).provider]], FAST)
    for (let count = 0; count < 5 * CHAIN_DEFAULTS.breakAfterFailures; count += 1) {
      expect((await chain.findHits(odd, AbortSignal.timeout(5_000))).provider).toBe('reserve')
    }
    await new Promise(setImmediate)
    expect((await search(chain)).provider).toBe('delicate')
    expect(chain.describe()[0]).toMatchObject({ condition: 'answering', lastFailure: { failure } })
  },
)

test('an engine tells its last answer, its last failure in words, its median, and when it is left alone', async () => {
  const engine = scripted('engine', [HITS, 'misconfigured'])
  const chain = createProviderChain([[engine.provider], [scripted('reserve', [HITS]).provider]], FAST)
  expect(chain.describe()[0]).toEqual({
    name: 'engine',
    condition: 'untried',
    failingSince: null,
    lastAnswerAt: null,
    lastFailure: null,
    medianMs: null,
  })
  await search(chain)
  const answered = { lastAnswerAt: expect.any(Date), medianMs: expect.any(Number) }
  expect(chain.describe()[0]).toMatchObject({ condition: 'answering', lastFailure: null, ...answered })
  await search(chain)
  const lastFailure = { failure: 'misconfigured', message: 'engine: scripted misconfigured' }
  expect(chain.describe()[0]).toMatchObject({ condition: 'failing', lastFailure, ...answered })
  await untilLeftAlone(chain, engine.state)
})

test('asked to prove itself, an engine is asked one plain question, and what comes of it is told', async () => {
  const well = scripted('well', [[]])
  const dead = scripted('dead', ['rate_limited'])
  const chain = createProviderChain([[well.provider], [dead.provider]], FAST)
  await chain.probe()
  expect(chain.describe().map(({ name, condition }) => [name, condition])).toEqual([
    ['well', 'answering'],
    ['dead', 'resting'],
  ])
  expect([well.state.calls, dead.state.calls]).toEqual([1, 1])
})

test('that the embedded engine knows nothing never stands for an engine that failed', async () => {
  const embedded = { ...scripted('library', [[]]).provider, isEmbedded: true }
  const failing = createProviderChain([[scripted('web', ['unreachable']).provider], [embedded]], FAST)
  await expect(search(failing)).rejects.toThrow(NoProviderAnsweredError)
  const silent = createProviderChain([[scripted('web', [[]]).provider], [embedded]], FAST)
  expect(await search(silent)).toMatchObject({ hits: [], provider: 'web' })
  const alone = createProviderChain([[embedded]], FAST)
  expect(await search(alone)).toMatchObject({ hits: [], provider: 'library' })
})

test('queries that an engine refuses do not shut it off for others', async () => {
  const picky = scripted('picky', [...Array.from({ length: 10 }, () => 'refused' as const), HITS])
  const chain = createProviderChain([[picky.provider], [scripted('reserve', [HITS]).provider]], FAST)
  for (let count = 0; count < 10; count += 1) await search(chain)
  expect((await search(chain)).provider).toBe('picky')
})

test("while an engine rests, nobody is told that it refused his query because it refused another's", async () => {
  let refuse: (() => void) | undefined
  const engine = scripted('engine', [
    async () => {
      await new Promise<void>((resolve) => (refuse = resolve))
      throw new ProviderError('engine', 'refused', 'status 400')
    },
    'rate_limited',
  ])
  const chain = createProviderChain([[engine.provider]], FAST)
  const odd = search(chain).catch(isRefusedQuery)
  await vi.waitFor(() => expect(refuse).toBeDefined())
  expect(await search(chain).catch(isRefusedQuery)).toBe(false)
  refuse?.()
  expect(await odd).toBe(true)
  expect(await search(chain).catch(isRefusedQuery)).toBe(false)
  expect(engine.state.calls).toBe(2)
})

test('an engine that proves itself while it rests is asked again at once', async () => {
  const engine = scripted('engine', ['rate_limited', HITS])
  const chain = createProviderChain([[engine.provider]], FAST)
  await expect(search(chain)).rejects.toThrow(NoProviderAnsweredError)
  await chain.probe('engine')
  expect(chain.describe()[0]?.condition).toBe('answering')
  expect((await search(chain)).hits).toEqual(HITS)
})

test('an engine that hangs is cut off at its time limit, its call ended, and the next one asked', async () => {
  const hanging = scripted('hanging', ['hang'])
  const chain = createProviderChain([[hanging.provider], [scripted('second', [HITS]).provider]], {
    ...FAST,
    timeoutMs: 50,
  })
  expect(await search(chain)).toMatchObject({
    provider: 'second',
    failures: [{ provider: 'hanging', failure: 'timeout' }],
  })
  expect(hanging.state.abortedCalls).toBe(1)
})

test('a slow engine gets a reserve beside it, and still answers when it comes in time', async () => {
  const slow = scripted('slow', [() => new Promise((resolve) => setTimeout(() => resolve(HITS), 100))])
  const reserve = scripted('reserve', [[hit('https://reserve.example/')]])
  const answer = await search(
    createProviderChain([[slow.provider], [reserve.provider]], { ...FAST, hedgeAfterMs: 5 }),
  )
  expect(answer.provider).toBe('slow')
  expect(reserve.state.calls).toBe(1)
})

test('when the time is up the reserve answers in place of the hanging engine', async () => {
  const hanging = scripted('hanging', ['hang'])
  const chain = createProviderChain([[hanging.provider], [scripted('reserve', [HITS]).provider]], {
    ...FAST,
    hedgeAfterMs: 20,
  })
  expect((await search(chain, AbortSignal.timeout(500))).provider).toBe('reserve')
})

test('a hanging engine is left alone in the end although the caller always gave up first', async () => {
  const hanging = scripted('hanging', ['hang'])
  const chain = createProviderChain([[hanging.provider], [scripted('reserve', [HITS]).provider]], {
    ...FAST,
    hedgeAfterMs: 5,
    timeoutMs: 400,
  })
  const calls = await untilLeftAlone(chain, hanging.state)
  await search(chain)
  expect(hanging.state.calls).toBe(calls)
})

test('a caller who goes away ends every call with his own reason, and no engine is blamed', async () => {
  const hanging = scripted('hanging', ['hang', 'hang', 'hang', 'hang', HITS])
  const chain = createProviderChain([[hanging.provider]], { ...FAST, slowAfterMs: 10_000 })
  for (let count = 0; count < 4; count += 1) {
    const gone = new AbortController()
    setTimeout(() => gone.abort(new Error('gone')), 5)
    await expect(search(chain, gone.signal)).rejects.toThrow('gone')
  }
  expect(hanging.state.abortedCalls).toBe(4)
  expect((await search(chain)).provider).toBe('hanging')
})

test('engines asked together are fused by reciprocal rank: what both found comes first', async () => {
  const one = scripted('one', [[hit('https://a.example/'), hit('https://both.example/page?utm_source=one')]])
  const two = scripted('two', [[hit('https://www.both.example/page/'), hit('https://b.example/')]])
  const answer = await search(createProviderChain([[one.provider, two.provider]], FAST))
  expect(answer.provider).toBe('one+two')
  expect(answer.hits.map(({ url }) => url)).toEqual([
    'https://both.example/page',
    'https://a.example/',
    'https://b.example/',
  ])
})

test('of engines asked together one that hangs costs the patience, not the answer', async () => {
  const hanging = scripted('hanging', ['hang'])
  const chain = createProviderChain([[hanging.provider, scripted('quick', [HITS]).provider]], {
    ...FAST,
    patienceMs: 20,
  })
  expect(await search(chain)).toMatchObject({
    hits: HITS,
    provider: 'quick',
    failures: [{ provider: 'hanging', failure: 'timeout' }],
  })
  expect(hanging.state.abortedCalls).toBe(1)
})

test('a filter counts as native only when every engine that answered applies it', async () => {
  const able = scripted('able', [HITS])
  const unable = scripted('unable', [HITS], { recency: false })
  const chain = createProviderChain([[able.provider, unable.provider]], FAST)
  const filtered = { ...QUESTION, recency: 'week', includeDomains: ['example.org'] } as const
  const { applied } = await chain.findHits(filtered, AbortSignal.timeout(20_000))
  expect(applied).toEqual({
    recency: 'after',
    language: 'native',
    includeDomains: 'native',
    excludeDomains: 'none',
  })
})

test('no engine is asked for more than it can give', async () => {
  const small = scripted('small', [HITS], { maxCount: 3 })
  await search(createProviderChain([[small.provider]], FAST))
  expect(small.state.askedFor).toEqual([3])
})

test('addresses that are no web pages and twins never leave the chain', async () => {
  const urls = [
    'ftp://example.org/file',
    'javascript:alert(1)',
    'https://example.org:443/page/?utm_campaign=x#part',
    'http://www.example.org/page',
    'not an address',
  ]
  const answer = await search(createProviderChain([[scripted('engine', [urls.map(hit)]).provider]], FAST))
  expect(answer.hits.map(({ url }) => url)).toEqual(['https://example.org/page/'])
})

test('an engine with a fault of ours in it fails like any other', async () => {
  const faulty = scripted('faulty', [
    async () => Promise.reject(new TypeError('undefined is not a function')),
  ])
  const chain = createProviderChain([[faulty.provider], [scripted('reserve', [HITS]).provider]], FAST)
  expect(await search(chain)).toMatchObject({
    provider: 'reserve',
    failures: [{ provider: 'faulty', failure: 'bad_answer' }],
  })
})

test('however many searches ask an engine at once, Node has no leak to warn of', async () => {
  const warnings: Error[] = []
  const listen = (warning: Error): unknown => warnings.push(warning)
  process.on('warning', listen)
  try {
    const slow = scripted('slow', [() => new Promise((resolve) => setTimeout(resolve, 20, HITS))])
    const chain = createProviderChain([[slow.provider]], FAST)
    await Promise.all(Array.from({ length: 50 }, () => search(chain)))
    expect(slow.state.calls).toBe(50)
  } finally {
    process.off('warning', listen)
  }
  expect(warnings).toEqual([])
})
