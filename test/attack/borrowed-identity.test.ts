// Callers who pretend to be somebody else: another address, or this machine itself.
import { afterEach, describe, expect, test } from 'vitest'
import { startSearchSite } from '../support/search-site.ts'
import { startService } from '../support/service.ts'
import { send } from './raw-client.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

describe('an address', () => {
  test.each([
    ['behind a proxy, the caller’s own part of X-Forwarded-For', { TRUST_PROXY: 'on' }, ', 203.0.113.7'],
    ['without a proxy, X-Forwarded-For', {}, ''],
  ])('%s does not lend a guesser of keys a new one', async (_, environment, added) => {
    const service = await startService(environment)
    closers.push(() => service.close())
    const statuses = new Set<number>()
    for (let round = 0; round < 320; round += 1) {
      const headers = { 'X-Forwarded-For': `198.51.100.${round % 250}, 10.0.${round % 250}.1${added}` }
      statuses.add((await send(service.url, { method: 'POST', path: '/v1/search', headers })).status)
    }
    expect([...statuses].toSorted()).toEqual([401, 429])
  })
})

describe('a search', () => {
  test('reads nothing of this machine that only this machine may read, not even through a redirect', async () => {
    const service = await startService({ EGRESS_ALLOW: '127.0.0.1' })
    closers.push(() => service.close())
    const site = await startSearchSite({
      '/away': {
        answer: (_, response) => response.writeHead(302, { Location: `${service.url}/metrics` }).end(),
      },
    })
    closers.push(() => site.close())
    expect((await fetch(`${service.url}/metrics`)).status).toBe(200)
    for (const id of [`${service.url}/metrics`, `${site.siteUrl}/away`]) {
      const call = { name: 'fetch', arguments: { id } }
      const response = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${service.key}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      })
      const text = await response.text()
      expect(text).toContain('"isError":true')
      expect(text).not.toContain('verbatim_')
    }
  })
})
