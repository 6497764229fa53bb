// A search asked over a bare socket, for tests of a client that goes away before its answer begins.
import { connect, type Socket } from 'node:net'
import type { TestService } from './service.ts'

/** Sends the request and reads nothing; destroying the socket is going away. */
export function sendRawSearch({ url, key }: Pick<TestService, 'url' | 'key'>, body: object): Socket {
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  const json = JSON.stringify(body)
  client.write(
    `POST /v1/search HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
  )
  return client
}
