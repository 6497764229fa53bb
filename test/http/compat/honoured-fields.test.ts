// Each row of the tables of foreign fields that says "honoured", held to its word by a request that sends the field.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIELD_TABLES, type FieldTable } from '../../../src/http/compat/field-tables.ts'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'
import { ANSWER, answerOf, ASIDE, PROBES, TOWNS, type Json, type Seen } from './honoured-probes.ts'
import { sendFields } from './send-fields.ts'

const dated = (day: string): string => `<meta property="article:published_time" content="${day}">`
const GERMAN = `<!doctype html><html lang="de"><title>Schlüssel</title><article><h1>Schlüssel</h1>
<p>Wie widerrufe ich einen Schlüssel? Jeder Schlüssel kann in der Verwaltung jederzeit widerrufen werden und gilt dann nicht mehr.</p></article></html>`

let fetched = 0
let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    '/keys': {
      html: article('Keys', [ANSWER, `</p><p class="aside">${ASIDE}`], dated('2026-01-05')),
    },
    '/old': { html: article('Old', [answerOf('former times')], dated('2019-03-01')) },
    '/german': { html: GERMAN },
    '/long': { html: article('Long', TOWNS.map(answerOf)) },
    '/counted': {
      answer(_, response) {
        fetched += 1
        const html = article('Counted', [ANSWER, ASIDE], dated('2026-01-05'))
        response.setHeader('Content-Type', 'text/html').end(html)
      },
    },
    ...Object.fromEntries(TOWNS.map((path) => [path, { html: article(path, [answerOf(path)]) }])),
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
  // Kept from here on.
  const kept = await post('/v1/read', { url: urlOf('/counted') })
  if (kept.status !== 200) throw new Error(`/counted was not kept: ${await kept.text()}`)
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const urlOf = (path: string): string => `${site.siteUrl}${path}`
const authorized = (): Record<string, string> => ({ Authorization: `Bearer ${service.key}` })
const post = (path: string, body: unknown): Promise<Response> => {
  const headers = { ...authorized(), 'Content-Type': 'application/json' }
  return fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

function send(table: FieldTable, fields: Json): Promise<Response> {
  const isOfCache = 'X-No-Cache' in fields || 'X-Cache-Tolerance' in fields
  const receiver = {
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(`${service.url}/compat${path}`, { headers: { ...authorized(), ...headers } }),
    post: (path: string, body: unknown) => post(`/compat${path}`, body),
    urlOf,
    answer: ANSWER,
  }
  return sendFields(receiver, table, table.paths[0] ?? '', fields, isOfCache ? '/counted' : '/keys')
}

/** Pages of an answer in any of the shapes, by path. */
function pathsIn(body: unknown): string[] {
  const { results, data } = (Array.isArray(body) ? { results: body } : body) as Json
  const lists = [results, data, ...Object.values(data ?? {})].filter(Array.isArray) as Json[][]
  return lists.flat().flatMap((one) => {
    const source = (one['metadata'] as Json | undefined)?.['source']
    const url = one['url'] ?? one['link'] ?? source
    return typeof url === 'string' ? [new URL(url).pathname] : []
  })
}

async function ask(table: FieldTable, fields: Json): Promise<Seen> {
  fetched = 0
  const answer = await send(table, fields)
  const text = await answer.text()
  const isJson = answer.headers.get('Content-Type')?.includes('json') === true
  const body = isJson ? (JSON.parse(text) as Json) : {}
  const engine = site.asked.at(-1) ?? new URLSearchParams()
  return { status: answer.status, text, body, paths: pathsIn(body), engine, fetched }
}

const cases = FIELD_TABLES.flatMap((table) => {
  const place = [table.name, ...(table.within ?? [])].join(' ')
  return Object.keys(table.fields.honoured).map((field) => ({ place, field, table }))
})

test('there is a probe for every row that says so, and for no other', () => {
  const probed = Object.entries(PROBES).flatMap(([place, probes]) =>
    Object.keys(probes).map((field) => `${place}: ${field}`),
  )
  expect(probed.toSorted()).toEqual(cases.map(({ place, field }) => `${place}: ${field}`).toSorted())
})

describe.each(cases)('$place: $field', ({ place, field, table }) => {
  test('is honoured', async () => {
    const probe = PROBES[place]?.[field]
    site.find(...(probe?.found ?? ['/keys']))
    const seen = await ask(table, probe?.sent(urlOf) ?? {})
    expect([probe?.holds(seen), seen.status, seen.text.slice(0, 2_000)]).toEqual([
      true,
      expect.any(Number),
      expect.any(String),
    ])
  })
})
