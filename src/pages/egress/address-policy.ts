// Which addresses a page may be fetched from.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { OperatorError } from '../../errors.ts'
import { type AddressRange, canonicalAddress, hostRange, isInRange, specialRange } from './ip-address.ts'

/** Why an address was refused. For log and metrics; the public sentence is the loader's. */
export type RefusalReason =
  | 'malformed'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'special_name'
  | 'not_public'
  | 'own_address'
  | 'address_changed'
  | 'byte_budget'

/** The policy forbids this connection. Never retry it, never ask the browser to try instead. */
export class AddressRefusedError extends Error {
  readonly reason: RefusalReason
  /** Host and port that were asked for; internal detail. */
  readonly target: string

  constructor(reason: RefusalReason, target: string, detail = '') {
    super(`address refused (${reason}): ${target.slice(0, 200)}${detail === '' ? '' : ` ${detail}`}`)
    this.name = 'AddressRefusedError'
    this.reason = reason
    this.target = target
  }
}

/** The ports of ordinary web servers. Everything else is more likely an inner service than a page. */
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443])
const URL_LENGTH_MAX = 8_192
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'] as const

/** RFC 6761/6762/8375/9476 special-use names and the top-level names that private networks use. */
const SPECIAL_NAME =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|onion|alt|invalid|test|arpa)$/u
const LOOPBACK_NAME = /(?:^|\.)localhost$/u
const PUBLIC_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})+$/u
const ANY_NAME = /^(?=.{1,253}$)[a-z0-9_][a-z0-9_-]{0,62}(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/u

/**
 * The one spelling of a host, by the WHATWG rules that browsers follow: decimal, octal, hexadecimal and full-width
 * forms become dotted quads, names become lower-case ASCII without trailing dot. Null when it is no host at all.
 */
function canonicalHost(text: string): string | null {
  if (text === '' || /[\s/\\?#@]/u.test(text) || (text.includes(':') && !text.startsWith('['))) return null
  const parsed = parseUrl(`http://${text}/`)
  return parsed === null ? null : (canonicalAddress(parsed.hostname) ?? parsed.hostname.replace(/\.$/u, ''))
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** One entry of EGRESS_ALLOW: a range of addresses or one name, on every port or on one. */
type AllowEntry =
  | { kind: 'range'; range: AddressRange; port: number | null }
  | { kind: 'name'; name: string; port: number | null }

/**
 * Reads one entry: `host`, `host:port`, `address`, `address:port`, `[v6]:port` or CIDR.
 * @throws {OperatorError} that says what is allowed.
 */
function parseAllowEntry(entry: string): AllowEntry[] {
  const refused = () =>
    new OperatorError(
      `EGRESS_ALLOW: "${entry}" is no host, host:port, IP address, address:port or CIDR range.`,
    )
  if (entry.includes('/')) {
    if (!ipaddr.isValidCIDR(entry) || isIP(entry.slice(0, entry.indexOf('/'))) === 0) throw refused()
    return [{ kind: 'range', range: ipaddr.parseCIDR(entry), port: null }]
  }
  const [, host = entry, digits] = isIP(entry) === 6 ? [] : (/^(.*?)(?::(\d{1,5}))?$/u.exec(entry) ?? [])
  const name = canonicalHost(isIP(host) === 6 ? `[${host}]` : host)
  const port = digits === undefined ? null : Number(digits)
  if (name === null || (port !== null && !isPort(port))) throw refused()
  if (isIP(name) !== 0) return [{ kind: 'range', range: hostRange(name), port }]
  if (!ANY_NAME.test(name)) throw refused()
  const loopback: readonly string[] = name === 'localhost' ? LOOPBACK_ADDRESSES : []
  return [
    { kind: 'name', name, port },
    ...loopback.map((address) => ({ kind: 'range' as const, range: hostRange(address), port })),
  ]
}

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535

const matchesPort = (entry: AllowEntry, port: number): boolean => entry.port === null || entry.port === port

/** A host that may be asked for: either the addresses are known, or the name must be resolved and its answers judged. */
export type Target =
  | { kind: 'addresses'; host: string; port: number; addresses: readonly string[] }
  | { kind: 'name'; host: string; port: number; allowed: boolean }

/**
 * The policy (DESIGN §5.9): http and https, no credentials, web ports, no special name, no special address.
 * `allow` exempts, on every port unless one is given: a name (whatever it resolves to), an address, or the addresses of
 * a CIDR range. An address or range exempts only URLs that spell the address: a public name that resolves into the range
 * stays refused, else whoever owns a domain could reach it. Names under `localhost` are loopback by RFC 6761, are never
 * asked of DNS, and are as allowed as 127.0.0.1 and ::1 are. Throws an OperatorError for an entry that cannot be read.
 */
export function createAddressPolicy(allow: readonly string[]) {
  const entries = allow
    .map((entry) => entry.trim())
    .filter(Boolean)
    .flatMap(parseAllowEntry)
  const allowsAddress = (address: string, port: number) =>
    entries.some(
      (entry) => entry.kind === 'range' && matchesPort(entry, port) && isInRange(address, entry.range),
    )
  const allowsName = (name: string, port: number) =>
    entries.some((entry) => entry.kind === 'name' && matchesPort(entry, port) && entry.name === name)

  /** Judges a host and port, in any spelling. Throws AddressRefusedError. */
  function checkHost(text: string, port: number): Target {
    const asked = `${text}:${port}`
    const host = canonicalHost(text)
    if (host === null || !isPort(port)) throw new AddressRefusedError('malformed', asked)
    if (isIP(host) !== 0) {
      if (!allowsAddress(host, port)) checkPublicAddress(host, port)
      return { kind: 'addresses', host, port, addresses: [host] }
    }
    if (LOOPBACK_NAME.test(host)) return loopbackTarget(host, port)
    if (allowsName(host, port)) return { kind: 'name', host, port, allowed: true }
    if (SPECIAL_NAME.test(host)) throw new AddressRefusedError('special_name', asked)
    if (!PUBLIC_NAME.test(host)) throw new AddressRefusedError('malformed', asked)
    if (!WEB_PORTS.has(port)) throw new AddressRefusedError('port', asked)
    return { kind: 'name', host, port, allowed: false }
  }

  function loopbackTarget(host: string, port: number): Target {
    const named = allowsName(host, port)
    const addresses = LOOPBACK_ADDRESSES.filter((address) => named || allowsAddress(address, port))
    if (addresses.length === 0) throw new AddressRefusedError('special_name', `${host}:${port}`)
    return { kind: 'addresses', host, port, addresses }
  }

  /** Judges a URL before anything is sent to it. Returns it parsed. Throws AddressRefusedError. */
  function checkUrl(text: string): URL {
    const url = text.length > URL_LENGTH_MAX ? null : parseUrl(text)
    if (url === null) throw new AddressRefusedError('malformed', text)
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new AddressRefusedError('scheme', url.protocol)
    if (url.username !== '' || url.password !== '') throw new AddressRefusedError('credentials', url.host)
    checkHost(url.hostname, portOf(url))
    return url
  }

  return { checkUrl, checkHost, allowsAddress }
}

export type AddressPolicy = ReturnType<typeof createAddressPolicy>

/** Judges an address that was not allowed by name: globally reachable, and a web port. Throws AddressRefusedError. */
export function checkPublicAddress(address: string, port: number): void {
  const range = specialRange(address)
  if (range !== null) throw new AddressRefusedError('not_public', `${address}:${port}`, range)
  if (!WEB_PORTS.has(port)) throw new AddressRefusedError('port', `${address}:${port}`)
}

/** The port of an http or https URL, the scheme's own when none is written. */
function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}
