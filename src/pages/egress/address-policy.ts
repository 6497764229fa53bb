// Which addresses a page may be fetched from.
import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { OperatorError } from '../../errors.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type AddressRange = [Address, number]

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

/**
 * IANA IPv4 special-purpose registry, multicast, reserved, and the one public address that is a cloud's inner service.
 */
const IPV4_SPECIAL: readonly (readonly [string, string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'IETF protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'AMT'],
  ['192.88.99.0/24', '6to4 relay'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'AS112'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['168.63.129.16/32', 'cloud wire server'],
]

/** Special ranges inside 2000::/3. Everything outside 2000::/3 is refused without a list. */
const IPV6_SPECIAL: readonly (readonly [string, string])[] = [
  ['2001::/23', 'IETF protocol assignments, Teredo, ORCHID'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'AS112'],
  ['3fff::/20', 'documentation'],
]
const IPV6_GLOBAL: AddressRange = ipaddr.parseCIDR('2000::/3')

const parseRanges = (
  table: readonly (readonly [string, string])[],
): readonly (readonly [AddressRange, string])[] =>
  table.map(([cidr, meaning]) => [ipaddr.parseCIDR(cidr), meaning])

const IPV4_RANGES = parseRanges(IPV4_SPECIAL)
const IPV6_RANGES = parseRanges(IPV6_SPECIAL)

/** RFC 6761/6762/8375/9476 special-use names and the top-level names that private networks use. */
const SPECIAL_NAME =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|onion|alt|invalid|test|arpa)$/u
const LOOPBACK_NAME = /(?:^|\.)localhost$/u
const PUBLIC_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})+$/u
const ANY_NAME = /^(?=.{1,253}$)[a-z0-9_][a-z0-9_-]{0,62}(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/u

/**
 * The one spelling of an IP address: IPv4-mapped IPv6 as IPv4, IPv6 as RFC 5952, without brackets.
 * Null for anything else, addresses with a zone ("fe80::1%eth0") included.
 */
export function canonicalAddress(text: string): string | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (isIP(bare) === 0 || bare.includes('%')) return null
  return ipaddr.process(bare).toString()
}

/** What makes an address special ("loopback", "private"…), or null when it is globally reachable unicast. */
export function specialRange(address: string): string | null {
  const canonical = canonicalAddress(address)
  if (canonical === null) return 'no address'
  const parsed = ipaddr.parse(canonical)
  if (parsed.kind() === 'ipv4') return meaningOf(parsed, IPV4_RANGES)
  if (!parsed.match(IPV6_GLOBAL)) return 'outside 2000::/3'
  return meaningOf(parsed, IPV6_RANGES) ?? (isIsatap(parsed) ? 'ISATAP' : null)
}

function meaningOf(address: Address, ranges: readonly (readonly [AddressRange, string])[]): string | null {
  return ranges.find(([range]) => address.match(range))?.[1] ?? null
}

/** RFC 5214: the interface identifier 0000:5efe or 0200:5efe carries an IPv4 address, which may be a private one. */
function isIsatap(address: Address): boolean {
  const bytes = address.toByteArray()
  return ((bytes[8] ?? 0) & 0xfc) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
}

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

/** The range of one address in its canonical spelling. */
export const hostRange = (address: string): AddressRange => [
  ipaddr.parse(address),
  isIPv4(address) ? 32 : 128,
]
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

/** Whether an address in its canonical spelling lies in the range; one of the other family never does. */
export function isInRange(address: string, range: AddressRange): boolean {
  const parsed = ipaddr.parse(address)
  return parsed.kind() === range[0].kind() && parsed.match(range)
}
