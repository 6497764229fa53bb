// The order in which requests that arrive together are taken up, over real sockets.
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import { createScheduler, waitOf } from '../../../src/http/request/scheduler.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'

/** Of one request: long enough for whatever was sent to arrive in the meantime. */
const WORK_MS = 10

let server: Server
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await endServer(server)
})

/**
 * A server whose every answer but /health keeps the thread busy; it tells what `arrived`, what was `begun`, and how
 * long that had `waited`.
 */
async function startBusyServer(clients: number) {
  const arrived: string[] = []
  const begun: string[] = []
  const waited: number[] = []
  const inTurns = createScheduler((request, response) => {
    begun.push(request.url ?? '')
    waited.push(waitOf(request))
    const endsAtMs = performance.now() + WORK_MS
    while (request.url !== '/health' && performance.now() < endsAtMs);
    response.end('done')
  })
  server = createServer((request, response) => {
    arrived.push(request.url ?? '')
    inTurns(request, response)
  })
  const port = Number(new URL(await listenOnLoopback(server)).port)
  for (let client = 0; client < clients; client += 1) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    sockets.push(socket)
  }
  return {
    arrived,
    begun,
    waited,
    ask: (client: number, path: string) =>
      sockets[client]?.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n`),
  }
}

const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)

it('/health is answered between two turns, however many requests came before it', async () => {
  const { begun, ask } = await startBusyServer(21)
  for (const [client, path] of paths(20).entries()) ask(client, path)
  ask(20, '/health')
  await vi.waitFor(() => expect(begun).toHaveLength(21), 10_000)
  expect(begun.indexOf('/health')).toBeLessThan(5)
})

it('the wait for a turn is known, so that deadlines and latencies count from the arrival', async () => {
  const { begun, waited, ask } = await startBusyServer(21)
  for (const [client, path] of paths(20).entries()) ask(client, path)
  ask(20, '/health')
  await vi.waitFor(() => expect(begun).toHaveLength(21), 10_000)
  expect(waited[begun.indexOf('/health')]).toBe(0)
  expect(waited.at(-1)).toBeGreaterThan(WORK_MS)
})

it('everything else is taken up in the order of its arrival, all of it', async () => {
  const { arrived, begun, ask } = await startBusyServer(20)
  for (const [client, path] of paths(20).entries()) ask(client, path)
  await vi.waitFor(() => expect(begun).toHaveLength(20), 10_000)
  expect(begun).toEqual(arrived)
})

it('a request whose client leaves before its turn is not begun', async () => {
  const { begun, ask } = await startBusyServer(21)
  for (const [client, path] of paths(20).entries()) ask(client, path)
  ask(20, '/left')
  await vi.waitFor(() => expect(begun.length).toBeGreaterThan(0), 10_000)
  sockets[20]?.destroy()
  await vi.waitFor(() => expect(begun.filter((path) => path !== '/left')).toHaveLength(20), 10_000)
  expect(begun).not.toContain('/left')
})
