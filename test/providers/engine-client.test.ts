import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEngineClient } from '../../src/providers/engine-client.ts'
import { ProviderError } from '../../src/providers/provider.ts'
import { createAuthority, hasOpenssl } from '../support/certificates.ts'
import { endServer, listenOnLoopback } from '../support/loopback.ts'

const client = openEngineClient({ userAgent: 'Verbatim-test/1' })
afterAll(() => client.close())

const reasonOf = (url: string): Promise<string> =>
  client.ask({ provider: 'engine', url: new URL(url) }, AbortSignal.timeout(10_000)).then(
    () => 'it answered',
    (error: unknown) =>
      error instanceof ProviderError ? `${error.failure}: ${error.message}` : String(error),
  )

test('an engine that speaks no TLS where https:// is set, or no HTTP at all, is told as that', async () => {
  const plain = createServer((_, response) => response.end('{}'))
  const plainUrl = await listenOnLoopback(plain)
  expect(await reasonOf(plainUrl.replace('http:', 'https:'))).toMatch(/no TLS \(\w+\): check https:\/\//u)
  await endServer(plain)

  const greeting = createTcpServer((socket) =>
    socket
      .resume()
      .on('error', () => undefined)
      .end('SSH-2.0-server\r\n'),
  )
  await new Promise<void>((resolve) => greeting.listen(0, '127.0.0.1', resolve))
  const { port } = greeting.address() as AddressInfo
  expect(await reasonOf(`http://127.0.0.1:${port}`)).toContain('what answers there speaks no HTTP')
  await new Promise((resolve) => greeting.close(resolve))
})

test('an engine that hangs up before it answers could not be reached, and has not answered something odd', async () => {
  const restarting = createServer((request) => request.socket.destroy())
  expect(await reasonOf(await listenOnLoopback(restarting))).toBe(
    'unreachable: engine: it closed the connection before it answered',
  )
  await endServer(restarting)
})

describe.skipIf(!hasOpenssl)('an engine whose certificate', () => {
  let authority: ReturnType<typeof createAuthority>
  beforeAll(() => void (authority = createAuthority()))
  afterAll(() => authority.remove())

  test.each([
    [
      'nobody vouches for',
      2,
      /no TLS \(\w*(?:SELF_SIGNED|UNABLE_TO)\w*\): check https:\/\/.*NODE_EXTRA_CA_CERTS/u,
    ],
    ['is of the past', -1, /no TLS \(\w+\): check https:\/\/ in its address and its certificate/u],
  ])('%s is told as that, and nothing is sent to it', async (_what, days, words) => {
    let asked = 0
    const server = createSecureServer(authority.certify('IP:127.0.0.1', days), (_, response) => {
      asked += 1
      response.end('{}')
    })
    const address = await listenOnLoopback(server)
    expect(await reasonOf(address.replace('http:', 'https:'))).toMatch(words)
    expect(asked).toBe(0)
    await endServer(server)
  })
})
