// `recency` through the whole service, on a hundred pages that tell their dates in the ways pages do: an engine that knows no
// dates finds all of them, ten at a time, and what comes back is what lies in the window.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RECENCIES, type Recency, type SearchResponse } from '../../src/contract.ts'
import { openEngineServer, type Reply } from '../providers/engines/engine-server.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const HOUR_MS = 3_600_000
/** Hours; none lies within half a day of the end of a window, so that a slow run changes nothing. */
const AGES = [2, 9, 60, 100, 130, 9 * 24, 20 * 24, 29 * 24, 40 * 24, 100 * 24, 200 * 24, 300 * 24, 350 * 24]
const OLD_AGES = [400, 500, 800, 1_500].map((days) => days * 24)
const WINDOW_HOURS: Readonly<Record<Recency, number>> = {
  day: 24,
  week: 7 * 24,
  month: 31 * 24,
  year: 366 * 24,
}
const PAGES = 100
const PER_SEARCH = 10

const stamp = (ageHours: number): string => new Date(Date.now() - ageHours * HOUR_MS).toISOString()
const dayOf = (ageHours: number): string => stamp(ageHours).slice(0, 10)
const linkedData = (json: object): string =>
  `<script type="application/ld+json">${JSON.stringify(json)}</script>`
const LONG = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
const meta = (property: string, content: string): string =>
  `<meta property="${property}" content="${content}">`

/** A page that is so many hours old, told in one of these ways; the last two contradict themselves. */
const TELLINGS: readonly ((ageHours: number) => { head?: string; top?: string })[] = [
  (age) => ({ head: linkedData({ '@type': 'NewsArticle', datePublished: stamp(age) }) }),
  (age) => ({ head: meta('article:published_time', stamp(age)) }),
  (age) => ({ head: meta('date', dayOf(age)) }),
  (age) => ({ top: `<p class="date">${new Date(dayOf(age)).toLocaleDateString('en-GB', LONG)}</p>` }),
  (age) => ({ top: `<p><time datetime="${stamp(age)}">then</time></p>` }),
  (age) => ({
    head:
      linkedData({ '@type': 'Article', datePublished: stamp(age) }) +
      meta('article:published_time', '2011-02-03'),
  }),
  (age) => ({
    head: linkedData({
      '@type': 'Article',
      datePublished: stamp(age),
      dateModified: stamp(Math.min(1, age)),
    }),
  }),
]

interface DatedPage {
  path: string
  ageHours: number | null
  html: string
}

function datedPage(at: number): DatedPage {
  const isUndated = at % 10 === 9
  const ages = [...AGES, ...OLD_AGES]
  const ageHours = isUndated ? null : (ages[at % ages.length] ?? 0)
  const { head = '', top = '' } = ageHours === null ? {} : (TELLINGS[at % TELLINGS.length]?.(ageHours) ?? {})
  const text = `Report ${at} of the harbour: the tide gauge at pier ${at} was read, cleaned and set anew, and what it showed went into log ${at * 37}.`
  const html = article(`Report ${at}`, [text], head).replace('</h1>', `</h1>${top}`)
  return { path: `/report-${at}`, ageHours, html }
}

const pages = Array.from({ length: PAGES }, (_, at) => datedPage(at))
let site: SearchSite
let engine: Awaited<ReturnType<typeof openEngineServer>>
let service: TestService
let found: readonly DatedPage[] = []
beforeAll(async () => {
  site = await startSearchSite(Object.fromEntries(pages.map(({ path, html }) => [path, { html }])))
  const reply: Reply = (_, response) => {
    const results = found.map(({ path }) => ({ url: `${site.siteUrl}${path}`, title: path, description: '' }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
  }
  engine = await openEngineServer([reply])
  service = await startService({
    SEARCH_PROVIDERS: 'marginalia',
    MARGINALIA_API_KEY: 'key',
    MARGINALIA_URL: engine.origin,
  })
})
afterAll(async () => {
  await service.close()
  await engine.close()
  await site.close()
})

/** Paths of all pages that come back, ten asked for at a time. */
async function returned(options: Record<string, unknown>): Promise<string[]> {
  const paths: string[] = []
  for (let at = 0; at < PAGES; at += PER_SEARCH) {
    found = pages.slice(at, at + PER_SEARCH)
    const body = { query: 'harbour tide gauge report', num_results: PER_SEARCH, language: 'en', ...options }
    const { results } = (await (await service.search(body)).json()) as SearchResponse
    paths.push(...results.map(({ url }) => new URL(url).pathname))
  }
  return paths.toSorted()
}

describe('of a hundred dated pages', () => {
  test('all come back where no window is asked for', async () => {
    expect(await returned({})).toHaveLength(PAGES)
  })

  test.each(RECENCIES)('those of the last %s come back, all of them, and no other', async (recency) => {
    const wanted = pages.filter(({ ageHours }) => ageHours !== null && ageHours < WINDOW_HOURS[recency])
    expect(await returned({ recency })).toEqual(wanted.map(({ path }) => path).toSorted())
  })

  test('those that contradict themselves say in "explain" which date was not believed', async () => {
    found = pages.filter(({ html }) => html.includes('2011-02-03')).slice(0, 1)
    const answer = await service.search({ query: 'harbour tide gauge report', include: ['explain'] })
    const { explain } = (await answer.json()) as SearchResponse
    expect(explain?.['pages']).toMatchObject([
      {
        publish_date_source: 'json-ld',
        other_dates: [{ date: '2011-02-03', says: 'published', source: 'meta', reason: 'less_trusted' }],
      },
    ])
  })
})
