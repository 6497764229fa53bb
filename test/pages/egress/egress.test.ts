import { once } from 'node:events'
import { lookup } from 'node:dns/promises'
import net from 'node:net'
import { hostname } from 'node:os'
import { request } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { AddressRefusedError } from '../../../src/pages/egress/address-policy.ts'
import { openEgress, type Egress, type EgressOptions } from '../../../src/pages/egress/egress.ts'
import { page, startPageServer, type PageServer } from '../../support/page-server.ts'

/** This machine's own name is usually in its hosts file and in no DNS. */
const ownAddress = await lookup(hostname(), 4).then(
  ({ address }) => address,
  () => null,
)

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const thing of opened.splice(0).toReversed()) await thing.close()
})

function egressWith(options: EgressOptions): Egress {
  const egress = openEgress(options)
  opened.push(egress)
  return egress
}

async function site(host = '127.0.0.1'): Promise<PageServer> {
  const server = await startPageServer({ '/': page('Home', `<p>served by ${host}</p>`) }, { host })
  opened.push(server)
  return server
}

async function textOf(egress: Egress, url: string): Promise<string> {
  const answer = await request(url, { dispatcher: egress.dispatcher })
  return answer.body.text()
}

const unreachable = (reason: string) => expect.objectContaining({ name: 'UnreachableHostError', reason })
const refused = (reason: string) => expect.objectContaining({ name: 'AddressRefusedError', reason })

describe('nothing private is reached', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]'])(
    'an address that is spelled in the URL is refused before a socket is opened: %s',
    async (host) => {
      const server = await site()
      const egress = egressWith({ allow: [] })
      await expect(textOf(egress, `http://${host}:${server.port}/`)).rejects.toBeInstanceOf(
        AddressRefusedError,
      )
      expect(server.connections()).toBe(0)
    },
  )

  it.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['168.63.129.16'],
    ['not an address'],
    ['8.8.8.8', '127.0.0.1'],
    ['2606:4700:4700::1111', '::1'],
  ])('a public name is refused when one of its addresses is not public: %s %s', async (...addresses) => {
    const egress = egressWith({ allow: [], resolve: async () => addresses.filter(Boolean) })
    await expect(textOf(egress, 'http://rebind.example/')).rejects.toEqual(refused('not_public'))
  })

  it('a public name that resolves to an allowed private address stays refused', async () => {
    const server = await site()
    const egress = egressWith({
      allow: [`127.0.0.1:8080`, '127.0.0.0/8'],
      resolve: async () => ['127.0.0.1'],
    })
    await expect(textOf(egress, 'http://rebind.example:8080/')).rejects.toEqual(refused('not_public'))
    expect(server.connections()).toBe(0)
  })

  it('a name that answers a public address first and a private one afterwards never reaches the private one', async () => {
    const server = await site()
    const answers = [['93.184.215.14'], ['127.0.0.1']]
    let questions = 0
    // No socket may be opened, so that the test sends nothing to the public address: "busy" means that it was judged fine.
    const egress = egressWith({
      allow: [],
      limits: { connections: 0, resolveCacheMs: 1 },
      resolve: async () => answers[questions++] ?? [],
    })
    await expect(textOf(egress, 'http://rebind.example:8080/')).rejects.toEqual(unreachable('busy'))
    expect(questions).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    await expect(textOf(egress, 'http://rebind.example:8080/')).rejects.toEqual(refused('not_public'))
    expect(questions).toBe(2)
    expect(server.connections()).toBe(0)
  })

  it('the address that was judged is the one that is dialled, with one question to the resolver', async () => {
    const judged = await site('127.0.0.2')
    const other = await startPageServer({}, { host: '127.0.0.3' })
    opened.push(other)
    const answers = [['127.0.0.2'], ['127.0.0.3']]
    const egress = egressWith({ allow: ['wiki.corp'], resolve: async () => answers.shift() ?? [] })
    expect(await textOf(egress, `http://wiki.corp:${judged.port}/`)).toContain('served by 127.0.0.2')
    expect(answers).toHaveLength(1)
    expect(other.connections()).toBe(0)
  })
})

describe('what the operator allows is reached on any port', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.0/8', '127.0.0.1'],
    ['127.0.0.0/8', 'localhost'],
    ['localhost', 'localhost'],
    ['localhost', '127.0.0.1'],
    ['127.0.0.1', 'shop.localhost'],
  ])('EGRESS_ALLOW=%s reaches http://%s', async (entry, host) => {
    const server = await site()
    const egress = egressWith({ allow: [entry] })
    expect(await textOf(egress, `http://${host}:${server.port}/`)).toContain('served by')
  })

  it.skipIf(ownAddress === null)('an allowed name is found where the operating system finds it', async () => {
    const server = await site(ownAddress ?? '')
    const egress = egressWith({ allow: [hostname()] })
    expect(await textOf(egress, `http://${hostname()}:${server.port}/`)).toContain('served by')
  })

  it('a second address is tried when the first one refuses the connection', async () => {
    const server = await site('127.0.0.2')
    const egress = egressWith({ allow: ['wiki.corp'], resolve: async () => ['127.0.0.4', '127.0.0.2'] })
    expect(await textOf(egress, `http://wiki.corp:${server.port}/`)).toContain('served by 127.0.0.2')
  })
})

describe('what cannot be reached fails in a defined way and time', () => {
  it('a name without address', async () => {
    const egress = egressWith({ allow: [], resolve: async () => [] })
    await expect(textOf(egress, 'http://nowhere.example/')).rejects.toEqual(unreachable('name'))
  })

  it('a resolver that never answers', async () => {
    const egress = egressWith({
      allow: [],
      limits: { resolveTimeoutMs: 50 },
      resolve: () => new Promise(() => undefined),
    })
    await expect(textOf(egress, 'http://slow.example/')).rejects.toEqual(unreachable('name'))
  })

  it('a failed answer is not kept: the next request asks again', async () => {
    const server = await site()
    const answers: (() => Promise<string[]>)[] = [
      () => Promise.reject(new Error('SERVFAIL')),
      async () => ['127.0.0.1'],
    ]
    const egress = egressWith({
      allow: ['wiki.corp'],
      resolve: () => (answers.shift() ?? (async () => []))(),
    })
    await expect(textOf(egress, `http://wiki.corp:${server.port}/`)).rejects.toEqual(unreachable('name'))
    expect(await textOf(egress, `http://wiki.corp:${server.port}/`)).toContain('served by')
  })

  it('a port on which nothing listens', async () => {
    const server = await site()
    await server.close()
    opened.pop()
    const egress = egressWith({ allow: ['127.0.0.1'] })
    await expect(textOf(egress, server.url('/'))).rejects.toEqual(unreachable('connection'))
  })

  it('more sockets than the process may hold are refused as busy', async () => {
    const server = await startPageServer({ '*': () => undefined })
    opened.push(server)
    const egress = egressWith({ allow: ['127.0.0.1'], limits: { connections: 2 } })
    const gone = new AbortController()
    const held = [1, 2].map((n) =>
      request(server.url(`/${n}`), { dispatcher: egress.dispatcher, signal: gone.signal }).catch(() => null),
    )
    await expect.poll(() => server.requests.length).toBe(2)
    await expect(textOf(egress, server.url('/3'))).rejects.toEqual(unreachable('busy'))
    gone.abort()
    await Promise.all(held)
  })

  it('close ends while a peer keeps its half of every connection open', async () => {
    const server = net.createServer({ allowHalfOpen: true }, (socket) => socket.on('error', () => undefined))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const egress = openEgress({ allow: ['127.0.0.1'] })
    const waiting = textOf(egress, `http://127.0.0.1:${port}/`).catch((error: unknown) => error)
    await once(server, 'connection')
    await egress.close()
    expect(await waiting).toBeInstanceOf(Error)
    server.close()
  })
})

describe('an IPv6 address', () => {
  it('spelled in a URL is reached when it may be, and refused as itself when it may not', async () => {
    const server = await site('::1')
    const open = egressWith({ allow: [`[::1]:${server.port}`] })
    expect(await textOf(open, `http://[::1]:${server.port}/`)).toContain('served by ::1')
    await expect(textOf(egressWith({ allow: [] }), `http://[::1]:${server.port}/`)).rejects.toEqual(
      refused('not_public'),
    )
    // No socket may be opened: "busy" means that a public address was judged fine.
    const nowhere = egressWith({ allow: [], limits: { connections: 0 } })
    await expect(textOf(nowhere, 'http://[2606:4700:4700::1111]/')).rejects.toEqual(unreachable('busy'))
  })
})

describe('the service itself', () => {
  it('is opened at the pages that are named, and nowhere else', async () => {
    const origin = 'http://127.0.0.1:3000'
    const { checkUrl } = egressWith({ allow: [], ownPages: [`${origin}/docs`] })
    for (const path of ['/docs', '/docs/', '/docs/api', '/docs/a?b#c', '/x/../docs/api'])
      expect(checkUrl(origin + path).pathname).toMatch(/^\/docs/u)
    const elsewhere = [
      '/',
      '/status',
      '/metrics',
      '/docs-old',
      '/docs/../status',
      '/docs/%2e%2e/status',
      '/DOCS',
    ]
    const asked = [
      ...elsewhere.map((path) => origin + path),
      'http://localhost:3000/status',
      'http://[::ffff:127.0.0.1]:3000/status',
      'http://127.0.0.1:3001/docs',
      'https://127.0.0.1:3000/docs',
    ]
    for (const url of asked) expect(() => checkUrl(url)).toThrow(AddressRefusedError)
  })

  it('is all open to an operator who allows its address', () => {
    const { checkUrl } = egressWith({ allow: ['127.0.0.1:3000'], ownPages: ['http://127.0.0.1:3000/docs'] })
    expect(checkUrl('http://127.0.0.1:3000/status').pathname).toBe('/status')
  })

  it('cannot be tunnelled to', async () => {
    const server = await site()
    const egress = egressWith({ allow: [], ownPages: [server.url('/docs')] })
    const proxy = await egress.listenProxy(1_000_000)
    const socket = net.connect(Number(new URL(proxy.url).port), '127.0.0.1')
    const target = `127.0.0.1:${server.port}`
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
    const [answer]: unknown[] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 403/u)
    expect(server.connections()).toBe(0)
    socket.destroy()
  })
})
