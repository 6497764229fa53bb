import { describe, expect, test } from 'vitest'
import { readRobots } from '../../../src/pages/robots/robots-rules.ts'

const SITE = 'https://site.example'
const read = (...lines: string[]) => readRobots(`${SITE}/robots.txt`, lines.join('\n'), 'Verbatim')
const allows = (rules: string[], path: string): boolean => read(...rules).allows(new URL(path, SITE))

describe('the rules that count', () => {
  test.each<[string, string[], string, boolean]>([
    ['stand below our name', ['User-agent: Verbatim', 'Disallow: /a'], '/a', false],
    ['in any case, with a version', ['USER-AGENT: vErBaTiM / 2.0 # us', 'DISALLOW: /a'], '/a', false],
    ['are not those of a robot with a longer name', ['User-agent: Verbatim2', 'Disallow: /'], '/a', true],
    ['stand below several names', ['User-agent: verbatim', 'User-agent: b', 'Disallow: /a'], '/a', false],
    ['and whatever name comes last', ['User-agent: b', 'User-agent: verbatim', 'Disallow: /a'], '/a', false],
    [
      'end where another robot begins',
      ['User-agent: verbatim', 'Allow: /', 'User-agent: b', 'Disallow: /'],
      '/a',
      true,
    ],
    [
      'go on in a second group of ours',
      [
        'User-agent: verbatim',
        'Allow: /b',
        'User-agent: c',
        'Disallow: /c',
        'User-agent: verbatim',
        'Disallow: /a',
      ],
      '/a',
      false,
    ],
    [
      'are ours alone once we are named',
      ['User-agent: *', 'Disallow: /a', 'User-agent: verbatim', 'Disallow: /b'],
      '/a',
      true,
    ],
    [
      'even when ours has none',
      ['User-agent: verbatim', 'Crawl-delay: 1', 'User-agent: *', 'Disallow: /'],
      '/a',
      true,
    ],
    [
      'are those for all when we are not named',
      ['User-agent: b', 'Disallow: /a', 'User-agent: *', 'Disallow: /c'],
      '/c',
      false,
    ],
    [
      'and not those of others',
      ['User-agent: b', 'Disallow: /a', 'User-agent: *', 'Disallow: /c'],
      '/a',
      true,
    ],
    [
      'for all end where another robot begins',
      ['User-agent: *', 'Allow: /c', 'User-agent: b', 'Disallow: /a'],
      '/a',
      true,
    ],
    ['for all stand below several names', ['User-agent: *', 'User-agent: b', 'Disallow: /a'], '/a', false],
    ['may be indented', ['\tUser-agent : *', ' \tDisallow\t: /a'], '/a', false],
    ['hold for the query, too', ['User-agent: *', 'Disallow: /a?secret'], '/a?secret=1', false],
    ['hold for a path that escapes what needs none', ['User-agent: *', 'Disallow: /a'], '/%61', false],
    ['may escape what needs none', ['User-agent: *', 'Disallow: /~b/%61%2d%7E'], '/%7eb/a-~', false],
    ['keep other escapes apart', ['User-agent: *', 'Disallow: /a/b'], '/a%2Fb', true],
    ['are no comments', ['User-agent: *', '# Disallow: /a', 'Disallow: /b # Disallow: /a'], '/a', true],
    ['and end before one', ['User-agent: *', 'Disallow: /b#x'], '/b', false],
  ])('%s', (_what, rules, path, open) => {
    expect(allows(rules, path)).toBe(open)
  })
})

test('the pause that a site asks for is told in milliseconds, and none is no pause', () => {
  expect(read('User-agent: *', 'Crawl-delay: 2.5').delayMs).toBe(2_500)
  expect(read('User-agent: b', 'Crawl-delay: 9', 'User-agent: *', 'Allow: /').delayMs).toBe(0)
})

test('sitemaps are those of the file wherever they stand, each once, and a hundred at most', () => {
  const lines = Array.from({ length: 120 }, (_, index) => `Sitemap: ${SITE}/${index}.xml`)
  const first = `${SITE}/first.xml`
  expect(read(`sitemap: ${first} `, 'User-agent: b', 'Disallow: /', `SITEMAP:${first}`).sitemaps).toEqual([
    first,
  ])
  expect(read(...lines).sitemaps).toEqual(lines.slice(0, 100).map((line) => line.slice(9)))
})

test('a sitemap between two names of a group does not part them', () => {
  const rules = ['User-agent: verbatim', `Sitemap: ${SITE}/a.xml`, 'User-agent: b', 'Disallow: /a']
  expect(allows(rules, '/a')).toBe(false)
})

describe('what one site may cost is bounded', () => {
  const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `Disallow: /${index}`)
  test.each(['Verbatim', '*'])('ten thousand rules for %s are read, and no more', (robot) => {
    const rules = [`User-agent: ${robot}`, ...many(9_999), 'Disallow: /last', 'Disallow: /beyond']
    expect([allows(rules, '/last'), allows(rules, '/beyond')]).toEqual([false, true])
  })

  test('a rule that stands there often counts once', () => {
    const rules = ['User-agent: *', ...many(9_999).fill('Disallow: /again'), 'Disallow: /last']
    expect([allows(rules, '/again'), allows(rules, '/last')]).toEqual([false, false])
  })

  test('wildcards are read up to sixteen thousand characters, rules without them beyond', () => {
    const wide = Array.from('abcdefghijklmnop', (name) => `disallow: /${name}*`.padEnd(1_024, 'x'))
    const rules = ['user-agent: *', ...wide, 'disallow: /q*', 'disallow: /plain']
    expect(allows(rules, wide.at(-1)!.slice(10).replace('*', '-'))).toBe(false)
    expect([allows(rules, '/q'), allows(['user-agent: *', 'disallow: /q*'], '/q')]).toEqual([true, false])
    expect(allows(rules, '/plain')).toBe(false)
  })

  test('half a megabyte is read, and no more', () => {
    const filled = (length: number): string[] => [
      'User-agent: *',
      '#'.padEnd(length - 15, ' '),
      'Disallow: /a',
    ]
    expect(allows(filled(500 * 1_024 - 12), '/a')).toBe(false)
    expect(allows(filled(500 * 1_024 + 12), '/a')).toBe(true)
  })

  test('of an address its first thousand characters count', () => {
    const path = `/${'a'.repeat(1_022)}`
    expect(allows(['User-agent: *', `Disallow: ${path}b`], `${path}bc`)).toBe(false)
    expect(allows(['User-agent: *', `Disallow: ${path}bc`], `${path}bcd`)).toBe(true)
  })
})
