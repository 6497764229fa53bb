import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRedisHostLock } from '../../../src/library/crawl/redis-host-lock.ts'
import { type HostLock, createHostLock } from '../../../src/library/crawl/host-lock.ts'
import { openQueueRedis, type OpenRedis } from '../../../src/connections/redis.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { hasRedis, startRedis, type RedisServer } from '../../support/redis.ts'

const never = new AbortController().signal
const HOLD_MS_MAX = 1_000

/** A turn that lasts until `end` is called; `begun` tells when it has come. */
function hold(hostLock: HostLock, host: string, signal: AbortSignal = never) {
  let end = (): void => undefined
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const ended = new Promise<void>((resolve) => (end = resolve))
  const work = (): Promise<void> => {
    begin()
    return ended
  }
  return { begun, end: () => end(), done: hostLock.run(host, 0, work, signal) }
}

/** `open` gives the turns of `count` crawls that share them. */
function describeHostLock(where: string, open: (count: number) => Promise<HostLock[]>): void {
  describe(`hostLock ${where}`, () => {
    test('only one has the turn at a host, and the pause lies before the next', async () => {
      const at = { now: 0, max: 0 }
      let endedMs = -Infinity
      const pausesMs: number[] = []
      const askOnce = async (): Promise<void> => {
        pausesMs.push(performance.now() - endedMs)
        at.now += 1
        at.max = Math.max(at.max, at.now)
        await sleep(5)
        at.now -= 1
        endedMs = performance.now()
      }
      const crawl = async (hostLock: HostLock): Promise<void> => {
        for (let page = 0; page < 4; page += 1) await hostLock.run('one.example', 20, askOnce, never)
      }
      await Promise.all((await open(5)).map(crawl))
      expect(pausesMs).toHaveLength(20)
      expect(at.max).toBe(1)
      expect(Math.min(...pausesMs)).toBeGreaterThanOrEqual(19)
    })

    test('hostLock at different hosts wait for nobody', async () => {
      const [hostLock] = await open(1)
      const held = hold(hostLock!, 'held.example')
      await held.begun
      expect(await hostLock!.run('free.example', 0, async () => 'done', never)).toBe('done')
      held.end()
      await held.done
    })

    test('a turn whose work fails is over, and the failure is told', async () => {
      const [hostLock] = await open(1)
      const fail = (): Promise<never> => Promise.reject(new Error('page gone'))
      await expect(hostLock!.run('failing.example', 0, fail, never)).rejects.toThrow('page gone')
      expect(await hostLock!.run('failing.example', 0, async () => 'next', never)).toBe('next')
    })

    test('who goes away while waiting leaves the turn to those behind, who still wait for the one before', async () => {
      const [first, second, third] = await open(3)
      const held = hold(first!, 'left.example')
      await held.begun
      const order: string[] = []
      const gone = new AbortController()
      const waiting = second!.run('left.example', 0, async () => order.push('second'), gone.signal)
      const behind = third!.run('left.example', 0, async () => order.push('third'), never)
      gone.abort(new Error('gone'))
      order.push('first ends')
      held.end()
      await expect(waiting).rejects.toThrow('gone')
      await behind
      expect(order).toEqual(['first ends', 'third'])
    })
  })
}

describeHostLock('within one process', async (count) => {
  const hostLock = createHostLock()
  return Array.from({ length: count }, () => hostLock)
})

describe.skipIf(!hasRedis)('with Redis', () => {
  let server: RedisServer
  const opened: OpenRedis[] = []
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(async () => {
    for (const redis of opened) await redis.close()
    await server?.stop()
  })
  const open = (count: number): Promise<HostLock[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const redis = await openQueueRedis(server.url, { log: createLogger('silent') })
        opened.push(redis)
        return createRedisHostLock({ redis: redis.client, holdMsMax: HOLD_MS_MAX })
      }),
    )

  describeHostLock('among replicas', open)

  test('a holder that dies holds nobody up for longer than a turn may last, and comes too late to end it', async () => {
    const [dead, next, third] = await open(3)
    const ofDead = hold(dead!, 'dead.example')
    await ofDead.begun
    const ofNext = hold(next!, 'dead.example')
    await ofNext.begun
    // It was only frozen: the turn it ends is no longer its own.
    ofDead.end()
    await ofDead.done
    const ofThird = hold(third!, 'dead.example')
    let isBegun = false
    void ofThird.begun.then(() => (isBegun = true))
    await sleep(HOLD_MS_MAX / 4)
    expect(isBegun).toBe(false)
    ofNext.end()
    await ofThird.begun
    ofThird.end()
    await ofThird.done
  })

  test('hostLock wait for a Redis that is away, and go on when it is back', async () => {
    const [hostLock] = await open(1)
    await hostLock!.run('away.example', 0, async () => undefined, never)
    await server.kill()
    const waiting = hostLock!.run('away.example', 0, async () => 'done', never)
    await server.start()
    expect(await waiting).toBe('done')
  })
})
