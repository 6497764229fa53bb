import { once } from 'node:events'
import http from 'node:http'
import net, { type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openEgress, type Egress, type EgressOptions } from '../../../src/pages/egress/egress.ts'
import type { EgressProxy } from '../../../src/pages/egress/browser-proxy.ts'
import {
  big,
  page,
  redirect,
  startPageServer,
  type PageServer,
  type Route,
} from '../../support/page-server.ts'

const MEGABYTE = 1 << 20
const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const thing of opened.splice(0).toReversed()) await thing.close()
})

async function proxyWith(options: Partial<EgressOptions> = {}, bytesMax = MEGABYTE): Promise<EgressProxy> {
  const egress: Egress = openEgress({ allow: ['127.0.0.1'], ...options })
  opened.push(egress)
  return egress.listenProxy(bytesMax)
}

async function serve(routes: Record<string, Route>, host = '127.0.0.1'): Promise<PageServer> {
  const server = await startPageServer(routes, { host })
  opened.push(server)
  return server
}

/** A TCP server that sends back what it gets; `closed()` counts connections that ended. */
async function echo(greeting = '') {
  const sockets = new Set<Socket>()
  let ended = 0
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => (ended += 1))
    if (greeting !== '') socket.write(greeting)
    socket.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  opened.push({
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, ended: () => ended, sockets }
}

interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
}

/** Sends a request as a browser sends it to a proxy: the whole address where the path would be. */
async function ask(
  proxy: EgressProxy,
  target: string,
  options: http.RequestOptions = {},
  body = '',
): Promise<Answer> {
  const { hostname, port } = new URL(proxy.url)
  const request = http.request({ hostname, port, path: target, agent: false, ...options })
  request.end(body)
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject)
  })
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode ?? 0, headers: response.headers, body: text }
}

/** Sends raw bytes to the proxy and gives what comes back until the first blank line, and the socket. */
async function raw(proxy: EgressProxy, text: string): Promise<{ status: string; socket: Socket }> {
  const { port } = new URL(proxy.url)
  const socket = net.connect(Number(port), '127.0.0.1')
  socket.on('error', () => socket.destroy())
  opened.push({ close: async () => void socket.destroy() })
  socket.write(text)
  let head = ''
  while (!head.includes('\r\n\r\n')) {
    const chunk: unknown = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])
    const piece = String(Array.isArray(chunk) ? chunk[0] : '')
    head += piece
    if (piece === '') break
  }
  return { status: /^HTTP\/1\.1 (\d{3})/u.exec(head)?.[1] ?? 'closed', socket }
}

const connect = (proxy: EgressProxy, target: string) =>
  raw(proxy, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)

describe('plain HTTP', () => {
  it('is fetched for the browser: method, path, body, headers and cookies arrive', async () => {
    const site = await serve({
      '*': async (request, response) => {
        let text = ''
        for await (const chunk of request) text += String(chunk)
        response.writeHead(201, { 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] })
        response.end(
          `${request.method} ${request.url} ${text} ${String(request.headers['x-ask'])} ${request.headers.host}`,
        )
      },
    })
    const proxy = await proxyWith()
    const answer = await ask(
      proxy,
      site.url('/p?q=1'),
      { method: 'POST', headers: { 'x-ask': 'z', host: 'elsewhere' } },
      'body',
    )
    expect(answer).toMatchObject({ status: 201, body: `POST /p?q=1 body z 127.0.0.1:${site.port}` })
    expect(answer.headers).toMatchObject({ 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] })
  })

  it('headers between browser and proxy stay between them', async () => {
    const site = await serve({ '/': page('A', 'a') })
    const headers = {
      'proxy-authorization': 'Basic eDp5',
      'x-forwarded-for': '10.0.0.1',
      forwarded: 'for=10.0.0.1',
      connection: 'x-secret',
      'x-secret': '1',
      te: 'trailers',
    }
    await ask(await proxyWith(), site.url('/'), { headers })
    for (const name of ['proxy-authorization', 'x-forwarded-for', 'forwarded', 'x-secret', 'te', 'via']) {
      expect(site.requests[0]?.headers[name]).toBeUndefined()
    }
  })

  it('a redirect goes back to the browser, which must ask again', async () => {
    const inner = await serve({ '/': page('Secret', 'secret') }, '127.0.0.9')
    const site = await serve({ '/': redirect(inner.url('/')) })
    const proxy = await proxyWith()
    const answer = await ask(proxy, site.url('/'))
    expect([answer.status, answer.headers.location]).toEqual([302, inner.url('/')])
    expect((await ask(proxy, inner.url('/'))).status).toBe(403)
    expect(inner.connections()).toBe(0)
  })

  it.each([
    'http://127.0.0.9/',
    'http://localhost.localdomain/',
    'http://169.254.169.254/latest/',
    'http://[::1]:80/',
    'http://0x7f.0.0.9/',
    'http://2130706441/',
    'http://user:secret@127.0.0.1/',
    'https://127.0.0.1/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    '/etc/passwd',
    '*',
    'http://redis:6379/',
    'http://example.com:22/',
    'http://metadata.google.internal/',
    'http://rebind.example/',
  ])('%s is refused and noted', async (target) => {
    const proxy = await proxyWith({ resolve: async () => ['10.0.0.1'] })
    expect((await ask(proxy, target)).status).toBe(403)
    expect(proxy.usage().refused).toEqual([{ target, reason: expect.any(String) }])
  })

  it('a site that cannot be reached is a bad gateway', async () => {
    const site = await startPageServer({})
    await site.close()
    const proxy = await proxyWith()
    expect((await ask(proxy, site.url('/'))).status).toBe(502)
    expect(proxy.usage().refused).toEqual([{ target: site.url('/'), reason: 'connection' }])
  })

  it.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n'],
    ['length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'],
    ['an unknown transfer coding', 'Transfer-Encoding: xchunked\r\n'],
    ['a folded header', 'X: a\r\n b\r\nContent-Length: 5\r\nContent-Length : 6\r\n'],
  ])('a request with %s is not passed on', async (_name, headers) => {
    const site = await serve({ '*': page('A', 'a') })
    const proxy = await proxyWith()
    await raw(proxy, `POST ${site.url('/')} HTTP/1.1\r\nHost: x\r\n${headers}\r\n12345`)
    expect(site.requests).toHaveLength(0)
  })
})

describe('tunnels', () => {
  it('carry bytes both ways and are noted by nobody', async () => {
    const server = await echo()
    const proxy = await proxyWith()
    const { status, socket } = await connect(proxy, `127.0.0.1:${server.port}`)
    expect(status).toBe('200')
    socket.write('hello')
    expect(String((await once(socket, 'data'))[0])).toBe('hello')
    expect(proxy.usage()).toMatchObject({ requests: 1, bytes: 5, refused: [] })
  })

  it.each([
    '127.0.0.9:443',
    '[::1]:443',
    '[::ffff:127.0.0.9]:443',
    '0x7f000009:443',
    '2130706441:443',
    '0177.0.0.9:443',
    '10.0.0.1:443',
    '169.254.169.254:80',
    'metadata.google.internal:80',
    'localhost.localdomain:443',
    'example.com:22',
    'example.com:25',
    'redis:6379',
    'rebind.example:443',
    'user@example.com:443',
    'example.com:443:443',
    'example.com',
    'example.com:0',
    'example.com:99999',
    '8.8.8.8:53',
    '[fe80::1%25eth0]:443',
    'http://example.com:443',
    'example.com/path:443',
  ])('to %s are refused and noted', async (target) => {
    const proxy = await proxyWith({ resolve: async () => ['8.8.8.8', '10.0.0.1'] })
    const { status } = await connect(proxy, target)
    expect(status).toMatch(/^(403|400)$/u)
    expect(proxy.usage()).toMatchObject({ bytes: 0, refused: { length: status === '403' ? 1 : 0 } })
  })

  it('to a name that answers differently every time go to the address that was judged', async () => {
    const server = await echo('judged')
    const answers = [['127.0.0.1'], ['127.0.0.9']]
    const proxy = await proxyWith({ allow: ['wiki.corp'], resolve: async () => answers.shift() ?? [] })
    expect((await connect(proxy, `wiki.corp:${server.port}`)).status).toBe('200')
    expect(answers).toHaveLength(1)
  })

  it('end at the site when the browser hangs up, and at the browser when the site does', async () => {
    const server = await echo()
    const proxy = await proxyWith()
    const first = await connect(proxy, `127.0.0.1:${server.port}`)
    first.socket.destroy()
    await expect.poll(server.ended).toBe(1)
    const second = await connect(proxy, `127.0.0.1:${server.port}`)
    for (const socket of server.sockets) socket.destroy()
    await once(second.socket, 'close')
    expect(second.socket.destroyed).toBe(true)
  })

  it('in which nothing moves are closed', async () => {
    const server = await echo()
    const proxy = await proxyWith({ limits: { tunnelIdleMs: 100 } })
    const { socket } = await connect(proxy, `127.0.0.1:${server.port}`)
    await once(socket, 'close')
    await expect.poll(server.ended).toBe(1)
  })

  it('beyond the limit of a slot are refused as busy', async () => {
    const server = await echo()
    const proxy = await proxyWith({ limits: { connectionsPerProxy: 2 } })
    const statuses = []
    for (let count = 0; count < 3; count += 1)
      statuses.push((await connect(proxy, `127.0.0.1:${server.port}`)).status)
    expect(statuses).toEqual(['200', '200', '503'])
  })

  it('cannot be had by asking for an upgrade instead', async () => {
    const server = await echo()
    const proxy = await proxyWith()
    const { status } = await raw(
      proxy,
      `GET http://127.0.0.1:${server.port}/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    )
    expect(status).toBe('closed')
  })
})

describe('the byte budget of a page', () => {
  it('cuts everything when it is used up, refuses what follows, and says so', async () => {
    const site = await serve({ '/big': big(3 * MEGABYTE), '/': page('A', 'a') })
    const proxy = await proxyWith({}, 200_000)
    await expect(ask(proxy, site.url('/big'))).rejects.toThrow(/aborted|hang up|reset/iu)
    expect(proxy.usage()).toMatchObject({ overBudget: true })
    expect((await ask(proxy, site.url('/'))).status).toBe(403)
    expect(proxy.usage().refused.at(-1)?.reason).toBe('byte_budget')
  })

  it('counts tunnels too', async () => {
    const server = await echo()
    const proxy = await proxyWith({}, 1_000)
    const { socket } = await connect(proxy, `127.0.0.1:${server.port}`)
    socket.write('x'.repeat(2_000))
    socket.resume()
    await once(socket, 'close')
    expect(proxy.usage().overBudget).toBe(true)
  })

  it('begins anew with the next page, which inherits no connection', async () => {
    const site = await serve({ '/': page('A', 'a') })
    const server = await echo()
    const proxy = await proxyWith({}, 1_000)
    const { socket } = await connect(proxy, `127.0.0.1:${server.port}`)
    proxy.start(MEGABYTE)
    await once(socket, 'close')
    expect(proxy.usage()).toEqual({ bytes: 0, requests: 0, overBudget: false, refused: [] })
    expect((await ask(proxy, site.url('/'))).status).toBe(200)
  })

  it('is each slot’s own', async () => {
    const site = await serve({ '/big': big(MEGABYTE), '/': page('A', 'a') })
    const egress = openEgress({ allow: ['127.0.0.1'] })
    opened.push(egress)
    const [one, two] = [await egress.listenProxy(1_000), await egress.listenProxy(1_000)]
    await ask(one, site.url('/big')).catch(() => null)
    expect((await ask(two, site.url('/'))).status).toBe(200)
    expect([one.usage().overBudget, two.usage().overBudget]).toEqual([true, false])
  })
})

it('the proxy listens on loopback alone, and no more after close, open tunnels or not', async () => {
  const server = await echo()
  const proxy = await proxyWith()
  const { hostname, port } = new URL(proxy.url)
  expect(hostname).toBe('127.0.0.1')
  const { socket } = await connect(proxy, `127.0.0.1:${server.port}`)
  const cut = once(socket, 'close')
  await proxy.close()
  await cut
  const refusal = net.connect(Number(port), '127.0.0.1')
  await expect(once(refusal, 'connect')).rejects.toThrow('ECONNREFUSED')
})
