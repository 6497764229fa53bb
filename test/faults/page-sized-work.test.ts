// What the serving thread does with page-sized inputs, and what its helpers did before it was moved to theirs: four times
// the page may cost four times the work, never its square.
import { describe, expect, test } from 'vitest'
import { withoutInvisible } from '../../src/extract/invisible-characters.ts'
import type { Block, PageText } from '../../src/extract/document.ts'
import { cutPassages } from '../../src/extract/passages/cut-passages.ts'
import { readPage } from '../../src/extract/read-page.ts'
import { readLinks, readSitemap } from '../../src/library/crawl/links.ts'
import { excerptOf, toIndexText, wordsOf } from '../../src/library/terms.ts'
import { decodeText } from '../../src/pages/fetch/charset.ts'
import { sniffMediaType } from '../../src/pages/fetch/media-type.ts'
import { createMarkupFilter } from '../../src/pages/fetch/markup-filter.ts'
import { readRobots } from '../../src/pages/robots/robots-rules.ts'
import { createQuoteFinder } from '../../src/search/proof/find-quote.ts'
import { contentSha256 } from '../../src/search/proof/proof-store.ts'
import { createTextFragmentLinks } from '../../src/search/proof/text-fragment.ts'
import { createParsedPageCache } from '../../src/search/reading/parsed-page-cache.ts'
import { pageSnippets } from '../../src/search/snippets/page-snippets.ts'

const SMALL_CHARACTERS = 250_000
const LARGE_CHARACTERS = 1_000_000
/** Four is linear, sixteen quadratic. */
const GROWTH_MAX = 6
/** Shorter work is repeated until it can be told from the clock's own noise. */
const MEASURED_MS = 25
/** A neighbour on the machine costs a measurement, and one that is quiet is enough. */
const ATTEMPTS_MAX = 12

type Work = (text: string) => unknown

const ADDRESS = 'https://a.example/'
const never = new AbortController().signal
const LONG_PATH = new URL(`/${'a'.repeat(1_000)}`, ADDRESS)
const asHtml = { contentType: null, mediaType: 'text/html', truncated: true }
const bytesOf = (text: string): Uint8Array => Buffer.from(text)
const half = (text: string): string => text.slice(0, text.length / 2)
const repeated = (piece: string) => (length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
/** Lines that differ from one another. */
const numbered = (start: string) => (length: number) => {
  let text = ''
  for (let number = 0; text.length < length; number += 1) text += `${start}${number.toString(36)}\n`
  return text
}

const robotsOf: Work = (text) => readRobots(`${ADDRESS}robots.txt`, text, 'Verbatim').allows(LONG_PATH)
const manyRobots: Work = (text) =>
  robotsOf(`${half(text)}user-agent: *\n${'allow: /a\n'.repeat(text.length / 20)}`)
const links: Work = (text) => readLinks(text, ADDRESS, never)
const sitemap: Work = (text) => readSitemap(text, never)
const nested: Work = (text) => links(`${half(text)}${'</i>'.repeat(text.length / 8)}`)
const nestedSitemap: Work = (text) => sitemap(`${half(text)}${'</i>'.repeat(text.length / 8)}`)
const link: Work = (text) =>
  createTextFragmentLinks(ADDRESS, text)({ start: text.length - 400, end: text.length - 10 })
const quoteNowhere: Work = (text) => createQuoteFinder(text)(`X ${text.slice(5, 200)} nowhere`)
/** A page of one paragraph. */
const pageOf = (text: string, parts: Pick<Block, 'links'> = {}): PageText => {
  const block = {
    kind: 'paragraph',
    start: 0,
    end: text.length,
    headings: [],
    contentWeight: 1,
    ...parts,
  } as const
  const facts = { title: null, isCut: false, publishDate: null, lastUpdated: null, language: null }
  return { ...facts, text, blocks: [block] }
}
const hide: Work = (text) => withoutInvisible(pageOf(text))
/** A menu: every word is a link. */
const linked = (text: string): PageText => {
  const words = Array.from(text.matchAll(/\S+/gu), ({ index, 0: word }) => {
    return { start: index, end: index + word.length, target: '/x' }
  })
  return pageOf(text, { links: words })
}
const cut: Work = (text) => cutPassages(linked(text), { overlap: false, limit: text.length })
/** Passages side by side, of which all seem to answer. */
const snippets: Work = (text) => {
  const passages = Array.from({ length: Math.floor(text.length / 100) }, (_, at) => {
    const [start, end] = [at * 100, at * 100 + 99]
    const facts = {
      headings: [],
      opensSection: false,
      relevance: 0.5,
      scoredBy: 'first',
      parts: null,
    } as const
    return { ...facts, start, end, text: text.slice(start, end) }
  })
  return pageSnippets(passages, { text, threshold: 0, count: 5, likeliestElsewhere: 0 })
}
const readings = createParsedPageCache({
  maxBytes: 10_000,
  maxAgeMs: 60_000,
  read: async (_capture, _options, known) =>
    known === null
      ? {
          page: { title: null, text: '', isCut: false, publishDate: null, lastUpdated: null, language: null },
          passages: [],
          canonicalUrl: null,
          truncated: false,
          sketch: new Uint32Array(0),
          captureDigest: { sha256: 'known', bytes: 0 },
        }
      : null,
})
const excerpt: Work = (text) => excerptOf(text, [{ words: ['absent'], isPrefix: false, text: 'absent' }])
const decode: Work = (text) => decodeText(bytesOf(text), asHtml)
const read: Work = (html) => {
  const facts = { url: ADDRESS, lastModified: null, contentLanguage: null, now: new Date() }
  return readPage({ ...facts, mediaType: 'text/html', content: html }, new AbortController().signal)
}
const filterMarkup: Work = (text) => createMarkupFilter({ script: 1_000, style: 1_000 }).push(bytesOf(text))
const sniff: Work = (text) => sniffMediaType(null, bytesOf(text))

/** Found twice: as the copy that was read, and as one that came anew and is sent to the thread that reads. */
const findReading: Work = async (content) => {
  const facts = { requestedUrl: ADDRESS, url: ADDRESS, mediaType: 'text/html', content, lastModified: null }
  const whence = { contentLanguage: null, fetchedAt: '', readBy: 'cache', warning: null } as const
  const options = { overlap: false, limit: 1, deadlineMs: Number.POSITIVE_INFINITY }
  for (const id of ['one', 'one', 'another'])
    await readings.readPage({ ...facts, ...whence, id }, options, never)
}

const TEXTS = {
  words: 'ab ',
  'one word': 'a',
  spaces: ' ',
  marks: '\u0301',
  Han: '東',
  Hangul: '가 ',
  quotes: '"',
}
const MARKUPS = {
  '<b>': '<b>',
  'closed in the wrong order': '<b></i>',
  links: '<a href=/x>',
  comments: '<!--',
  CDATA: '<![CDATA[',
  '<': '<',
  references: '&amp;',
  attributes: '<a x=1 ',
}
const SITEMAPS = { entries: `<url><loc>${ADDRESS}</loc></url>`, '<loc>': '<loc>', unclosed: '<url><loc>a' }

type Case = [what: string, work: Work, textOf: (length: number) => string]
const each = (what: string, work: Work, pieces: Record<string, string>): Case[] =>
  Object.entries(pieces).map(([name, piece]) => [`${what}: ${name}`, work, repeated(piece)])

const CASES: readonly Case[] = [
  ...each('finding a quote', quoteNowhere, TEXTS),
  ...each('linking a passage', link, TEXTS),
  ...each('the digest of a text', contentSha256, { words: 'ab ' }),
  ...each('finding a kept reading', findReading, { words: 'ab ' }),
  ...each('picking snippets', snippets, TEXTS),
  ...each('cutting an excerpt', excerpt, TEXTS),
  ...each('reading', read, {
    'a span a word': '<span>word</span> ',
    'a link a word': '<a href=/x>word</a>\n',
  }),
  ...each('cutting', cut, { 'a link a word': 'word ' }),
  ...each('indexing', toIndexText, TEXTS),
  ...each('the words of a page', wordsOf, TEXTS),
  ...each('decoding', decode, {
    ASCII: 'a',
    accents: 'é',
    nulls: '\0',
    comments: '<!--',
    declarations: '<meta ',
  }),
  ...each('sniffing', sniff, { ASCII: 'a', spaces: ' ', nulls: '\0', comments: '<!--' }),
  ...each('leaving scripts out', filterMarkup, {
    ...MARKUPS,
    'tags that never end': '<a ',
    'a value that never ends': '<a b="',
    'scripts that end': '<script></script>',
    'scripts that do not': '<script></scrip',
  }),
  ...each('the links of a page', links, MARKUPS),
  ...each('the links of a nested page', nested, { '<b>': '<b>' }),
  ...each('a sitemap', sitemap, { ...SITEMAPS, ...MARKUPS }),
  ...each('a nested sitemap', nestedSitemap, { '<b>': '<b>' }),
  ...each('robots.txt', robotsOf, {
    breaks: '\n',
    spaces: ' ',
    colons: ':\n',
    comments: '#\n',
    '%': 'allow: /%\n',
  }),
  ...each('leaving out what shows nothing', hide, {
    words: 'ab ',
    tags: '\u{E0041}',
    joiners: 'a\u200D',
    flags: '\u{1F3F4}\u{E0067}',
    selectors: 'a\uFE0F',
  }),
  ['robots.txt: rules', (text) => robotsOf(`user-agent: *\n${text}`), numbered('allow: /')],
  ['robots.txt: wildcards', (text) => robotsOf(`user-agent: *\n${text}`), numbered('allow: /*a*')],
  ['robots.txt: robots and rules for them', manyRobots, numbered('user-agent: ')],
]

/** Milliseconds of this process's own work. */
async function costOf(work: Work, text: string, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let turn = 0; turn < times; turn += 1) await work(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

async function growthOf(work: Work, textOf: (length: number) => string): Promise<number> {
  const [small, large] = [textOf(SMALL_CHARACTERS), textOf(LARGE_CHARACTERS)]
  const once = await costOf(work, small, 1)
  const times = Math.max(1, Math.ceil(MEASURED_MS / Math.max(0.05, once)))
  return (await costOf(work, large, times)) / (await costOf(work, small, times))
}

describe('work on a page grows no faster than the page', () => {
  test.each(CASES)('%s', async (_what, work, textOf) => {
    let growth = Infinity
    for (let attempt = 0; attempt < ATTEMPTS_MAX && growth > GROWTH_MAX; attempt += 1)
      growth = Math.min(growth, await growthOf(work, textOf))
    expect(growth).toBeLessThanOrEqual(GROWTH_MAX)
  })
})

test('robots.txt is read for us alone: the groups that name us, else those for all, each rule once', () => {
  const text = [
    'user-agent: other',
    'disallow: /other',
    'sitemap: https://a.example/map.xml',
    'user-agent: *',
    'disallow: /all',
    'User-Agent: VERBATIM/2.0 # a comment',
    'an unknown: line',
    'user-agent: other',
    'Disallow: /ours',
    'crawl-delay: 3',
  ].join('\r\n')
  const forUs = readRobots(`${ADDRESS}robots.txt`, text, 'Verbatim')
  const forAnybody = readRobots(`${ADDRESS}robots.txt`, text, 'Nobody')
  const open = (rules: typeof forUs): boolean[] =>
    ['other', 'all', 'ours'].map((path) => rules.allows(new URL(path, ADDRESS)))
  expect(open(forUs)).toEqual([true, true, false])
  expect(open(forAnybody)).toEqual([true, false, true])
  expect(forUs).toMatchObject({ delayMs: 3_000, sitemaps: ['https://a.example/map.xml'] })
})
