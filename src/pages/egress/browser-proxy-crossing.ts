// What crosses the browser's proxy: tunnels for TLS and WebSockets, and plain requests.
import http from 'node:http'
import type { Socket } from 'node:net'
import { request, type Dispatcher } from 'undici'
import { AddressRefusedError, type AddressPolicy } from './address-policy.ts'
import type { Slot } from './browser-proxy-slot.ts'

export interface ProxyParts {
  policy: AddressPolicy
  connect: (host: string, port: number) => Promise<Socket>
  /** Sends plain HTTP requests through `connect`. */
  dispatcher: Dispatcher
}

/** RFC 9110 §7.6.1, and headers that would tell the site about us or pretend to. */
const NOT_FORWARDED: ReadonlySet<string> = new Set(
  `connection proxy-connection keep-alive proxy-authorization proxy-authenticate te trailer transfer-encoding upgrade
   expect via forwarded x-forwarded-for x-forwarded-host x-real-ip`.split(/\s+/u),
)
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^:[\]]+):(\d{1,5})$/iu

/** CONNECT: TLS and WebSockets. The host is judged as given; inside the tunnel nothing can reach another host. */
export async function tunnel(
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
export async function forward(
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
