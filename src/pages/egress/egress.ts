// The only way out (DESIGN §5.9): policy, resolver, connector, the dispatcher of the static loader and the browser's
// proxies, built together and closed together. Nothing else in pages/ may open a socket.
import { isIPv6, type Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { createAddressPolicy } from './address-policy.ts'
import { createConnector } from './connector.ts'
import { failCutOffAnswers } from './cut-off-answers.ts'
import { LOOPBACK_PLACE, openProxy, type EgressProxy, type ProxyPlace } from './browser-proxy.ts'
import { createPagePolicy } from './own-pages.ts'
import { openResolver, type ResolveName } from './resolver.ts'

interface EgressLimits {
  resolveTimeoutMs: number
  /** How long addresses of a name are used again. */
  resolveCacheMs: number
  connectTimeoutMs: number
  tlsTimeoutMs: number
  /** Silence while waiting for headers, and between two pieces of a body. */
  silenceTimeoutMs: number
  /** Sockets of the static loader to one origin. */
  connectionsPerOrigin: number
  /** Sockets of the process. */
  connections: number
  /** Requests and tunnels of one browser slot. */
  connectionsPerProxy: number
  /** An idle tunnel or kept-alive connection of a proxy is closed after this. */
  tunnelIdleMs: number
}

const EGRESS_LIMITS: EgressLimits = {
  resolveTimeoutMs: 3_000,
  resolveCacheMs: 30_000,
  connectTimeoutMs: 5_000,
  tlsTimeoutMs: 5_000,
  silenceTimeoutMs: 15_000,
  connectionsPerOrigin: 6,
  connections: 1_024,
  connectionsPerProxy: 64,
  tunnelIdleMs: 30_000,
}

export interface EgressOptions {
  /** EGRESS_ALLOW: names, addresses and CIDR ranges that may be reached although policy forbids them. */
  allow: readonly string[]
  /** Addresses of the service itself that may be opened, each with all beneath it; none when left out. */
  ownPages?: readonly string[]
  limits?: Partial<EgressLimits>
  /** DNS servers ("address" or "address:port") in place of the system's. */
  nameServers?: readonly string[]
  /** Where the browser's proxies listen: the first on `port`, the others on those that follow. Default: loopback. */
  proxyPlace?: ProxyPlace
  /** In place of DNS. Its answers are judged like any other. */
  resolve?: ResolveName
  /** Certificate authorities (PEM) beside those that Node trusts. */
  certificateAuthorities?: readonly string[]
}

/** Opens the way out. Throws an Error when an entry of `allow` cannot be read. */
export function openEgress(options: EgressOptions) {
  const { allow, limits: overrides, nameServers, resolve, certificateAuthorities } = options
  const place = options.proxyPlace ?? LOOPBACK_PLACE
  const limits = { ...EGRESS_LIMITS, ...overrides }
  const policy = createPagePolicy(allow, options.ownPages ?? [])
  const tunnelPolicy = createAddressPolicy(allow)
  const resolver = openResolver({
    timeoutMs: limits.resolveTimeoutMs,
    cacheMs: limits.resolveCacheMs,
    cacheNames: 5_000,
    nameServers,
    resolve,
  })
  const connector = createConnector({
    resolver,
    timeoutMs: limits.connectTimeoutMs,
    connections: limits.connections,
  })
  const agent = (perOrigin: number) =>
    createAgent(
      connector.connectUnder(policy),
      { ...limits, connectionsPerOrigin: perOrigin },
      certificateAuthorities,
    )
  const dispatcher = agent(limits.connectionsPerOrigin)
  const proxyDispatcher = agent(limits.connectionsPerProxy)
  const proxies = new Set<EgressProxy>()
  let listening = 0

  /** A proxy for one browser slot. `bytesMax` is its first page's budget. */
  async function listenProxy(bytesMax: number): Promise<EgressProxy> {
    const proxy = await openProxy(
      { policy, connect: connector.connectUnder(tunnelPolicy), dispatcher: proxyDispatcher },
      { ...place, port: place.port === 0 ? 0 : place.port + listening++ },
      { connections: limits.connectionsPerProxy, idleMs: limits.tunnelIdleMs },
      bytesMax,
    )
    proxies.add(proxy)
    return {
      ...proxy,
      close: () => {
        proxies.delete(proxy)
        return proxy.close()
      },
    }
  }

  /** Cuts everything: nothing is under way any more when its owners close first. */
  async function close(): Promise<void> {
    await Promise.all([
      ...[...proxies].map((proxy) => proxy.close()),
      dispatcher.destroy(),
      proxyDispatcher.destroy(),
    ])
    connector.close()
    resolver.close()
  }

  return { checkUrl: policy.checkUrl, dispatcher, listenProxy, close }
}

export type Egress = ReturnType<typeof openEgress>

/** An HTTP client that can open no socket but through `connect`: IP literals, redirects and retries included. */
function createAgent(
  connect: (host: string, port: number) => Promise<Socket>,
  limits: EgressLimits,
  certificateAuthorities: readonly string[] | undefined,
): Dispatcher {
  const startTlsOn = buildConnector({
    timeout: limits.tlsTimeoutMs,
    ...(certificateAuthorities === undefined ? {} : { ca: [...rootCertificates, ...certificateAuthorities] }),
  })
  const startTls = (options: buildConnector.Options): Promise<Socket> =>
    new Promise((resolve, reject) => {
      startTlsOn(options, (error, socket) => (error === null ? resolve(socket) : reject(error)))
    })
  const dial = async (options: buildConnector.Options): Promise<Socket> => {
    const secure = options.protocol === 'https:'
    const socket = await connect(hostOf(options.hostname), Number(options.port || (secure ? 443 : 80)))
    return secure ? startTls({ ...options, httpSocket: socket }) : socket
  }
  return new Agent({
    connections: limits.connectionsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 30_000,
    headersTimeout: limits.silenceTimeoutMs,
    bodyTimeout: limits.silenceTimeoutMs,
    maxHeaderSize: 65_536,
    connect: (options, callback) => void giveBack(dial(options), callback),
  }).compose(failCutOffAnswers)
}

/** undici takes the brackets off an IPv6 address; without them it is no host. */
const hostOf = (hostname: string): string => (isIPv6(hostname) ? `[${hostname}]` : hostname)

async function giveBack(work: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  let socket: Socket
  try {
    socket = await work
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)), null)
    return
  }
  callback(null, socket)
}
