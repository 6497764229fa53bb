import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS, parseSearchRequest, toHostName } from '../src/contract.ts'

const parse = (body: Record<string, unknown>) => parseSearchRequest(body)
const pointersOf = (body: Record<string, unknown>) => {
  const parsed = parse(body)
  return parsed.ok ? [] : parsed.issues.map((issue) => issue.pointer)
}

describe('a request', () => {
  test('gets the defaults of the specification for everything but the query', () => {
    expect(parse({ query: 'q' })).toEqual({
      ok: true,
      request: {
        query: 'q',
        num_results: 5,
        max_snippets_per_result: 3,
        search_depth: 'balanced',
        recency: null,
        language: 'en',
        include_domains: [],
        exclude_domains: [],
        include: [],
        isLanguageGiven: false,
      },
    })
  })

  test('names its language in any of the codes that stand for it', () => {
    const languageOf = (language: string): string => {
      const parsed = parse({ query: 'q', language })
      return parsed.ok ? parsed.request.language : ''
    }
    const codes = { eng: 'en', deu: 'de', iw: 'he', 'DE-at': 'de-AT', 'zh-hant-tw': 'zh-Hant-TW' }
    for (const [sent, meant] of Object.entries(codes)) expect([sent, languageOf(sent)]).toEqual([sent, meant])
    expect(parse({ query: 'q', language: 'en' })).toMatchObject({ request: { isLanguageGiven: true } })
  })

  test('keeps its query exactly as it was sent, whatever Unicode it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (text) => {
        const query = `a${text}`.slice(0, LIMITS.queryCharacters)
        const parsed = parse({ query })
        return parsed.ok && parsed.request.query === query
      }),
    )
  })

  test.each([
    undefined,
    null,
    7,
    true,
    [],
    {},
    '',
    '   ',
    '\n\t',
    '\u200B\u00A0',
    'x'.repeat(LIMITS.queryCharacters + 1),
    '\uD800',
  ])('is refused for its query when that is %j', (query) => {
    expect(parse({ query, num_results: 'wrong' })).toMatchObject({ ok: false, refused: 'query' })
    expect(pointersOf({ query })).toEqual(['/query'])
  })

  test('may ignore fields the specification does not know', () => {
    expect(parse({ query: 'q', unheard_of: { deep: [1] } }).ok).toBe(true)
  })
})

describe('a field of a wrong type or out of its range is named, with what is allowed', () => {
  test.each([
    ['num_results', 0],
    ['num_results', 11],
    ['num_results', 2.5],
    ['num_results', '5'],
    ['num_results', null],
    ['num_results', true],
    ['max_snippets_per_result', 0],
    ['max_snippets_per_result', 6],
    ['max_snippets_per_result', 1.0001],
    ['max_snippets_per_result', '3'],
    ['max_snippets_per_result', null],
    ['search_depth', 'deep'],
    ['search_depth', 'Precise'],
    ['search_depth', null],
    ['search_depth', 1],
    ['recency', 'decade'],
    ['recency', ''],
    ['recency', 7],
    ['language', 'english'],
    ['language', 'de-a1'],
    ['language', ''],
    ['language', null],
    ['language', 7],
    ['include_domains', 'example.com'],
    ['include_domains', null],
    ['exclude_domains', {}],
    ['exclude_domains', null],
    ['include', ['everything']],
  ])('%s: %j', (field, value) => {
    const parsed = parse({ query: 'q', [field]: value })
    expect(parsed).toMatchObject({ ok: false, refused: 'options' })
    expect(parsed.ok ? [] : parsed.issues[0]?.pointer).toMatch(new RegExp(`^/${field}(/\\d+)?$`))
    expect(parsed.ok ? '' : parsed.issues[0]?.message).toContain(field)
  })

  test.each([
    'https://example.com',
    'example.com/path',
    'example.com:8080',
    'exa mple.com',
    '',
    ' ',
    '*.com',
    'a..b',
    '-a.com',
    7,
    null,
  ])('a domain %j', (domain) => {
    expect(pointersOf({ query: 'q', include_domains: ['example.com', domain] })).toEqual([
      '/include_domains/1',
    ])
    expect(pointersOf({ query: 'q', exclude_domains: [domain] })).toEqual(['/exclude_domains/0'])
  })

  test('a list of more domains than the limit', () => {
    const domains = Array.from({ length: LIMITS.domains + 1 }, (_, index) => `d${index}.example`)
    expect(pointersOf({ query: 'q', include_domains: domains })).toEqual(['/include_domains'])
  })

  test('several at once are all named', () => {
    expect(pointersOf({ query: 'q', num_results: 99, search_depth: 'x' })).toEqual([
      '/num_results',
      '/search_depth',
    ])
  })
})

describe('a domain', () => {
  test('is compared in ASCII lower case without a trailing dot', () => {
    expect(toHostName('EXAMPLE.com.')).toBe('example.com')
    expect(toHostName('bücher.example')).toBe('xn--bcher-kva.example')
  })

  test('is either null or a name that is its own normal form, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const name = toHostName(text)
        return name === null || toHostName(name) === name
      }),
    )
  })
})
