import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AddressRefusedError, createAddressPolicy } from '../../../src/pages/egress/address-policy.ts'

const policy = createAddressPolicy([])

function refusalOf(url: string, allow: readonly string[] = []): string | null {
  try {
    createAddressPolicy(allow).checkUrl(url)
    return null
  } catch (error) {
    if (error instanceof AddressRefusedError) return error.reason
    throw error
  }
}

describe('what a host may be asked for', () => {
  it.each([
    ['8.8.8.8', 443, [], { kind: 'addresses', host: '8.8.8.8', port: 443, addresses: ['8.8.8.8'] }],
    ['EXAMPLE.com.', 8443, [], { kind: 'name', host: 'example.com', port: 8443, allowed: false }],
    ['wiki', 81, ['wiki'], { kind: 'name', host: 'wiki', port: 81, allowed: true }],
    [
      'a.localhost',
      5,
      ['127.0.0.1'],
      { kind: 'addresses', host: 'a.localhost', port: 5, addresses: ['127.0.0.1'] },
    ],
    [
      'localhost',
      5,
      ['localhost:5'],
      { kind: 'addresses', host: 'localhost', port: 5, addresses: ['127.0.0.1', '::1'] },
    ],
  ] as [string, number, string[], object][])('%s at port %i with %j', (host, port, allow, target) => {
    expect(createAddressPolicy(allow).checkHost(host, port)).toEqual(target)
  })

  it.each([
    ['', 80, 'malformed', ':80'],
    ['a:b', 80, 'malformed', 'a:b:80'],
    ['a b.com', 80, 'malformed', 'a b.com:80'],
    ['example.com', 1.5, 'malformed', 'example.com:1.5'],
    ['example.com', 22, 'port', 'example.com:22'],
    ['8.8.8.8', 22, 'port', '8.8.8.8:22'],
    ['10.0.0.1', 80, 'not_public', '10.0.0.1:80 private'],
    ['x.localhost', 80, 'special_name', 'x.localhost:80'],
    ['a'.repeat(300), 80, 'malformed', 'a'.repeat(200)],
  ])('%s at port %d is refused in words for the log', (host, port, reason, words) => {
    const message = `address refused (${reason}): ${words}`
    expect(() => policy.checkHost(host, port)).toThrow(
      expect.objectContaining({ name: 'AddressRefusedError', reason, message }),
    )
  })
})

describe('with nothing allowed, a URL that leads inside is refused', () => {
  const REFUSED: [string, string][] = [
    // loopback and private addresses, spelled in every way that browsers accept
    ...`127.0.0.1 127.0.0.1. 127.1 127.0.1 0 0x0 0x7f000001 0x7f.0.0.1 0x7f.1 017700000001 0177.0.0.1 0177.1 2130706433
      2130706433. 00000000177.0.0.1 127.0x0.0.1 127.000.000.001 [::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1]
      [::ffff:7f00:1] [::127.0.0.1] [0:0:0:0:0:ffff:7f00:0001] [64:ff9b::7f00:1] [2002:7f00:1::] [fe80::1] [fd00:ec2::254]
      [2001:0:4136:e378:8000:63bf:80ff:fffe] 169.254.169.254 0xa9fea9fe 0251.0376.0251.0376 2852039166 0xA9.0xFE.0xA9.0xFE
      [::ffff:a9fe:a9fe] 10.0.0.1 0xa.0.0.1 167772161 012.0.0.1 192.168.1.1 3232235777 172.16.0.1 100.100.100.200
      168.63.129.16 0xa83f8110 192.0.0.192 255.255.255.255 224.0.0.1`
      .trim()
      .split(/\s+/u)
      .map((host): [string, string] => [`http://${host}/`, 'not_public']),
    // full-width, circled and encoded digits and dots
    ['http://１２７.０.０.１/', 'not_public'],
    ['http://①②⑦.⓪.⓪.①/', 'not_public'],
    ['http://127。0。0。1/', 'not_public'],
    ['http://127．0．0．1/', 'not_public'],
    ['http://%31%32%37.0.0.1/', 'not_public'],
    ['http://127.0.0%2e1/', 'not_public'],
    ['http:\\\\127.0.0.1\\', 'not_public'],
    ['http:127.0.0.1', 'not_public'],
    ['http:///127.0.0.1/', 'not_public'],
    ['ht\ntp://127.0.0.1/', 'not_public'],
    ['http://127.0.0.1\t/', 'not_public'],
    // special and single-label names
    ...`localhost localhost. LOCALHOST LocalHost. ｌｏｃａｌｈｏｓｔ a.localhost localhost.localdomain printer.local
      metadata.google.internal metadata.goog.internal instance-data.ec2.internal kubernetes.default.svc.cluster.local
      intranet.corp router.home nas.lan x.home.arpa 1.0.0.127.in-addr.arpa facebookcorewwwi.onion x.alt x.invalid x.test
      wiki.private ⓛocalhost`
      .trim()
      .split(/\s+/u)
      .map((host): [string, string] => [`http://${host}/`, 'special_name']),
    ...[
      'redis',
      'kubernetes',
      'metadata',
      'a..b.com',
      '-a.com',
      'localhost..',
      `${'a'.repeat(64)}.com`,
      'a,b.com',
    ].map((host): [string, string] => [`http://${host}/`, 'malformed']),
    // schemes
    ...`file:///etc/passwd ftp://example.com/ gopher://example.com/ data:text/html,x blob:http://example.com/x
      javascript:alert(1) ws://example.com/ wss://example.com/ about:blank chrome://crash view-source:http://example.com/
      dict://example.com/ ldap://example.com/ jar:http://example.com!/ httpx://example.com/ mailto:a@example.com`
      .trim()
      .split(/\s+/u)
      .map((url): [string, string] => [url, 'scheme']),
    // credentials, also as a disguise of the host
    ['http://user@example.com/', 'credentials'],
    ['http://user:secret@example.com/', 'credentials'],
    ['http://:secret@example.com/', 'credentials'],
    ['http://example.com@127.0.0.1/', 'credentials'],
    ['http://example.com%40127.0.0.1/', 'malformed'],
    ['http://127.0.0.1#@example.com/', 'not_public'],
    ['http://127.0.0.1?@example.com/', 'not_public'],
    ['http://127.0.0.1\\@example.com/', 'not_public'],
    // ports
    ...[1, 21, 22, 23, 25, 53, 81, 110, 2375, 3306, 5432, 6379, 8000, 9200, 10250, 11211, 27017, 65535].map(
      (port): [string, string] => [`http://example.com:${port}/`, 'port'],
    ),
    ['http://8.8.8.8:22/', 'port'],
    ['http://example.com:0/', 'malformed'],
    ['http://example.com:65536/', 'malformed'],
    ['http://example.com:80:80/', 'malformed'],
    // what is no URL
    ...[
      '',
      'example.com',
      '/path',
      '//example.com/',
      'http://',
      'http://[::1',
      'http://[fe80::1%25eth0]/',
      'http://exa mple.com/',
      'http://1.2.3.4.5/',
      'http://256.256.256.256/',
      'http://4294967296/',
      'http://foo.0x7f/',
      `http://example.com/${'a'.repeat(9_000)}`,
    ].map((url): [string, string] => [url, 'malformed']),
  ]

  it.each(REFUSED)('%j (%s)', (url, reason) => expect(refusalOf(url)).toBe(reason))
})

describe('ordinary addresses of the web pass', () => {
  it.each([
    'http://example.com/',
    'https://example.com/',
    'https://EXAMPLE.com./a?b#c',
    'http://example.com:8080/',
    'https://example.com:8443/',
    'https://münchen.example/',
    'https://xn--mnchen-3ya.example/',
    'https://sub_domain.example.com/',
    'https://例え.jp/',
    'http://8.8.8.8/',
    'http://[2606:4700:4700::1111]/',
    'http://0x08080808/',
    'https://localhost.example.com/',
    'https://mylocal.com/',
    'https://internal.example.org/',
    'http://example.com/'.padEnd(8_192, 'a'),
  ])('%s', (url) => expect(refusalOf(url)).toBeNull())
})

describe('EGRESS_ALLOW', () => {
  it.each([
    [['127.0.0.1'], 'http://127.0.0.1:34567/'],
    [['127.0.0.1'], 'http://localhost:34567/'],
    [['127.0.0.1'], 'http://0x7f.1:5/'],
    [['127.0.0.1'], 'http://[::ffff:127.0.0.1]:5/'],
    [['127.0.0.0/8'], 'http://127.9.9.9:34567/'],
    [['127.0.0.0/8'], 'http://localhost:34567/'],
    [['localhost'], 'http://localhost:34567/'],
    [['localhost'], 'http://127.0.0.1:34567/'],
    [['localhost'], 'http://[::1]:34567/'],
    [['127.0.0.1'], 'http://site-a.localhost:34567/'],
    [['::1'], 'http://[::1]:9/'],
    [['[::1]:9'], 'http://[::1]:9/'],
    [['127.0.0.1:9'], 'http://127.0.0.1:9/'],
    [['wiki.corp'], 'http://WIKI.corp.:3000/'],
    [['wiki'], 'http://wiki/'],
    [['10.0.0.0/8', ' fd00::/8 ', ''], 'http://[fd12::1]:22/'],
    [['münchen.intern:81'], 'http://xn--mnchen-3ya.intern:81/'],
    [['example.com'], 'http://example.com:9000/'],
    [['a.corp:443'], 'https://a.corp/'],
    [['a.corp:80'], 'http://a.corp/'],
  ] as [string[], string][])('%j lets %s pass', (allow, url) => expect(refusalOf(url, allow)).toBeNull())

  it.each([
    [['127.0.0.1'], 'http://127.0.0.2/', 'not_public'],
    [['127.0.0.1:9'], 'http://127.0.0.1:10/', 'not_public'],
    [['127.0.0.1:9'], 'http://localhost:10/', 'special_name'],
    [['10.0.0.0/8'], 'http://localhost/', 'special_name'],
    [['10.0.0.0/8'], 'http://172.16.0.1/', 'not_public'],
    [['wiki.corp'], 'http://a.wiki.corp/', 'special_name'],
    [['wiki.corp:80'], 'http://wiki.corp:81/', 'special_name'],
    [['::1'], 'http://127.0.0.1/', 'not_public'],
    [['wiki'], 'http://127.0.0.1/', 'not_public'],
    [['a.corp:443'], 'http://a.corp/', 'special_name'],
    [['a.corp:80'], 'https://a.corp/', 'special_name'],
    [['127.0.0.1'], 'file://127.0.0.1/etc/passwd', 'scheme'],
    [['127.0.0.1'], 'http://user@127.0.0.1/', 'credentials'],
  ] as [string[], string, string][])('%j does not let %s pass', (allow, url, reason) => {
    expect(refusalOf(url, allow)).toBe(reason)
  })

  it('a public name must be resolved and judged even when a private range is allowed', () => {
    const target = createAddressPolicy(['127.0.0.0/8']).checkHost('rebind.example', 80)
    expect(target).toEqual({ kind: 'name', host: 'rebind.example', port: 80, allowed: false })
  })

  it.each([
    'http://127.0.0.1',
    '10.0.0.0/33',
    '127.1/8',
    'a b',
    'host:99999',
    'host:0',
    '*',
    '*.corp',
    'user@host',
    '::1%lo',
  ])('an entry that cannot be read is an error that names it: %j', (entry) =>
    expect(() => createAddressPolicy([entry])).toThrow(
      `EGRESS_ALLOW: "${entry}" is no host, host:port, IP address, address:port or CIDR range.`,
    ),
  )
})

function judge(text: string): string {
  try {
    return policy.checkUrl(text).protocol
  } catch (error) {
    return error instanceof AddressRefusedError ? 'refused' : String(error)
  }
}

it('no text at all makes the policy do anything but pass or refuse', () => {
  const anyText = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.string().map((text) => `http://${text}/`),
  )
  fc.assert(
    fc.property(anyText, (text) => {
      expect(['http:', 'https:', 'refused']).toContain(judge(text))
    }),
    { numRuns: 2_000 },
  )
})
