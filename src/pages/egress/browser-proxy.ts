// The forward proxy that the browser must use: every request and tunnel of a page goes through the same checks as the
// static loader's, and is metered. One listening port per browser slot, so traffic belongs to a page without proxy
// credentials (with credentials Playwright would intercept every request).
import { once } from 'node:events'
import http from 'node:http'
import { isIP, isIPv6, type Socket } from 'node:net'
import { OperatorError } from '../../errors.ts'
import { forward, type ProxyParts, tunnel } from './browser-proxy-crossing.ts'
import { createSlot } from './browser-proxy-slot.ts'

/** Where a proxy listens and who may use it. */
export interface ProxyPlace {
  /** The name or address the browser is given. An address of this machine is listened on; else every one is. */
  host: string
  /** 0 for any that is free. */
  port: number
  /** Whether a peer's address may use the proxy; others are cut off without a word. */
  admits(peer: string): Promise<boolean>
}

/** For a browser on this machine: what listens on loopback is reached from here alone. */
export const LOOPBACK_PLACE: ProxyPlace = { host: '127.0.0.1', port: 0, admits: async () => true }

export interface ProxyLimits {
  /** Tunnels and requests open at a time; the next one is answered 503. */
  connections: number
  /** A tunnel in which nothing moves for so long is closed. */
  idleMs: number
}

/** Starts a proxy at `place`. `bytesMax` is the first page's budget; see `start`. */
export async function openProxy(parts: ProxyParts, place: ProxyPlace, limits: ProxyLimits, bytesMax: number) {
  const slot = createSlot(limits, bytesMax)
  const server = http.createServer({
    keepAliveTimeout: limits.idleMs,
    headersTimeout: 10_000,
    maxHeaderSize: 65_536,
  })
  server.on('connection', slot.hold)
  /** Cuts a stranger off; the slot's books know nothing of it. */
  async function letIn(client: Socket, serve: () => Promise<void>): Promise<void> {
    if (await place.admits(client.remoteAddress ?? '')) await serve()
    else client.destroy()
  }
  server.on('request', (incoming, outgoing) => {
    void letIn(incoming.socket, () => forward(parts, slot, incoming, outgoing))
  })
  server.on('connect', (incoming: http.IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy())
    void letIn(client, () => tunnel(parts, slot, incoming.url ?? '', client, head, limits.idleMs))
  })
  server.on('upgrade', (_incoming, client: Socket) => client.destroy())
  server.on('clientError', (_error, client) => client.destroy())
  const port = await listen(server, place)

  return {
    /** For the browser's proxy setting. */
    url: `http://${isIPv6(place.host) ? `[${place.host}]` : place.host}:${port}`,
    /** Begins a new page: cuts what the last one left open and counts from nought. */
    start: slot.start,
    usage: slot.usage,
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      slot.cutAll()
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Listens on `host` where that is an address of this machine, otherwise on all of them. Gives the port.
 * @throws {OperatorError} when the port is taken.
 */
async function listen(server: http.Server, { host, port }: ProxyPlace): Promise<number> {
  server.listen(port, isIP(host) === 0 ? undefined : host)
  await once(server, 'listening').catch(async (error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EADDRINUSE') throw new OperatorError(`BROWSER_PROXY_PORT: port ${port} is taken.`)
    if (code !== 'EADDRNOTAVAIL') throw error
    server.listen(port)
    await once(server, 'listening')
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return address.port
}

export type EgressProxy = Awaited<ReturnType<typeof openProxy>>
