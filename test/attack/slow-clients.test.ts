// Clients that take their time or their space: the limits of the listening socket, shortened so that a test can wait
// for them. Nothing is asserted about how long it takes, only who is cut off and who is served meanwhile.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import Koa from 'koa'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { allowBodyTime } from '../../src/http/request/body-time.ts'
import { followDelivery } from '../../src/http/request/delivery.ts'
import { readBody } from '../../src/http/request/json-body.ts'
import { openServer, type HttpServer, type ServerLimits } from '../../src/http/server.ts'
import { closeOf, exchange, openSocket, statusesIn } from './raw-client.ts'

const LINGER_MS = 20_000
/** More than any system takes into its own buffers for a client that does not read. */
const BIG = Buffer.alloc(64 * 1024 * 1024, 'a')
const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'

let server: HttpServer | null = null
afterEach(() => server?.close(0))

/** The real listener and body reader; the application behind them counts what got through. */
async function listen(limits: Partial<ServerLimits>) {
  const opened = await openServer({ host: '127.0.0.1', port: 0, limits: { checkMs: 50, ...limits } })
  server = opened
  const served: string[] = []
  /** How each answer ended: "whole" when its client took all of it. */
  const ended: string[] = []
  const app = new Koa()
  app.silent = true
  app.use((context, next) => {
    if (context.path === '/form') allowBodyTime(context.req, LINGER_MS)
    return next()
  })
  app.use(readBody(1_000))
  app.use(async (context) => {
    served.push(context.path)
    if (context.path === '/silent') await once(context.req.socket, 'timeout')
    const isDelivered = followDelivery(context)
    context.res.once('close', () => ended.push(isDelivered() ? 'whole' : 'cut off'))
    context.body = context.path === '/big' ? BIG : 'served'
  })
  opened.serve(app)
  return { url: `http://127.0.0.1:${opened.port}`, served, ended }
}

/** Sends `head`, then `piece` every 20 ms until the server has had enough; returns what it said. */
async function dribble(url: string, head: string, piece: string): Promise<string> {
  const socket = await openSocket(url)
  let said = ''
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
  socket.write(head)
  const timer = setInterval(() => socket.writable && socket.write(piece), 20)
  expect(await closeOf(socket, LINGER_MS)).toBe('closed')
  clearInterval(timer)
  socket.destroy()
  return said
}

describe('a slow client', () => {
  test('that never ends its headers is cut off with 408, and others are served meanwhile', async () => {
    const { url, served } = await listen({ headersMs: 300, bodyMs: 100 })
    const slow = Array.from({ length: 50 }, () =>
      dribble(url, 'GET /slow HTTP/1.1\r\nHost: a\r\n', 'X-A: b\r\n'),
    )
    expect(await (await fetch(`${url}/quick`)).text()).toBe('served')
    for (const said of await Promise.all(slow)) expect(statusesIn(said)).toEqual([408])
    expect(served).toEqual(['/quick'])
  })

  test('that dribbles its body is cut off and never reaches a route', async () => {
    const { url, served } = await listen({ headersMs: 300, bodyMs: 100 })
    const slow = [
      dribble(url, `${HEAD}Content-Length: 900\r\n\r\n`, 'a'),
      dribble(url, `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'),
    ]
    expect((await fetch(`${url}/quick`)).status).toBe(200)
    for (const said of await Promise.all(slow)) expect(statusesIn(said)).toEqual([408])
    expect(served).toEqual(['/quick'])
  })

  test('has the time for its body that its route allows, and no other has', async () => {
    const { url, served } = await listen({ bodyMs: 300 })
    const head = 'Host: a\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 4\r\n\r\n'
    const [form, other] = await Promise.all([openSocket(url), openSocket(url)])
    let said = ''
    form.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
    form.write(`POST /form HTTP/1.1\r\n${head}"`)
    other.write(`POST /other HTTP/1.1\r\n${head}"`)
    expect(await closeOf(other, LINGER_MS)).toBe('closed')
    form.write('ab"')
    await closeOf(form, LINGER_MS)
    expect([statusesIn(said), served]).toEqual([[200], ['/form']])
    form.destroy()
    other.destroy()
  })

  test('that connects and says nothing is cut off', async () => {
    const { url } = await listen({ headersMs: 200 })
    const socket = await openSocket(url)
    expect(await closeOf(socket, LINGER_MS)).toBe('closed')
    socket.destroy()
  })

  test('that keeps an idle connection after its answer is cut off', async () => {
    const { url } = await listen({ keepAliveMs: 200 })
    const socket = await openSocket(url)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(await closeOf(socket, LINGER_MS)).toBe('closed')
    socket.destroy()
  })
})

describe('a client that asks and does not read', () => {
  test('is cut off, one answer or many behind each other, and others are served meanwhile', async () => {
    const { url, ended } = await listen({ unreadMs: 300 })
    const one = await openSocket(url)
    one.write('GET /big HTTP/1.1\r\nHost: a\r\n\r\n')
    const many = await openSocket(url)
    many.write('GET /big HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20))
    expect(await (await fetch(`${url}/quick`)).text()).toBe('served')
    await expect.poll(() => ended.filter((how) => how === 'cut off').length, { timeout: 10_000 }).toBe(21)
    one.destroy()
    many.destroy()
  })

  test('because there is nothing to read yet is kept, however long the service takes', async () => {
    const { url, ended } = await listen({ unreadMs: 300 })
    const said = await exchange(
      url,
      'GET /silent HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      LINGER_MS,
    )
    expect(statusesIn(said)).toEqual([200])
    await expect.poll(() => ended).toEqual(['whole'])
  })

  test('all at once, but goes on reading, gets its answer whole', async () => {
    const { url, ended } = await listen({ unreadMs: 1_000 })
    const socket = await openSocket(url)
    let bytes = 0
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      socket.pause()
      setTimeout(() => socket.resume(), 1)
    })
    socket.write('GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await once(socket, 'close')
    expect(bytes).toBeGreaterThan(BIG.length)
    expect(ended).toEqual(['whole'])
  })

  test('enough to finish is cut off in the end, however often it takes a byte', async () => {
    const { url, ended } = await listen({ unreadMs: 10_000, deliveryMs: 500 })
    const socket = await openSocket(url)
    socket.write('GET /big HTTP/1.1\r\nHost: a\r\n\r\n')
    const timer = setInterval(() => socket.read(1), 20)
    await expect.poll(() => ended, { timeout: 10_000 }).toEqual(['cut off'])
    clearInterval(timer)
    socket.destroy()
  })
})

describe('a greedy client', () => {
  test('that sends more headers than the limit gets 431, whether one or many', async () => {
    const { url, served } = await listen({ headerBytes: 8_192 })
    for (const headers of [`X-A: ${'a'.repeat(9_000)}\r\n`, 'X-A: abcdef\r\n'.repeat(1_500)]) {
      const said = await exchange(url, `GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)
      expect(statusesIn(said)).toEqual([431])
    }
    const said = await exchange(url, `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(statusesIn(said)[0]).toBe(431)
    expect(served).toEqual([])
  })

  test('that opens more connections than the limit is refused, and has room again when it closes one', async () => {
    const { url } = await listen({ connections: 3 })
    const held = await Promise.all([1, 2, 3].map(() => openSocket(url)))
    const refused = await openSocket(url)
    refused.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(await closeOf(refused, LINGER_MS)).toBe('closed')
    for (const socket of held) socket.destroy()
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), { timeout: LINGER_MS })
  })

  test('that asks again and again without waiting for an answer is cut off, and others are served meanwhile', async () => {
    const { url, served } = await listen({})
    const greedy = await openSocket(url)
    greedy.write('GET /greedy HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10_000))
    expect(await closeOf(greedy, LINGER_MS)).toBe('closed')
    expect(await (await fetch(`${url}/quick`)).text()).toBe('served')
    expect(served.filter((path) => path === '/greedy').length).toBeLessThanOrEqual(32)
  })

  test('whose body inflates to too much gets 413, and its connection serves the next request', async () => {
    const { url } = await listen({})
    // More than the decompressor takes in before the first of it is known to be too much.
    const bomb = gzipSync(randomBytes(1_000_000))
    const head = `${HEAD}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`
    const next = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const said = await exchange(url, Buffer.concat([Buffer.from(head), bomb, Buffer.from(next)]), LINGER_MS)
    expect(statusesIn(said)).toEqual([413, 200])
  })

  test('that promises a small body and sends a large one, or inflates one, gets 413 or is cut off', async () => {
    const { url, served } = await listen({})
    const chunks = `2000\r\n${'a'.repeat(0x2000)}\r\n`.repeat(4)
    const said = await exchange(url, `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`, 1_000)
    expect(statusesIn(said)[0]).toBe(413)
    expect(served).toEqual([])
  })
})
