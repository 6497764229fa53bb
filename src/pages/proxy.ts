// The forward proxy that the browser must use: every request and tunnel of a page goes through the same checks as the
// static loader's, and is metered. One listening port per browser slot, so traffic belongs to a page without proxy
// credentials (with credentials Playwright would intercept every request).
import { once } from 'node:events'
import http from 'node:http'
import type { Socket } from 'node:net'
import { request, type Dispatcher } from 'undici'
import { AddressRefusedError, type AddressPolicy, type RefusalReason } from './address-policy.ts'
import { UnreachableHostError } from './connect.ts'

/** One connection that was not made. */
export interface RefusedRequest {
  /** Host and port, or the start of what was asked for when it is neither. */
  target: string
  reason: RefusalReason | UnreachableHostError['reason'] | 'failed'
}

/** What one slot has done since `start()`. */
export interface ProxyUsage {
  bytes: number
  requests: number
  /** True once the byte budget is used up: everything open was cut, everything new is refused. */
  overBudget: boolean
  /** At most 1,000 are kept. */
  refused: readonly RefusedRequest[]
}

export interface ProxyParts {
  policy: AddressPolicy
  connect: (host: string, port: number) => Promise<Socket>
  /** Sends plain HTTP requests through `connect`. */
  dispatcher: Dispatcher
}

export interface ProxyLimits {
  /** Tunnels and requests open at a time; the next one is answered 503. */
  connections: number
  /** A tunnel in which nothing moves for so long is closed. */
  idleMs: number
}

const REFUSALS_KEPT = 1_000
/** RFC 9110 §7.6.1, and headers that would tell the site about us or pretend to. */
const NOT_FORWARDED: ReadonlySet<string> = new Set(
  `connection proxy-connection keep-alive proxy-authorization proxy-authenticate te trailer transfer-encoding upgrade
   expect via forwarded x-forwarded-for x-forwarded-host x-real-ip`.split(/\s+/u),
)
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^:[\]]+):(\d{1,5})$/iu

/** Starts a proxy on a free port of 127.0.0.1. `bytesMax` is the first page's budget; see `start`. */
export async function openProxy(parts: ProxyParts, limits: ProxyLimits, bytesMax: number) {
  const usage = { bytes: 0, requests: 0, overBudget: false, refused: [] as RefusedRequest[] }
  let budget = bytesMax
  const server = http.createServer({
    keepAliveTimeout: limits.idleMs,
    headersTimeout: 10_000,
    maxHeaderSize: 65_536,
  })
  const sockets = new Set<{ destroy(): unknown }>()

  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const meter = (chunk: { length: number }) => {
    usage.bytes += chunk.length
    if (usage.bytes <= budget || usage.overBudget) return
    usage.overBudget = true
    cutAll()
  }
  /** Counts a request against the slot's limits, throws what refuses it. */
  const admit = (target: string) => {
    usage.requests += 1
    if (usage.overBudget) throw new AddressRefusedError('byte_budget', target)
    if (sockets.size >= limits.connections * 2) throw new UnreachableHostError('busy', target)
  }
  const refuse = (error: unknown, target: string): number => {
    if (usage.refused.length < REFUSALS_KEPT)
      usage.refused.push({ target: target.slice(0, 200), reason: reasonOf(error) })
    return error instanceof AddressRefusedError
      ? 403
      : error instanceof UnreachableHostError && error.reason === 'busy'
        ? 503
        : 502
  }
  const track = (socket: { destroy(): unknown; once(event: 'close', listener: () => void): unknown }) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  const slot: Slot = { ...parts, idleMs: limits.idleMs, admit, meter, refuse, track }

  server.on('request', (incoming, outgoing) => void forward(slot, incoming, outgoing))
  server.on(
    'connect',
    (incoming: http.IncomingMessage, client: Socket, head: Buffer) =>
      void tunnel(slot, incoming, client, head),
  )
  server.on('upgrade', (_incoming, client: Socket) => client.destroy())
  server.on('clientError', (_error, client) => client.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined

  return {
    /** For the browser's proxy setting. */
    url: `http://127.0.0.1:${port}`,
    /** Begins a new page: cuts what the last one left open and counts from nought. */
    start(pageBytesMax: number): void {
      cutAll()
      server.closeAllConnections()
      budget = pageBytesMax
      Object.assign(usage, { bytes: 0, requests: 0, overBudget: false, refused: [] })
    },
    usage: (): ProxyUsage => ({ ...usage, refused: [...usage.refused] }),
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      cutAll()
      server.closeAllConnections()
      await closed
    },
  }
}

export type EgressProxy = Awaited<ReturnType<typeof openProxy>>

interface Slot extends ProxyParts {
  idleMs: number
  admit: (target: string) => void
  meter: (chunk: { length: number }) => void
  refuse: (error: unknown, target: string) => number
  track: (socket: Socket) => void
}

/** CONNECT: TLS and WebSockets. The host is judged as given; inside the tunnel nothing can reach another host. */
async function tunnel(
  slot: Slot,
  incoming: http.IncomingMessage,
  client: Socket,
  head: Buffer,
): Promise<void> {
  const target = incoming.url ?? ''
  client.on('error', () => client.destroy())
  try {
    slot.admit(target)
    const [, host = '', port = ''] = AUTHORITY.exec(target) ?? []
    slot.track(client)
    const upstream = await slot.connect(host, Number(port))
    if (client.destroyed) return void upstream.destroy()
    slot.track(upstream)
    join(slot, client, upstream, head)
  } catch (error) {
    const status = slot.refuse(error, target)
    if (!client.destroyed)
      client.end(
        `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      )
  }
}

function join(slot: Slot, client: Socket, upstream: Socket, head: Buffer): void {
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    from.setTimeout(slot.idleMs, () => from.destroy())
    from.on('error', () => from.destroy())
    from.once('close', () => to.destroy())
  }
  upstream.on('data', slot.meter)
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0) upstream.write(head)
  upstream.pipe(client)
  client.pipe(upstream)
}

/** Plain HTTP in absolute form. A redirect goes back to the browser, whose next request is judged again. */
async function forward(
  slot: Slot,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
): Promise<void> {
  const target = incoming.url ?? ''
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  try {
    slot.admit(target)
    slot.track(incoming.socket)
    const url = slot.policy.checkUrl(target)
    if (url.protocol !== 'http:') throw new AddressRefusedError('scheme', target)
    const hasBody =
      incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined
    const answer = await request(url, {
      dispatcher: slot.dispatcher,
      method: incoming.method ?? 'GET',
      headers: { ...forwardable(incoming.headers), host: url.host },
      body: hasBody ? incoming : null,
      signal: gone.signal,
    })
    outgoing.writeHead(answer.statusCode, forwardable(answer.headers))
    answer.body.on('data', slot.meter)
    answer.body.on('error', () => outgoing.destroy())
    answer.body.pipe(outgoing)
  } catch (error) {
    if (gone.signal.aborted) return
    const status = slot.refuse(error, target)
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(status, { 'content-length': 0, connection: 'close' }).end()
  }
}

type Headers = Record<string, string | string[] | undefined>

function forwardable(headers: Headers): Record<string, string | string[]> {
  const named = new Set(
    String(headers['connection'] ?? '')
      .toLowerCase()
      .split(/\s*,\s*/u),
  )
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string | string[]] =>
        entry[1] !== undefined && !NOT_FORWARDED.has(entry[0]) && !named.has(entry[0]),
    ),
  )
}

function reasonOf(error: unknown): RefusedRequest['reason'] {
  return error instanceof AddressRefusedError || error instanceof UnreachableHostError
    ? error.reason
    : 'failed'
}
