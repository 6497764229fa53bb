import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalAddress, specialRange } from '../../../src/pages/egress/ip-address.ts'

describe('addresses that are not globally reachable are special', () => {
  const SPECIAL = `
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.1.2.3
    127.255.255.255 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192
    192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.255 192.175.48.1 198.18.0.1
    198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16
    :: ::1 ::127.0.0.1 ::a9fe:a9fe ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe ::ffff:0:127.0.0.1
    64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
    2001:2::1 2001:10::1 2001:20::1 2001:30::1 2001:1ff::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 2620:4f:8000::1
    3fff::1 3fff:fff:ffff::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 febf::1 fec0::1 ff02::1 ff0e::1 4000::1
    2606:4700:1:1:0:5efe:7f00:1 2606:4700:1:1:200:5efe:a9fe:a9fe 0:0:0:0:0:0:0:1 ::ffff:7f00:1`
    .trim()
    .split(/\s+/u)

  it.each(SPECIAL)('%s', (address) => {
    expect(isIP(address)).not.toBe(0)
    expect(specialRange(address)).not.toBeNull()
  })

  it.each([
    'fe80::1%eth0',
    '::1%lo',
    '127.1',
    '0177.0.0.1',
    '2130706433',
    '1.2.3.4.5',
    '',
    ' 8.8.8.8',
    '8.8.8.8/0',
  ])('what is no plain address is never public: %j', (text) => expect(specialRange(text)).not.toBeNull())
})

it.each([
  ['0.1.2.3', 'this network'],
  ['10.1.2.3', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['127.0.0.1', 'loopback'],
  ['169.254.169.254', 'link-local'],
  ['172.16.0.1', 'private'],
  ['192.0.0.1', 'IETF protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['192.31.196.1', 'AS112'],
  ['192.52.193.1', 'AMT'],
  ['192.88.99.1', '6to4 relay'],
  ['192.168.1.1', 'private'],
  ['192.175.48.1', 'AS112'],
  ['198.18.0.1', 'benchmarking'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.9', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'reserved'],
  ['168.63.129.16', 'cloud wire server'],
  ['::ffff:10.0.0.1', 'private'],
  ['fe80::1', 'outside 2000::/3'],
  ['2001::1', 'IETF protocol assignments, Teredo, ORCHID'],
  ['2001:db8::1', 'documentation'],
  ['2002::1', '6to4'],
  ['2620:4f:8000::1', 'AS112'],
  ['3fff::1', 'documentation'],
  ['2606:4700:1:1:0:5efe:7f00:1', 'ISATAP'],
  ['2606:4700:1:1:300:5efe:7f00:1', 'ISATAP'],
  ['nothing', 'no address'],
])('the log tells what %s is: %s', (address, meaning) => {
  expect(specialRange(address)).toBe(meaning)
})

describe('ordinary addresses are globally reachable', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '93.184.215.14',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '168.63.129.15',
    '168.63.129.17',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '2606:4700:4700::1111',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2a00:1450:4001:81b::200e',
    '2003::1',
    '3ffe::1',
    '2606:4700:1:1:400:5efe:7f00:1',
    '2606:4700:1:1:1:5efe:7f00:1',
    '2606:4700:1:1:0:5ffe:7f00:1',
    '2606:4700:1:1:0:5eff:7f00:1',
  ])('%s', (address) => expect(specialRange(address)).toBeNull())
})

it('an IPv4 address and its IPv6-mapped form are judged alike', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(specialRange(`::ffff:${address}`)).toBe(specialRange(address))
    }),
  )
})

it('an address has one spelling, with brackets around all of it or none', () => {
  expect(canonicalAddress('[2001:0DB8::0:1]')).toBe('2001:db8::1')
  for (const half of ['[::1', '::1]', '[]', '[8.8.8.8', '8.8.8.8]']) expect(canonicalAddress(half)).toBeNull()
})

it('a public IPv6 address always lies in 2000::/3, however it is spelled', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const canonical = canonicalAddress(address)
      if (canonical === null || specialRange(address) !== null || isIP(canonical) === 4) return
      expect(canonical).toMatch(/^[23][0-9a-f]{3}:/u)
    }),
  )
})
