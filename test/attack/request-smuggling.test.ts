// Requests whose end two readers could see in different places. Whatever a proxy in front makes of them, nothing that
// one of them carries in its body may ever be answered as a request of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { exchange, statusesIn } from './raw-client.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'info' })
})
afterAll(() => service.close())

/** A method that nothing else here uses, since the log tells no path. */
const SMUGGLED = 'PATCH /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'
const SMUGGLED_LINE = '"method":"PATCH"'
const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const ask = (headers: string, body: string): string =>
  `POST /v1/search HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`

/** Each is either refused outright or understood in the one way of RFC 9112, its body kept in one piece. */
const FORMS: readonly (readonly [string, string])[] = [
  [
    'both lengths, Content-Length first',
    ask('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${SMUGGLED}`),
  ],
  [
    'both lengths, Transfer-Encoding first',
    ask('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${SMUGGLED}`),
  ],
  [
    'two different Content-Lengths',
    ask(`Content-Length: 0\r\nContent-Length: ${SMUGGLED.length}\r\n`, SMUGGLED),
  ],
  ['a list of Content-Lengths', ask(`Content-Length: 0, ${SMUGGLED.length}\r\n`, SMUGGLED)],
  ['a Content-Length with a sign', ask('Content-Length: +0\r\n', SMUGGLED)],
  ['a negative Content-Length', ask('Content-Length: -1\r\n', SMUGGLED)],
  ['a hexadecimal Content-Length', ask('Content-Length: 0x0\r\n', SMUGGLED)],
  ['a Content-Length beyond 64 bits', ask('Content-Length: 18446744073709551616\r\n', SMUGGLED)],
  ['a space before the colon', ask('Content-Length : 0\r\n', SMUGGLED)],
  ['a header of a space', ask(' Content-Length: 0\r\n', SMUGGLED)],
  [
    'a folded header',
    ask(`X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: ${SMUGGLED.length}\r\n`, SMUGGLED),
  ],
  ['an unknown transfer coding', ask('Transfer-Encoding: xchunked\r\n', chunked(SMUGGLED))],
  ['chunked that is not last', ask('Transfer-Encoding: chunked, identity\r\n', chunked(SMUGGLED))],
  [
    'chunked twice',
    ask('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${SMUGGLED}`.slice(0, 2)),
  ],
  ['a vertical tab before chunked', ask('Transfer-Encoding: \u000bchunked\r\n', chunked(SMUGGLED))],
  ['a NUL in a header', ask('X-A: a\u0000b\r\nContent-Length: 0\r\n', SMUGGLED)],
  [
    'a bare line feed after the headers',
    `POST /v1/search HTTP/1.1\nHost: a\nContent-Length: 0\n\n${SMUGGLED}`,
  ],
  ['a bare carriage return in a header', ask(`X-A: b\rContent-Length: ${SMUGGLED.length}\r\n`, SMUGGLED)],
  ['a chunk size beyond 64 bits', ask('Transfer-Encoding: chunked\r\n', `1000000000000000f\r\n${SMUGGLED}`)],
  ['a chunk size with a prefix', ask('Transfer-Encoding: chunked\r\n', `0x0\r\n\r\n${SMUGGLED}`)],
  [
    'a chunk that is longer than its size',
    ask('Transfer-Encoding: chunked\r\n', `1\r\n${SMUGGLED}0\r\n\r\n`),
  ],
  ['a chunk extension with a line feed', ask('Transfer-Encoding: chunked\r\n', `0;a\nb\r\n\r\n${SMUGGLED}`)],
  ['a body in one piece', ask(`Content-Length: ${SMUGGLED.length}\r\n`, SMUGGLED)],
  ['a body in chunks', ask('Transfer-Encoding: chunked\r\n', chunked(SMUGGLED))],
  [
    'two Host headers',
    `GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
  ],
  ['HTTP/2 in the clear', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${SMUGGLED}`],
  [
    'an upgrade',
    `GET /health HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
  ],
]

describe('request smuggling', () => {
  test.each(FORMS)('%s: what its body carries is never answered', async (_, bytes) => {
    service.logged.length = 0
    const statuses = statusesIn(await exchange(service.url, bytes, 500))
    expect(service.logged.join('')).not.toContain(SMUGGLED_LINE)
    expect(statuses.length).toBeLessThanOrEqual(2)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
  })

  test('the same request asked for openly is answered, so that its absence above means something', async () => {
    service.logged.length = 0
    expect(statusesIn(await exchange(service.url, SMUGGLED, 500))).toEqual([404])
    await expect.poll(() => service.logged.join('')).toContain(SMUGGLED_LINE)
  })

  test('pipelined requests are answered one by one, in order', async () => {
    const said = await exchange(
      service.url,
      'GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    )
    expect(statusesIn(said)).toEqual([200, 404, 200])
  })
})
