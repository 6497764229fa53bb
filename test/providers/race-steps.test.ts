import { EventEmitter, once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { raceSteps } from '../../src/providers/race-steps.ts'

const NEVER_MS = 60_000
const answer = (...hits: string[]) => ({ hits })
const inTime = (): AbortSignal => AbortSignal.timeout(20_000)

/** A step that is settled by hand, and tells when it is started. */
function openStep() {
  const events = new EventEmitter()
  const promise = once(events, 'settled').then(([hits]): { hits: string[] } => hits)
  const started = once(events, 'started')
  const start = () => {
    events.emit('started')
    return promise
  }
  const resolve = (hits: { hits: string[] }): void => void events.emit('settled', hits)
  return { start, started, promise, resolve }
}

test('an earlier step has precedence over a reserve that was faster, as long as it has hits', async () => {
  const [slow, reserve] = [openStep(), openStep()]
  const race = raceSteps([slow.start, reserve.start], 1, inTime())
  await reserve.started
  reserve.resolve(answer('reserve'))
  slow.resolve(answer('slow'))
  expect(await race).toEqual(answer('slow'))
})

test('a reserve stands in for a step that fails or finds nothing, and an empty answer for none', async () => {
  const failing = async () => null
  const empty = async () => answer()
  expect(await raceSteps([failing, empty, async () => answer('last')], NEVER_MS, inTime())).toEqual(
    answer('last'),
  )
  expect(await raceSteps([failing, empty], NEVER_MS, inTime())).toEqual(answer())
  expect(await raceSteps([failing, failing], NEVER_MS, inTime())).toBeNull()
  expect(await raceSteps([], NEVER_MS, inTime())).toBeNull()
})

test('a reserve that fails or finds nothing hands over at once, and one that has hits is reserve enough', async () => {
  vi.useFakeTimers()
  try {
    const started: string[] = []
    const step = (name: string, outcome: { hits: string[] } | null) => async () => {
      started.push(name)
      return outcome
    }
    const reserves = [
      step('failing', null),
      step('empty', answer()),
      step('last', answer('last')),
      step('spare', answer('spare')),
    ]
    const end = new AbortController()
    const race = raceSteps([openStep().start, ...reserves], 1_000, end.signal)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(started).toEqual(['failing', 'empty', 'last'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(started).toEqual(['failing', 'empty', 'last'])
    end.abort()
    expect(await race).toEqual(answer('last'))
  } finally {
    vi.useRealTimers()
  }
})

test('a signal that ends the race leaves the hits of a reserve, and else its reason', async () => {
  const [hanging, reserve] = [openStep(), openStep()]
  const end = new AbortController()
  const race = raceSteps([hanging.start, reserve.start], 1, end.signal)
  await reserve.started
  reserve.resolve(answer('reserve'))
  await reserve.promise
  end.abort(new Error('the client went away'))
  expect(await race).toEqual(answer('reserve'))
  await expect(raceSteps([openStep().start], NEVER_MS, end.signal)).rejects.toThrow('the client went away')
})

test('a fault of ours in a step ends the race with it', async () => {
  const broken = async (): Promise<null> => {
    throw new TypeError('a fault of ours')
  }
  await expect(raceSteps([broken, openStep().start], NEVER_MS, inTime())).rejects.toThrow('a fault of ours')
})
