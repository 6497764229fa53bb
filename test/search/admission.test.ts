import { describe, expect, test, vi } from 'vitest'
import { taskOwner } from '../../src/concurrency/turns/task-owner.ts'
import type { SearchRequest } from '../../src/contract.ts'
import { ApiError } from '../../src/errors.ts'
import { createAdmission, searchesAtOnce } from '../../src/search/admission.ts'
import type { SearchOutcome } from '../../src/search/search-context.ts'

const REQUEST: SearchRequest = {
  query: 'q',
  num_results: 5,
  max_snippets_per_result: 3,
  search_depth: 'precise',
  include_domains: [],
  exclude_domains: [],
  isLanguageGiven: false,
  recency: null,
  language: 'en',
  include: [],
}
const CONTEXT = { arrivedAtMs: 0, callerId: 'key', fresh: false }
const OUTCOME = {} as SearchOutcome
const never = new AbortController().signal

/** A gate before searches that end when the test says so, in the order in which they started. */
function gate(options: { concurrency: number; queue: number }) {
  const started: { query: string; end: (error?: Error) => void }[] = []
  const search = (request: SearchRequest): Promise<SearchOutcome> =>
    new Promise((resolve, reject) =>
      started.push({
        query: request.query,
        end: (error) => (error === undefined ? resolve(OUTCOME) : reject(error)),
      }),
    )
  const admission = createAdmission(search, options)
  const ask = (query: string, signal: AbortSignal = never) =>
    admission.search({ ...REQUEST, query }, CONTEXT, signal)
  /** A search whose query begins with its caller's name; its refusal is an answer, too. Patient, so that time is no reason. */
  const askAs = (query: string) =>
    admission
      .search(
        { ...REQUEST, query, search_depth: 'exhaustive' },
        { ...CONTEXT, callerId: query.charAt(0) },
        never,
      )
      .then(
        () => 'answered',
        (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
      )
  return { ask, askAs, started, load: admission.load }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('admission', () => {
  test('runs so many at once, lets so many wait, and refuses the next at once', async () => {
    const { ask, started, load } = gate({ concurrency: 2, queue: 1 })
    const inside = [ask('a'), ask('b'), ask('c')]
    await settle()
    expect(started.map(({ query }) => query)).toEqual(['a', 'b'])
    expect(load()).toEqual({ running: 2, waiting: 1 })
    await expect(ask('d')).rejects.toMatchObject({ status: 429, code: 'overloaded' })
    started[0]?.end()
    await settle()
    expect(started.map(({ query }) => query)).toEqual(['a', 'b', 'c'])
    for (const one of started.slice(1)) one.end()
    await Promise.all(inside)
    expect(load()).toEqual({ running: 0, waiting: 0 })
  })

  test('hands a free place to the first that waits, never to a newcomer', async () => {
    const { ask, started } = gate({ concurrency: 1, queue: 1 })
    const inside = [ask('first'), ask('waits')]
    await settle()
    started[0]?.end()
    await inside[0]
    const newcomer = ask('newcomer')
    await settle()
    expect(started.map(({ query }) => query)).toEqual(['first', 'waits'])
    started[1]?.end()
    await inside[1]
    await settle()
    started[2]?.end()
    await expect(newcomer).resolves.toBe(OUTCOME)
  })

  test('gives a place back when a search fails', async () => {
    const { ask, started, load } = gate({ concurrency: 1, queue: 0 })
    const failing = ask('fails')
    await settle()
    started[0]?.end(new Error('no'))
    await expect(failing).rejects.toThrow('no')
    expect(load().running).toBe(0)
  })

  test('a client that leaves while it waits frees its place in the queue and is never searched for', async () => {
    const { ask, started, load } = gate({ concurrency: 1, queue: 1 })
    const running = ask('runs')
    const controller = new AbortController()
    const waiting = ask('leaves', controller.signal)
    await settle()
    controller.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    expect(load()).toEqual({ running: 1, waiting: 0 })
    const next = ask('next')
    await settle()
    started[0]?.end()
    await running
    await settle()
    started[1]?.end()
    await next
    expect(started.map(({ query }) => query)).toEqual(['runs', 'next'])
  })

  test('a rush before the first search has ended is bounded too', async () => {
    const { ask, started, load } = gate({ concurrency: 1, queue: 100 })
    // A precise search may wait for 1 s, and half a second a search is assumed.
    const inside = [ask('runs'), ask('waits'), ask('waits longer')]
    await expect(ask('would wait too long')).rejects.toMatchObject({ code: 'overloaded' })
    expect(load()).toEqual({ running: 1, waiting: 2 })
    for (const [index, one] of inside.entries()) {
      await settle()
      started[index]?.end()
      await one
    }
  })

  test('refuses whoever would wait for longer than a quarter of its deadline, and says when to come back', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const { ask, started } = gate({ concurrency: 1, queue: 100 })
      const slow = ask('teaches that a search takes 0.6 s')
      await settle()
      vi.advanceTimersByTime(600)
      started[0]?.end()
      await slow
      // A precise search has 4 s: one place in the queue is worth 0.6 s of its 1 s of patience, two are not.
      const inside = [ask('runs'), ask('waits 0.6 s')]
      await expect(ask('would wait 1.2 s')).rejects.toMatchObject({
        code: 'overloaded',
        headers: { 'Retry-After': '2' },
      })
      await settle()
      started[1]?.end()
      await inside[0]
      await settle()
      started[2]?.end()
      await inside[1]
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('when several callers want more than there is', () => {
  /** Ends the running searches one by one, oldest first, until `count` have been started. */
  async function endUntilStarted(started: readonly { end: () => void }[], count: number): Promise<void> {
    for (let index = 0; started.length < count; index += 1) {
      started[index]?.end()
      await settle()
    }
  }
  const queriesOf = (started: readonly { query: string }[]) => started.map(({ query }) => query)

  test('places go round by key: one search of a newcomer waits for no more than one of a caller with many', async () => {
    const { askAs, started } = gate({ concurrency: 2, queue: 20 })
    const asked = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1', 'b2'].map(askAs)
    await settle()
    await endUntilStarted(started, 9)
    expect(queriesOf(started)).toEqual(['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4', 'a5', 'a6'])
    for (const one of started) one.end()
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['answered']))
  })

  test('no key gets a place that gives it more than half of them while another waits', async () => {
    const { askAs, started } = gate({ concurrency: 4, queue: 20 })
    const asked = ['a1', 'a2', 'a3', 'b1', 'a4', 'a5', 'b2', 'b3'].map(askAs)
    await settle()
    expect(queriesOf(started)).toEqual(['a1', 'a2', 'a3', 'b1'])
    started[0]?.end()
    await settle()
    // Two of a still run, so the place goes to b although a's turn came first.
    expect(queriesOf(started).at(-1)).toBe('b2')
    await endUntilStarted(started, 8)
    for (const one of started) one.end()
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['answered']))
  })

  test('a queue that one key has filled still takes another, and only the one with too many is refused', async () => {
    const { askAs, started, load } = gate({ concurrency: 1, queue: 4 })
    const flood = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map(askAs)
    const other = ['b1', 'b2', 'b3'].map(askAs)
    await settle()
    expect(load()).toEqual({ running: 1, waiting: 4 })
    await endUntilStarted(started, 5)
    for (const one of started) one.end()
    expect(await Promise.all(flood)).toEqual([
      'answered',
      'answered',
      'answered',
      'overloaded',
      'overloaded',
      'overloaded',
    ])
    expect(await Promise.all(other)).toEqual(['answered', 'answered', 'overloaded'])
  })
})

test('what a search hands over is its caller’s, also once it has waited for another’s place', async () => {
  const owners: string[] = []
  const search = async (): Promise<SearchOutcome> => {
    await settle()
    owners.push(taskOwner())
    return OUTCOME
  }
  const admission = createAdmission(search, { concurrency: 1, queue: 2 })
  const ask = (callerId: string) => admission.search(REQUEST, { ...CONTEXT, callerId }, never)
  await Promise.all([ask('a'), ask('b')])
  expect(owners).toEqual(['a', 'b'])
})

test('more searches run at once on more cores, but never more than one thread can move', () => {
  expect([1, 2, 16, 128].map(searchesAtOnce)).toEqual([4, 8, 64, 64])
})
