// The listening socket: limits against slow and oversized requests, and an end that does not cut answers off.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'

/** A client that dribbles its headers or body is cut off by these (measured: 408 after 10.6 s and 15.0 s). */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 15_000
const CONNECTIONS_CHECK_MS = 1_000
const KEEP_ALIVE_MS = 6_000
const CONNECTIONS_MAX = 2_000

export type HttpServer = Awaited<ReturnType<typeof openServer>>

/**
 * Listens, and answers 503 until `serve` is called: the parts behind the application need to know the port. Rejects
 * with the system's error (EADDRINUSE…) when it cannot listen. Port 0 takes any free port.
 */
export async function openServer(options: { host: string; port: number }) {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = answerStarting
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => void handle(request, response),
  )
  server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
  return {
    port: addressOf(server).port,
    /** From now on the application answers. */
    serve(app: Koa): void {
      handle = app.callback()
    },
    /** Stops accepting at once, lets what is under way finish within `graceMs`, then closes every connection. */
    async close(graceMs: number): Promise<void> {
      if (!server.listening) return
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // A kept-alive connection becomes idle only when its answer is out; nothing else would close it before its time.
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const last = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearInterval(idle)
      clearTimeout(last)
    },
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address
}

function answerStarting(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'application/problem+json' })
  response.end(
    JSON.stringify({ title: 'Service Unavailable', status: 503, detail: 'The service is starting.' }),
  )
}
