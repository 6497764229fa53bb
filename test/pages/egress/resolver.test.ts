import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEgress } from '../../../src/pages/egress/egress.ts'
import { openResolver } from '../../../src/pages/egress/resolver.ts'
import { startNameServer, type Zone } from '../../support/name-server.ts'

let server: Awaited<ReturnType<typeof startNameServer>>
let zone: Zone
const opened: { close(): unknown }[] = []

beforeEach(async () => {
  zone = {}
  server = await startNameServer(zone)
})
afterEach(async () => {
  for (const thing of opened.splice(0)) await thing.close()
  await server.close()
})

function resolverWith(timeoutMs = 5_000, cacheMs = 60_000) {
  const resolver = openResolver({ timeoutMs, cacheMs, cacheNames: 10, nameServers: [server.address] })
  opened.push(resolver)
  return resolver
}

describe('a public name, over the wire', () => {
  it('has its IPv4 addresses first, then its IPv6 addresses', async () => {
    zone['site.example'] = ['2606:4700::1111', '93.184.215.14', '93.184.215.15']
    expect(await resolverWith().addressesOf('site.example', false)).toEqual([
      '93.184.215.14',
      '93.184.215.15',
      '2606:4700::1111',
    ])
  })

  it.each([[['93.184.215.14']], [['2606:4700::1111']]])(
    'may have addresses of one kind alone: %j',
    async (addresses) => {
      zone['site.example'] = addresses
      expect(await resolverWith().addressesOf('site.example', false)).toEqual(addresses)
    },
  )

  it.each(['NXDOMAIN', 'SERVFAIL', 'silent'] as const)(
    'without an answer is an error: %s',
    async (answer) => {
      zone['site.example'] = answer
      await expect(resolverWith(600).addressesOf('site.example', false)).rejects.toThrow(
        /ENOTFOUND|ESERVFAIL|ETIMEOUT|longer/u,
      )
    },
  )

  it('is asked once, however many ask for it, until the answer is too old', async () => {
    zone['site.example'] = ['93.184.215.14']
    const resolver = resolverWith(5_000, 50)
    await Promise.all([1, 2, 3].map(() => resolver.addressesOf('site.example', false)))
    expect(server.questions.toSorted()).toEqual(['A site.example', 'AAAA site.example'])
    await expect
      .poll(() => resolver.addressesOf('site.example', false).then(() => server.questions.length))
      .toBe(4)
  })

  it('is not looked for in the hosts file or a search domain', async () => {
    await expect(resolverWith().addressesOf('localhost.example', false)).rejects.toThrow('ENOTFOUND')
    expect(server.questions.every((question) => question.endsWith(' localhost.example'))).toBe(true)
  })
})

it('a DNS answer that leads inside is refused, and no name is asked twice for one page', async () => {
  zone['rebind.example'] = ['93.184.215.14', '10.0.0.1']
  const egress = openEgress({ allow: [], nameServers: [server.address] })
  opened.push(egress)
  await expect(request('http://rebind.example/', { dispatcher: egress.dispatcher })).rejects.toMatchObject({
    name: 'AddressRefusedError',
    reason: 'not_public',
  })
  expect(server.questions.toSorted()).toEqual(['A rebind.example', 'AAAA rebind.example'])
})

it.each([
  'http://127.0.0.1/',
  'http://metadata.google.internal/',
  'http://redis:6379/',
  'http://a.localhost/',
  'http://site.example:22/',
])('what policy refuses by its spelling is never asked of DNS: %s', async (url) => {
  const egress = openEgress({ allow: [], nameServers: [server.address] })
  opened.push(egress)
  await expect(request(url, { dispatcher: egress.dispatcher })).rejects.toMatchObject({
    name: 'AddressRefusedError',
  })
  expect(server.questions).toEqual([])
})
