import Koa from 'koa'
import { expect, test } from 'vitest'
import { taskOwner } from '../../../src/concurrency/turns/task-owner.ts'
import { authenticate, type CallerState, type DoorOptions } from '../../../src/http/request/authenticate.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'
import { createServer } from 'node:http'

test('whatever a request hands to threads is its key’s, so that keys take turns with them on every route', async () => {
  const rate = {
    allowed: true,
    limit: 9,
    remaining: 9,
    resetSeconds: 1,
    windowSeconds: 1,
    retryAfterSeconds: 0,
  }
  const door: DoorOptions = {
    verifyKey: async (key) => ({ id: `id of ${key}`, rateLimitPoints: null, scopes: [], isPathToken: false }),
    consumeKeyPoint: async () => rate,
    consumeRefusalPoint: async () => rate,
  }
  const app = new Koa<CallerState>()
  app.use(authenticate(door))
  app.use(async (context) => {
    await new Promise((resolve) => setImmediate(resolve))
    context.body = taskOwner()
  })
  const listener = app.callback()
  const server = createServer((request, response) => void listener(request, response))
  const address = await listenOnLoopback(server)
  const ask = async (key: string) =>
    (await fetch(address, { headers: { Authorization: `Bearer ${key}` } })).text()
  expect(await Promise.all(['a', 'b'].map(ask))).toEqual(['id of a', 'id of b'])
  expect(taskOwner()).toBe('')
  await endServer(server)
})
