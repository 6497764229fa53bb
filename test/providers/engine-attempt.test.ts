// What is told of an engine that searches leave alone: once that it is, and nothing of the searches that did not ask it.
import { afterEach, expect, test, vi } from 'vitest'
import {
  CHAIN_DEFAULTS,
  type ChainOptions,
  createProviderChain,
  NoProviderAnsweredError,
} from '../../src/providers/chain.ts'
import { ProviderError, type SearchProvider } from '../../src/providers/provider.ts'
import { EVERY_CAPABILITY, QUESTION } from './engines/provider-contract.ts'

afterEach(() => void vi.useRealTimers())

/** An engine that fails as `fail` says, and what was told of it. */
function watch(fail: () => ProviderError, limits: ChainOptions = {}) {
  const told = { asked: 0, failures: [] as string[], rests: [] as { failure: string; forMs: number }[] }
  const provider: SearchProvider = {
    name: 'engine',
    capabilities: EVERY_CAPABILITY,
    search() {
      told.asked += 1
      return Promise.reject(fail())
    },
  }
  const chain = createProviderChain([[provider]], {
    retries: 0,
    ...limits,
    onFailure: ({ message }) => told.failures.push(message),
    onLeftAlone: ({ failure, until }) => told.rests.push({ failure, forMs: until.getTime() - Date.now() }),
  })
  /** Gives why the engine did not answer. */
  const search = async (): Promise<unknown> => {
    const error: unknown = await chain.findHits(QUESTION, AbortSignal.timeout(20_000)).catch(Object)
    return error instanceof NoProviderAnsweredError ? error.errors[0] : error
  }
  return { told, search, condition: () => chain.describe()[0]?.condition }
}

test('an engine that asked us to wait has failed once, however many searches come meanwhile, and until when is told once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const limited = () => new ProviderError('engine', 'rate_limited', 'status 429', { retryAfterSeconds: 40 })
  const { told, search } = watch(limited)
  for (let count = 0; count < 5; count += 1) await search()
  expect(told).toEqual({
    asked: 1,
    failures: ['engine: status 429'],
    rests: [{ failure: 'rate_limited', forMs: 40_000 }],
  })
})

test('of questions that are under way together and are all told to wait, one rest is told', async () => {
  const { told, search } = watch(() => new ProviderError('engine', 'rate_limited', 'status 429'))
  await Promise.all([search(), search(), search()])
  expect([told.asked, told.failures.length, told.rests.length]).toEqual([3, 3, 1])
})

/** Asks an engine that never answers until it is left alone; the clocks stand still from then on. */
async function leaveAlone() {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const breakMsMax = 60_000
  const { told, condition, search } = watch(() => new ProviderError('engine', 'timeout', 'no answer'), {
    breakMsMax,
  })
  for (let count = 0; count < CHAIN_DEFAULTS.breakAfterFailures; count += 1) await search()
  await vi.waitFor(() => expect(condition()).toBe('left_alone'))
  return { told, search, breakMsMax }
}

test('an engine left alone after failures has failed as often as it was asked, and each pause is told when it begins', async () => {
  const { told, search, breakMsMax } = await leaveAlone()
  for (let count = 0; count < 5; count += 1) await search()
  // The plain question is the last of them.
  expect(told.asked).toBe(CHAIN_DEFAULTS.breakAfterFailures + 1)
  expect(told.failures).toHaveLength(told.asked)
  expect(told.rests).toEqual([{ failure: 'timeout', forMs: expect.any(Number) }])
  expect(told.rests[0]?.forMs).toBeGreaterThan(0)
  vi.advanceTimersByTime(breakMsMax)
  await search()
  expect(told.rests).toHaveLength(2)
  expect(told.failures).toHaveLength(told.asked)
})

test('an engine is left alone no longer than was told where the clock is set back by a day meanwhile', async () => {
  const { told, search, breakMsMax } = await leaveAlone()
  const asked = told.asked
  vi.setSystemTime(Date.now() - 86_400_000)
  await search()
  expect(told.asked).toBe(asked)
  vi.advanceTimersByTime(breakMsMax)
  await search()
  expect(told.asked).toBe(asked + 1)
})

test('a search that did not ask is told so, and why', async () => {
  const { search } = watch(() => new ProviderError('engine', 'rate_limited', 'status 429'))
  await search()
  expect(await search()).toMatchObject({
    failure: 'rate_limited',
    message: 'engine: not asked, left alone after "status 429"',
  })
})
