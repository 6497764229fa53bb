// Who may use the browser's proxies when they listen beyond loopback.
import { once } from 'node:events'
import net from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openEgress } from '../../../src/pages/egress/egress.ts'
import { createProxyClients } from '../../../src/pages/egress/browser-proxy-access.ts'
import type { ProxyPlace } from '../../../src/pages/egress/browser-proxy.ts'
import { page, startPageServer } from '../../support/page-server.ts'

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const thing of opened.splice(0).toReversed()) await thing.close()
})

/** Strangers that were told of, and the gate. */
function gate(ranges: readonly string[], browserHost = '192.0.2.7') {
  const strangers: string[] = []
  const admits = createProxyClients({ ranges, browserHost, onStranger: (address) => strangers.push(address) })
  return { admits, strangers }
}

describe('the clients of a proxy', () => {
  it.each([
    ['the host of the browser', [], '192.0.2.7', true],
    ['the same as an IPv4-mapped address', [], '::ffff:192.0.2.7', true],
    ['another host', [], '192.0.2.8', false],
    ['this machine', [], '127.0.0.1', true],
    ['this machine by IPv6', [], '::1', true],
    ['an address of a named range', ['10.1.0.0/16'], '10.1.2.3', true],
    ['an address outside of the named ranges', ['10.1.0.0/16'], '10.2.0.1', false],
    ['a named address', ['2001:db8::5'], '2001:db8::5', true],
    ['the host of the browser when others are named', ['10.1.0.0/16'], '192.0.2.7', false],
    ['no address at all', [], '', false],
  ])('%s', async (_who, ranges, peer, expected) => {
    expect(await gate(ranges).admits(peer)).toBe(expected)
  })

  it('a stranger is told of once, however often it knocks', async () => {
    const { admits, strangers } = gate([])
    await admits('192.0.2.9')
    await admits('192.0.2.9')
    expect(strangers).toEqual(['192.0.2.9'])
  })

  it('a name is looked up', async () => {
    const { admits } = gate([], 'localhost')
    expect(await admits('127.0.0.1')).toBe(true)
    expect(await admits('192.0.2.7')).toBe(false)
  })

  it('what is neither address nor range is refused at start', () => {
    expect(() => gate(['browsers.example'])).toThrow('BROWSER_PROXY_CLIENTS')
  })
})

describe('a proxy with a gate', () => {
  const REFUSING: ProxyPlace['admits'] = async (peer) => peer !== '127.0.0.3'

  async function openGuarded(place: Partial<ProxyPlace> = {}) {
    const site = await startPageServer({ '/': page('Site', 'Text.') })
    opened.push(site)
    const proxyPlace = { host: '127.0.0.2', port: 0, admits: REFUSING, ...place }
    const egress = openEgress({ allow: ['127.0.0.1'], proxyPlace })
    opened.push(egress)
    return { site, proxy: await egress.listenProxy(1_000_000), egress }
  }

  /** What comes back for a request line, from an address of this machine. */
  async function ask(proxyUrl: string, line: string, localAddress: string): Promise<string> {
    const { hostname: host, port } = new URL(proxyUrl)
    const socket = net.connect({ host, port: Number(port), localAddress })
    socket.write(`${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    let answer = ''
    socket.on('data', (data) => (answer += data.toString()))
    socket.on('error', () => undefined)
    if (line.startsWith('CONNECT')) setTimeout(() => socket.end(), 300)
    await once(socket, 'close')
    return answer
  }

  it.each(['GET http://127.0.0.1:PORT/', 'CONNECT 127.0.0.1:PORT'])(
    'serves whom it knows and cuts a stranger off without a word: %s',
    async (line) => {
      const { site, proxy } = await openGuarded()
      expect(proxy.url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/u)
      const asked = line.replace('PORT', String(site.port))
      expect(await ask(proxy.url, asked, '127.0.0.1')).toMatch(/^HTTP\/1\.1 200/u)
      const before = site.connections()
      expect(await ask(proxy.url, asked, '127.0.0.3')).toBe('')
      expect(site.connections()).toBe(before)
      expect(proxy.usage().refused).toEqual([])
    },
  )

  it('listens on every address when the one it is reached at is not of this machine', async () => {
    const { proxy, site } = await openGuarded({ host: '192.0.2.1' })
    expect(proxy.url).toContain('192.0.2.1')
    const here = proxy.url.replace('192.0.2.1', '127.0.0.1')
    const answer = await ask(here, `GET ${site.url('/')}`, '127.0.0.1')
    expect(answer).toMatch(/^HTTP\/1\.1 200/u)
  })

  it('listens on the port it is told, and names the setting when that is taken', async () => {
    const { proxy } = await openGuarded()
    const taken = Number(new URL(proxy.url).port)
    await expect(openGuarded({ port: taken })).rejects.toThrow(`BROWSER_PROXY_PORT: port ${taken} is taken.`)
    const { proxy: next } = await openGuarded({ host: '127.0.0.4', port: taken })
    expect(new URL(next.url).port).toBe(String(taken))
  })
})
