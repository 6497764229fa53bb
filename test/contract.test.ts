import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { healthResponseSchema, readyResponseSchema } from '../src/contract/health.ts'
import {
  INCLUDES,
  parseForeignSearch,
  parseSearchRequest,
  searchOptionsSchema,
  searchResponseSchema,
} from '../src/contract.ts'
import { LIMITS } from '../src/contract/limits.ts'
import { verifyRequestSchema, verifyResponseSchema } from '../src/contract/verify.ts'
import { querySchema } from '../src/contract/fields.ts'

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

  test('takes every value that the documentation allows, to its last', () => {
    for (const [field, values] of Object.entries({
      query: ['x'.repeat(LIMITS.queryCharacters)],
      num_results: [1, 10],
      max_snippets_per_result: [1, 5],
      search_depth: ['precise', 'balanced', 'exhaustive'],
      recency: ['day', 'week', 'month', 'year', null],
      include_domains: [Array.from({ length: LIMITS.domains }, (_, index) => `d${index}.example`)],
      start_date: ['2026-02-28', null],
      max_age: [0, 365 * 86_400, null],
      page: [1, 10],
      min_score: [0, 0.5, 1, null],
      max_error: [0, 1, null],
      max_total_characters: [50, 100_000, null],
      max_total_tokens: [50, 50_000, null],
      include: [[], [...INCLUDES]],
    }))
      for (const value of values)
        expect(parse({ query: 'q', [field]: value })).toMatchObject({ ok: true, request: { [field]: value } })
  })

  test('may begin and end on the same day, and may name one of both alone', () => {
    for (const days of [
      { start_date: '2026-01-02', end_date: '2026-01-02' },
      { start_date: '2026-01-02' },
      { end_date: '2026-01-02', start_date: null },
    ])
      expect(parse({ query: 'q', ...days })).toMatchObject({ ok: true, request: days })
  })

  test('of a foreign shape may ask for twenty results, and for no more', () => {
    expect(parseForeignSearch({ query: 'q', num_results: 20 })).toMatchObject({ ok: true })
    expect(parseForeignSearch({ query: 'q', num_results: 21 })).toMatchObject({
      issues: [{ pointer: '/num_results', message: 'num_results must be a whole number from 1 to 20.' }],
    })
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
    ['language', 'all'],
    ['language', 'und'],
    ['language', 'mul-Latn'],
    ['language', 'zxx'],
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

  test('a thousand at once are named as far as twenty', () => {
    const include = Array(1_000).fill(7)
    expect(pointersOf({ query: 'q', include })).toEqual(include.slice(0, 20).map((_, at) => `/include/${at}`))
  })

  test('several at once are all named', () => {
    expect(pointersOf({ query: 'q', num_results: 99, search_depth: 'x' })).toEqual([
      '/num_results',
      '/search_depth',
    ])
  })
})

const BARE = 'must be a bare domain name such as "example.com"'
const ONE_OF_INCLUDES = INCLUDES.map((name) => `"${name}"`).join(', ')

describe('the sentence of a refusal says what is allowed', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ query: 7 }, 'query is required and must be a string.'],
    [{ query: 'x'.repeat(2_001) }, 'query must be at most 2000 characters long.'],
    [{ query: ' \u200B' }, 'query must not be empty or blank.'],
    [{ query: 'a\uD800' }, 'query must be well-formed Unicode (it holds half of a surrogate pair).'],
    [{ num_results: 11 }, 'num_results must be a whole number from 1 to 10.'],
    [{ num_results: 1e30 }, 'num_results must be a whole number from 1 to 10.'],
    [{ num_results: 1.5 }, 'num_results must be a whole number from 1 to 10.'],
    [{ max_age: -1 }, 'max_age must be a whole number from 0 to 31536000.'],
    [{ page: 11 }, 'page must be a whole number from 1 to 10.'],
    [{ max_total_characters: 49 }, 'max_total_characters must be a whole number from 50 to 100000.'],
    [{ max_total_tokens: 50_001 }, 'max_total_tokens must be a whole number from 50 to 50000.'],
    [{ search_depth: 'x' }, 'search_depth must be one of "precise", "balanced", "exhaustive".'],
    [{ recency: 'x' }, 'recency must be one of "day", "week", "month", "year" or null.'],
    [{ language: 7 }, 'language must be a language code such as "en", "fr" or "de".'],
    [{ language: 'x' }, 'language must be a language code such as "en", "fr" or "de".'],
    [{ language: 'de-a1' }, 'language must be a language code such as "en", "fr" or "de".'],
    [{ start_date: '2026-02-30' }, 'start_date must be a date written as YYYY-MM-DD, or null.'],
    [{ end_date: '1.1.2026' }, 'end_date must be a date written as YYYY-MM-DD, or null.'],
    [{ min_score: -0.1 }, 'min_score must be a number from 0 to 1, or null.'],
    [{ min_score: 1.1 }, 'min_score must be a number from 0 to 1, or null.'],
    [{ max_error: '1' }, 'max_error must be a number from 0 to 1, or null.'],
    [{ include_domains: 'a.example' }, 'include_domains must be an array of bare domain names.'],
    [{ exclude_domains: [7] }, `exclude_domains.0 ${BARE}.`],
    [{ exclude_domains: ['a/b'] }, `exclude_domains.0 ${BARE}: no scheme, path, port, wildcard or space.`],
    [{ include_domains: Array(101).fill('a.example') }, 'include_domains must hold at most 100 domains.'],
    [{ include: 'proof' }, `include must be an array of ${ONE_OF_INCLUDES}.`],
    [{ include: ['proof', 'x'] }, `include.1 must be one of ${ONE_OF_INCLUDES}.`],
    [{ start_date: '2026-01-02', end_date: '2026-01-01' }, 'end_date must not lie before start_date.'],
  ])('%j', (body, message) => {
    const parsed = parse({ query: 'q', ...body })
    const field = message.split(' ', 1)[0]?.replace('.', '/')
    expect(parsed).toEqual({
      ok: false,
      refused: 'query' in body ? 'query' : 'options',
      issues: [{ pointer: `/${field}`, message }],
    })
  })
})

test.each([
  ['SearchRequest', z.object({ query: querySchema, ...searchOptionsSchema.shape }), 'input'],
  ['SearchResponse', searchResponseSchema, 'output'],
  ['VerifyRequest', verifyRequestSchema, 'input'],
  ['VerifyResponse', verifyResponseSchema, 'output'],
  ['Health', healthResponseSchema, 'output'],
  ['Ready', readyResponseSchema, 'output'],
] as const)('%s is published as it is judged', (name, schema, io) => {
  const file = join(import.meta.dirname, '..', 'docs', 'openapi.json')
  const { components } = JSON.parse(readFileSync(file, 'utf8'))
  const { $schema: _dialect, ...document } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  expect(components.schemas[name]).toEqual(expect.objectContaining(document))
})
