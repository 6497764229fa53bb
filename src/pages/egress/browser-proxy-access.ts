// Who may use the browser's proxies when they listen beyond loopback: the host of the remote browser, or the addresses
// the operator names. An address and not a password, because with credentials Playwright intercepts every request of a
// page.
import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { OperatorError } from '../../errors.ts'
import { type AddressRange, canonicalAddress, hostRange, isInRange, specialRange } from './ip-address.ts'

export interface ProxyClientsOptions {
  /** BROWSER_PROXY_CLIENTS: addresses and CIDR ranges; when there are any, nobody else is let in. */
  ranges: readonly string[]
  /** The host that BROWSER names; asked for again when a stranger knocks, since a restarted browser may have moved. */
  browserHost: string
  /** Told of a peer that was turned away, once a minute for each. */
  onStranger: (address: string) => void
}

const LOOKUP_PAUSE_MS = 1_000
const STRANGERS = { max: 100, ttl: 60_000 } as const

/** @throws {OperatorError} when a range is neither an address nor CIDR. */
export function createProxyClients({ ranges, browserHost, onStranger }: ProxyClientsOptions) {
  const parsed = ranges.map(parseRange)
  const strangers = new LRUCache<string, true>(STRANGERS)
  let known: readonly string[] = []
  let askedAtMs = Number.NEGATIVE_INFINITY

  async function isBrowserHost(address: string): Promise<boolean> {
    if (!known.includes(address) && performance.now() - askedAtMs > LOOKUP_PAUSE_MS) {
      askedAtMs = performance.now()
      known = await addressesOf(browserHost)
    }
    return known.includes(address)
  }

  /** Whether a peer may use the proxies. This machine itself always may. */
  return async function admits(peer: string): Promise<boolean> {
    const address = canonicalAddress(peer)
    if (address === null) return false
    if (specialRange(address) === 'loopback' || address === '::1') return true
    const isKnown =
      parsed.length > 0 ? parsed.some((range) => isInRange(address, range)) : await isBrowserHost(address)
    if (!isKnown && !strangers.has(address)) {
      strangers.set(address, true)
      onStranger(address)
    }
    return isKnown
  }
}

function parseRange(text: string): AddressRange {
  const address = canonicalAddress(text)
  if (address !== null) return hostRange(address)
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  throw new OperatorError(`BROWSER_PROXY_CLIENTS: "${text}" is neither an IP address nor a CIDR range.`)
}

/** Every address of a host name, in canonical form; none when it cannot be resolved. */
async function addressesOf(host: string): Promise<string[]> {
  const answers = await lookup(host, { all: true }).catch(() => [])
  return answers.flatMap(({ address }) => canonicalAddress(address) ?? [])
}
