// The forward proxy that the browser must use: every request and tunnel of a page goes through the same checks as the
// static loader's, and is metered. One listening port per browser slot, so traffic belongs to a page without proxy
// credentials (with credentials Playwright would intercept every request).
import { once } from 'node:events'
import http from 'node:http'
import { isIP, isIPv6, type Socket } from 'node:net'
import { request, type Dispatcher } from 'undici'
import { OperatorError } from '../../errors.ts'
import { AddressRefusedError, type AddressPolicy, type RefusalReason } from './address-policy.ts'
import { UnreachableHostError } from './connector.ts'

/** One connection that was not made. */
interface RefusedRequest {
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

type Slot = ReturnType<typeof createSlot>

/** Closes by itself, or is closed when the page is over. */
interface Cuttable {
  destroy(): unknown
  once(event: 'close', listener: () => void): unknown
}

/** The books of one slot: what is open, what was moved, what was refused. */
function createSlot(limits: ProxyLimits, bytesMax: number) {
  const usage = { bytes: 0, requests: 0, overBudget: false, refused: [] as RefusedRequest[] }
  const cuttable = new Set<Cuttable>()
  let budget = bytesMax
  let open = 0

  function cutAll(): void {
    for (const thing of cuttable) thing.destroy()
    cuttable.clear()
  }

  function start(pageBytesMax: number): void {
    cutAll()
    budget = pageBytesMax
    Object.assign(usage, { bytes: 0, requests: 0, overBudget: false, refused: [] })
  }

  /** Remembers what must be cut with the page. */
  function hold(thing: Cuttable): void {
    cuttable.add(thing)
    thing.once('close', () => cuttable.delete(thing))
  }

  /** Counts a request until `exchange` closes. Throws what refuses it. */
  function admit(target: string, exchange: Cuttable): void {
    usage.requests += 1
    open += 1
    exchange.once('close', () => (open -= 1))
    if (usage.overBudget) throw new AddressRefusedError('byte_budget', target)
    if (open > limits.connections) throw new UnreachableHostError('busy', target)
  }

  function meter(chunk: { length: number }): void {
    usage.bytes += chunk.length
    if (usage.bytes <= budget || usage.overBudget) return
    usage.overBudget = true
    cutAll()
  }

  /** Notes a refusal and gives the status that answers it. */
  function refuse(error: unknown, target: string): number {
    const ours = error instanceof AddressRefusedError || error instanceof UnreachableHostError
    const reason = ours ? error.reason : 'failed'
    if (usage.refused.length < REFUSALS_KEPT) usage.refused.push({ target: target.slice(0, 200), reason })
    if (error instanceof AddressRefusedError) return 403
    return reason === 'busy' ? 503 : 502
  }

  const report = (): ProxyUsage => ({ ...usage, refused: [...usage.refused] })
  return { start, usage: report, cutAll, hold, admit, meter, refuse }
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

/** CONNECT: TLS and WebSockets. The host is judged as given; inside the tunnel nothing can reach another host. */
async function tunnel(
  { connect }: ProxyParts,
  slot: Slot,
  target: string,
  client: Socket,
  head: Buffer,
  idleMs: number,
): Promise<void> {
  try {
    slot.admit(target, client)
    const [, host = '', port = ''] = AUTHORITY.exec(target) ?? []
    const upstream = await connect(host, Number(port))
    if (client.destroyed) return void upstream.destroy()
    slot.hold(upstream)
    upstream.on('data', slot.meter)
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) upstream.write(head)
    join(client, upstream, idleMs)
  } catch (error) {
    const status = slot.refuse(error, target)
    const answer = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
    if (!client.destroyed) client.end(answer, () => client.destroy())
  }
}

/** Passes bytes both ways until one side ends or nothing moves any more; then both are closed. */
function join(client: Socket, upstream: Socket, idleMs: number): void {
  const ways = [
    [client, upstream],
    [upstream, client],
  ] as const
  for (const [from, to] of ways) {
    from.setTimeout(idleMs, () => from.destroy())
    from.on('error', () => from.destroy())
    from.once('close', () => to.destroy())
    from.pipe(to)
  }
}

/** Plain HTTP in absolute form. A redirect goes back to the browser, whose next request is judged again. */
async function forward(
  { policy, dispatcher }: ProxyParts,
  slot: Slot,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
): Promise<void> {
  const target = incoming.url ?? ''
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  try {
    slot.admit(target, outgoing)
    const url = policy.checkUrl(target)
    if (url.protocol !== 'http:') throw new AddressRefusedError('scheme', target)
    const { headers } = incoming
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    const answer = await request(url, {
      dispatcher,
      method: incoming.method ?? 'GET',
      headers: { ...forwardable(headers), host: url.host },
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
      .split(',')
      .map((name) => name.trim()),
  )
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string | string[]] =>
        entry[1] !== undefined && !NOT_FORWARDED.has(entry[0]) && !named.has(entry[0]),
    ),
  )
}
