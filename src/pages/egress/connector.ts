// Opens sockets to checked addresses and to no others: resolve once, judge every answer, connect to an address that
// was judged, look at the socket's peer again. Static loader, robots.txt and the browser's proxy all dial here.
import net from 'node:net'
import { networkInterfaces } from 'node:os'
import { AddressRefusedError, checkPublicAddress, type AddressPolicy, type Target } from './address-policy.ts'
import { canonicalAddress, specialRange } from './ip-address.ts'
import type { openResolver } from './resolver.ts'

/** The host is allowed and could not be reached. */
export class UnreachableHostError extends Error {
  readonly reason: 'name' | 'connection' | 'timeout' | 'busy'

  constructor(reason: UnreachableHostError['reason'], target: string, cause?: unknown) {
    super(`cannot reach ${target} (${reason})`, { cause })
    this.name = 'UnreachableHostError'
    this.reason = reason
  }
}

interface ConnectorOptions {
  resolver: ReturnType<typeof openResolver>
  /** For all addresses of a host together. */
  timeoutMs: number
  /** Open sockets of this process at any time; the next one is refused as busy. */
  connections: number
}

/** RFC 8305 §5: how long one address may take before the next is tried beside it. */
const ATTEMPT_DELAY_MS = 250
/** More addresses of one name than this are judged, but not dialled. */
const ATTEMPTS_MAX = 4

/** Connects to a host if, and only if, a policy allows it. */
export function createConnector({ resolver, timeoutMs, connections }: ConnectorOptions) {
  const open = new Set<net.Socket>()

  async function checkedAddresses(policy: AddressPolicy, target: Target): Promise<readonly string[]> {
    const { host, port } = target
    if (target.kind === 'addresses') {
      if (specialRange(host) === null && !policy.allowsAddress(host, port)) refuseOwn([host], port)
      return target.addresses
    }
    const answers = await resolver.addressesOf(host, target.allowed).catch((error: unknown) => {
      throw new UnreachableHostError('name', host, error)
    })
    const addresses = [...new Set(answers.map((answer) => canonicalAddress(answer) ?? answer))]
    if (addresses.length === 0) throw new UnreachableHostError('name', host)
    if (target.allowed) return addresses
    for (const address of addresses) checkPublicAddress(address, port)
    refuseOwn(addresses, port)
    return addresses
  }

  /**
   * A connected TCP socket to `host`. Throws AddressRefusedError when policy forbids it (one bad answer of DNS is
   * enough), UnreachableHostError when it cannot be reached.
   */
  async function connect(policy: AddressPolicy, host: string, port: number): Promise<net.Socket> {
    const target = policy.checkHost(host, port)
    const addresses = await checkedAddresses(policy, target)
    if (open.size >= connections) throw new UnreachableHostError('busy', `${host}:${port}`)
    const socket = await dialFirst(addresses.slice(0, ATTEMPTS_MAX), port, timeoutMs, open)
    const peer = canonicalAddress(socket.remoteAddress ?? '')
    if (peer !== null && addresses.includes(peer)) return socket
    socket.destroy()
    throw new AddressRefusedError('address_changed', `${host}:${port}`, `connected to ${peer ?? 'nothing'}`)
  }

  return {
    /** `connect` for whoever is bound by this policy; all of them share the limit of sockets. */
    connectUnder:
      (policy: AddressPolicy) =>
      (host: string, port: number): Promise<net.Socket> =>
        connect(policy, host, port),
    close: () => open.forEach((socket) => socket.destroy()),
  }
}

/** This machine's own addresses, public ones too, lead to services that trust the machine. */
function refuseOwn(addresses: readonly string[], port: number): void {
  const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))
  const hit = addresses.find((address) => own.some((text) => canonicalAddress(text) === address))
  if (hit !== undefined) throw new AddressRefusedError('own_address', `${hit}:${port}`)
}

/** Tries addresses in order, the next one beside the last after a short wait; the first that connects wins. */
function dialFirst(
  addresses: readonly string[],
  port: number,
  timeoutMs: number,
  open: Set<net.Socket>,
): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const waiting = [...addresses]
    const attempts = new Set<net.Socket>()
    const finish = (winner: net.Socket | null, error?: Error) => {
      clearInterval(stagger)
      clearTimeout(timer)
      waiting.length = 0
      for (const socket of attempts) if (socket !== winner) socket.destroy()
      attempts.clear()
      if (winner === null) reject(error ?? new Error('no address'))
      else resolve(winner)
    }
    const target = `${addresses[0] ?? ''}:${port}`
    const attempt = () => {
      const address = waiting.shift()
      if (address === undefined) return
      const socket = net.connect({ host: address, port, noDelay: true, keepAlive: true })
      attempts.add(socket)
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      socket.once('connect', () => finish(socket))
      // Stays for the socket's life: an error between two users of the socket must not end the process.
      socket.on('error', (error) => {
        if (!attempts.delete(socket)) return
        if (waiting.length > 0) attempt()
        else if (attempts.size === 0) finish(null, new UnreachableHostError('connection', target, error))
      })
    }
    const stagger = setInterval(attempt, ATTEMPT_DELAY_MS)
    const timer = setTimeout(() => finish(null, new UnreachableHostError('timeout', target)), timeoutMs)
    attempt()
  })
}
