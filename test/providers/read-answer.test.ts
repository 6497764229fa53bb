import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  collectTexts,
  createEntryReader,
  plainText,
  readDate,
  readHits,
} from '../../src/providers/read-answer.ts'
import { ProviderError } from '../../src/providers/provider.ts'

test('dates are read in the spellings engines use, and nothing else is taken for one', () => {
  const cases: [string | number | null, string | null][] = [
    ['2026-11-02', '2026-11-02'],
    ['2026-11-02T08:30:00Z', '2026-11-02T08:30:00Z'],
    ['2026-11-02T08:30:00', '2026-11-02T08:30:00Z'],
    ['2026-11-02 08:30:00+0130', '2026-11-02T07:00:00Z'],
    ['2026-11-02T08:30:00.000-05:00', '2026-11-02T13:30:00Z'],
    ['Nov 2, 2026', '2026-11-02'],
    ['2 November 2026', '2026-11-02'],
    ['Mon, 02 Nov 2026 08:30:00 GMT', '2026-11-02T08:30:00Z'],
    [1_761_955_200, '2025-11-01T00:00:00Z'],
    ['2026-13-40', null],
    ['2026-02-30', null],
    ['2026-02-30T08:30:00Z', null],
    [8_600_000_000_000, null],
    ['2 hours ago', null],
    ['12/11/10', null],
    ['may be 5', null],
    ['', null],
    [0, null],
    [null, null],
  ]
  for (const [written, iso] of cases) expect([written, readDate(written)]).toEqual([written, iso])
})

test('mark-up and character references in titles become the text they show', () => {
  expect(plainText('A <strong class="x">bold</strong> &amp; <b>plain</b>&nbsp;title &#x1F511;\n')).toBe(
    'A bold & plain title 🔑',
  )
  expect(plainText('1 < 2 and 3 > 2')).toBe('1 < 2 and 3 > 2')
})

test('one damaged entry costs itself alone, only damaged ones are a failure', () => {
  const schema = z.object({ url: z.string() })
  const toHit = ({ url }: { url: string }) => ({
    url,
    title: 'x'.repeat(600),
    publishedAt: null,
    excerpt: null,
  })
  const [hit, ...others] = readHits('engine', [{}, { url: 'https://example.org/' }, null], schema, toHit)
  expect(others).toEqual([])
  expect(hit?.title).toHaveLength(500)
  expect(readHits('engine', [], schema, toHit)).toEqual([])
  expect(() => readHits('engine', [{}, 7], schema, toHit)).toThrow(ProviderError)
})

test('what is of a wrong type beside address and title is left out, and costs no hit: those decide', () => {
  const read = createEntryReader('engine', {
    url: 'url',
    title: 'title',
    excerpt: 'content',
    dates: ['pubdate', 'publishedDate'],
    isMarkup: false,
  })
  const whole = { url: 'https://example.org/', title: 'Keys', content: 'Words.', publishedDate: '2026-11-02' }
  const hit = { url: whole.url, title: 'Keys', excerpt: 'Words.', publishedAt: '2026-11-02' }
  expect(read([{ ...whole, content: { text: 'Words.' } }])).toEqual([{ ...hit, excerpt: null }])
  expect(read([{ ...whole, publishedDate: ['2026'] }])).toEqual([{ ...hit, publishedAt: null }])
  expect(read([{ ...whole, pubdate: false }])).toEqual([hit])
  expect(read([whole, { ...whole, url: 7 }, { ...whole, title: {} }])).toEqual([hit])
})

test('entries without an address of a page are a failure when there are no others, and else left to the chain', () => {
  const schema = z.object({ url: z.string() })
  const toHit = ({ url }: { url: string }) => ({ url, title: '', publishedAt: null, excerpt: null })
  const read = (...urls: string[]) =>
    readHits(
      'engine',
      urls.map((url) => ({ url })),
      schema,
      toHit,
    )
  expect(() => read('javascript:alert(1)', 'ftp://example.org/', 'not an address')).toThrow(
    'no entry of the answer has the address of a page',
  )
  expect(read('javascript:alert(1)', 'https://user:secret@example.org/')).toHaveLength(2)
})

test('of an answer without end only the first entries are read, whole or damaged: the rest would hold up the process', () => {
  let read = 0
  const schema = z.object({ url: z.string() })
  const counted = z.unknown().transform((entry) => {
    read += 1
    return schema.parse(entry)
  })
  const toHit = ({ url }: { url: string }) => ({ url, title: '', publishedAt: null, excerpt: null })
  const many = Array.from({ length: 5_000 }, (_, index) => ({ url: `https://example.org/${index}` }))
  const hits = readHits('engine', many, counted, toHit)
  expect(hits.map(({ url }) => url)).toEqual(many.slice(0, hits.length).map(({ url }) => url))
  expect(hits.length).toBeGreaterThanOrEqual(100)
  expect(read).toBeLessThan(1_000)
  read = 0
  const damaged = z.unknown().refine(() => {
    read += 1
    return false
  })
  const never = () => ({ url: '', title: '', publishedAt: null, excerpt: null })
  expect(() => readHits('engine', many, damaged, never)).toThrow(ProviderError)
  expect(read).toBeLessThan(1_000)
})

const titleSchema = z.object({ title: z.string() })
const titledHit = ({ title }: { title: string }) => ({
  url: 'https://example.org/',
  title,
  publishedAt: null,
  excerpt: title,
})

test('a title is one line without characters that steer a terminal or end a string', () => {
  const [hit] = readHits(
    'engine',
    [{ title: ' A\u0000 \u001b[31mlamp\r\nlit\tby\u009bnight ' }],
    titleSchema,
    titledHit,
  )
  expect(hit?.title).toBe('A [31mlamp lit by night')
})

test('half of a character, where an engine or a limit cut, shows as a replacement character', () => {
  const [hit] = readHits('engine', [{ title: 'A lamp \ud83d' }], titleSchema, titledHit)
  expect([hit?.title, hit?.excerpt]).toEqual(['A lamp \ufffd', 'A lamp \ufffd'])
  const [long] = readHits('engine', [{ title: `${'x'.repeat(499)}🕯️` }], titleSchema, titledHit)
  expect(long?.title.at(-1)).toBe('\ufffd')
})

test('a further page is asked for only while fewer hits than needed remain after the domain filter', async () => {
  const pages = [
    ['https://shop.example.org/', 'https://a.example.org/'],
    ['https://b.example.org/'],
    ['https://c.example.org/'],
  ]
  const spelling = { charactersMax: null, wordsMax: null, splitAtCharacters: 400, queriesMax: 1 }
  const urlsFor = async (needed: number, excludeDomains: string[]): Promise<[string[], number]> => {
    let requests = 0
    const query = { text: 'q', count: 10, needed, recency: null, language: 'en', includeDomains: [] }
    const askPage = async (_text: string, pageIndex: number) => {
      requests += 1
      return (pages[pageIndex] ?? []).map((url) => ({ url, title: '', publishedAt: null, excerpt: null }))
    }
    const signal = new AbortController().signal
    const hits = await collectTexts({ ...query, excludeDomains }, { spelling, pagesMax: 3 }, askPage, signal)
    return [hits.map(({ url }) => url), requests]
  }
  expect(await urlsFor(2, [])).toEqual([pages[0], 1])
  expect(await urlsFor(2, ['shop.example.org'])).toEqual([pages.slice(0, 2).flat(), 2])
  expect(await urlsFor(9, [])).toEqual([pages.flat(), 3])
})
