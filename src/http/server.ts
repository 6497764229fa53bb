// The listening socket: limits against slow and oversized requests, and an end that does not cut answers off.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { OperatorError } from '../errors.ts'
import { createAnswers } from './answers.ts'
import { createScheduler } from './request/scheduler.ts'

export interface ServerLimits {
  /** A client that has not sent its headers by then gets 408 and is cut off (measured: after 10.6 s). */
  headersMs: number
  /** How often that is looked at. */
  checkMs: number
  /** The same for one whose body has not arrived so long after its headers; a route may allow more. */
  bodyMs: number
  /** An idle kept-alive connection is closed after this. */
  keepAliveMs: number
  /** Of request line and headers together; more is answered 431. */
  headerBytes: number
  /** Open connections; more are closed at once. */
  connections: number
  /** Requests of one connection that wait for their answers; with one more it is cut off. */
  pipelined: number
  /** While answers are under way at the end, new requests are still taken for so long: balancers notice with delay. */
  drainMs: number
  /** A client that neither sends what is missing of its request nor takes a byte of its answer for this long is cut off. */
  unreadMs: number
  /** The same for one that has not taken the whole of a finished answer by then, however slowly it reads. */
  deliveryMs: number
}

const SERVER_LIMITS: ServerLimits = {
  headersMs: 10_000,
  checkMs: 1_000,
  bodyMs: 15_000,
  keepAliveMs: 6_000,
  headerBytes: 16_384,
  connections: 2_000,
  pipelined: 32,
  drainMs: 3_000,
  unreadMs: 30_000,
  deliveryMs: 120_000,
}

export type HttpServer = Awaited<ReturnType<typeof openServer>>

/**
 * Listens, and answers 503 until `serve` is called: the parts behind the application need to know the port. Rejects
 * when it cannot listen, by an `OperatorError` where the settings are at fault. Port 0 takes any free port.
 */
export async function openServer(options: { host: string; port: number; limits?: Partial<ServerLimits> }) {
  const limits = { ...SERVER_LIMITS, ...options.limits }
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = answerStarting
  const answers = createAnswers(limits)
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: 0,
      connectionsCheckingInterval: limits.checkMs,
      keepAliveTimeout: limits.keepAliveMs,
      maxHeaderSize: limits.headerBytes,
    },
    (request, response) => {
      if (answers.follow(request, response)) handle(request, response)
    },
  )
  server.maxConnections = limits.connections
  // Node looks at what the system has taken of an answer, so this bounds the silence of clients and not our own work.
  server.setTimeout(limits.unreadMs, (socket) => {
    if (!answers.isOurTurn(socket)) socket.destroy()
  })
  await listen(server, options)
  return {
    port: addressOf(server).port,
    /** From now on the application answers. */
    serve(app: Koa): void {
      handle = createScheduler(app.callback())
    },
    /** Stops accepting as soon as nothing is under way, lets the rest finish within `graceMs`, then closes every connection. */
    async close(graceMs: number): Promise<void> {
      if (!server.listening) return
      await answers.untilNone(Math.min(limits.drainMs, graceMs))
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

/** Why nothing can listen at `host`, whatever the port; null where something can. */
export async function faultOfHost(host: string): Promise<OperatorError | null> {
  const server = createServer()
  try {
    await listen(server, { host, port: 0 })
    return null
  } catch (error) {
    if (error instanceof OperatorError) return error
    throw error
  } finally {
    server.close()
  }
}

/** @throws {OperatorError} where the settings are at fault. */
const listen = (server: Server, { host, port }: { host: string; port: number }): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void =>
      reject(faultOfSettings(error, { host, port }) ?? error)
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.removeListener('error', refuse)
      resolve()
    })
  })

/** Why the service cannot listen where it is told to; null where no setting is to blame. */
function faultOfSettings(
  { code = '' }: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
): OperatorError | null {
  if (code === 'EADDRINUSE')
    return new OperatorError(`Port ${port} is taken. Set PORT to another one, or stop what uses it.`)
  if (code === 'EACCES')
    return new OperatorError(`Port ${port} may not be opened by this user. Set PORT to one above 1023.`)
  if (['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return new OperatorError(
      `HOST is "${host}", which is no address of this machine. 127.0.0.1 is this machine alone, 0.0.0.0 all its addresses.`,
    )
  return null
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address
}

/** A person waits for the page, a program is told in its own words when to ask again. */
function answerStarting({ headers }: IncomingMessage, response: ServerResponse): void {
  const isPerson = headers.accept?.includes('text/html') === true
  const type = isPerson ? 'text/html; charset=utf-8' : 'application/problem+json'
  response.writeHead(503, { 'Retry-After': '1', 'Content-Type': type })
  response.end(isPerson ? STARTING_PAGE : JSON.stringify(STARTING))
}

const STARTING = { title: 'Service Unavailable', status: 503, detail: 'The service is starting.' }

/** Asks for itself again until the service is there; nothing else can be served before. */
const STARTING_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>Starting · Verbatim</title>
<h1>Verbatim is starting</h1>
<p>This page opens by itself as soon as it is up.</p>
</html>
`
