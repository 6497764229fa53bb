import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openEngineClient } from '../../src/providers/engine-client.ts'
import { endServer, listenOnLoopback } from '../support/loopback.ts'

const client = openEngineClient({ userAgent: 'Verbatim-test/1' })
afterAll(() => client.close())

const reasonOf = (url: string): Promise<string> =>
  client.ask({ provider: 'engine', url: new URL(url) }, AbortSignal.timeout(10_000)).then(
    () => 'it answered',
    (error: unknown) => String(error),
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
