// IP addresses: the one spelling of each, ranges of them, and what makes one special. What is not special is globally
// reachable unicast.
import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type AddressRange = [Address, number]

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

/** The range of one address in its canonical spelling. */
export const hostRange = (address: string): AddressRange => [
  ipaddr.parse(address),
  isIPv4(address) ? 32 : 128,
]

/** Whether an address in its canonical spelling lies in the range; one of the other family never does. */
export function isInRange(address: string, range: AddressRange): boolean {
  const parsed = ipaddr.parse(address)
  return parsed.kind() === range[0].kind() && parsed.match(range)
}
