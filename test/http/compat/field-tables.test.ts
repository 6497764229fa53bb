// Each row of each table of foreign fields, held to its word: what is refused is refused in the shape's own error, and what
// is harmless changes nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIELD_TABLES, type FieldTable } from '../../../src/http/compat/field-tables.ts'
import { describeFields } from '../../../src/http/compat/foreign-fields.ts'
import { ERROR_SHAPES, ROUTES } from '../../../src/http/route-table.ts'
import { ANSWER, QUESTION, startCompatService, type CompatService } from './compat-service.ts'

let compat: CompatService
beforeAll(async () => {
  compat = await startCompatService()
})
afterAll(() => compat.close())

/** The least that each shape asks for. */
const leastOf = ({ fields: { honoured } }: FieldTable): Record<string, unknown> => {
  if ('documents' in honoured) return { query: QUESTION, documents: [ANSWER, 'Bread is baked.'] }
  if ('texts' in honoured) return { query: QUESTION, texts: [ANSWER, 'Bread is baked.'] }
  if ('url' in honoured) return { url: `${compat.site.siteUrl}/keys` }
  if ('urls' in honoured) return { urls: [`${compat.site.siteUrl}/keys`] }
  return 'q' in honoured ? { q: QUESTION } : { query: QUESTION }
}

const send = (table: FieldTable, path: string, body: Record<string, unknown>): Promise<Response> =>
  table.name === 'SearXNG'
    ? compat.get(`${path}?${new URLSearchParams(body as Record<string, string>).toString()}`)
    : compat.post(path, body)

const cases = FIELD_TABLES.flatMap((table) =>
  table.paths.map((path) => ({ name: `${table.name} at ${path}`, table, path })),
)

describe.each(cases)('$name', ({ table, path }) => {
  const refused = Object.entries(table.fields.refused)

  test('answers the least that it asks for, and the same with every harmless field', async () => {
    compat.site.find('/keys', '/other')
    const least = leastOf(table)
    const plain = await send(table, path, least)
    expect(plain.status).toBe(200)
    const harmless = Object.fromEntries(table.fields.harmless.map((field) => [field, 'whatever']))
    const same = await send(table, path, { ...least, ...harmless })
    expect(same.status).toBe(200)
    const withoutTimes = (text: string): string =>
      text.replace(/"(?:response_time|request_?id|id)":(?:"req[^"]*"|[\d.]+)/giu, '')
    expect(withoutTimes(await same.text())).toBe(withoutTimes(await plain.text()))
  })

  test.runIf(refused.length > 0)('refuses in its own shape whatever it cannot do, by name', async () => {
    const shape = ERROR_SHAPES.find(({ prefix }) => `/compat${path}`.startsWith(prefix))
    for (const [field, advice] of refused) {
      const answer = await send(table, path, { ...leastOf(table), [field]: ['whatever'] })
      const detail = `${field} is not supported here; ${advice}`
      const expected = shape?.spell({ status: 400, detail })
      expect([field, answer.status, await answer.json()]).toEqual([field, expected?.status, expected?.body])
    }
  })

  test('takes fields that were left empty as not sent', async () => {
    const empty = [null, '', [], {}, false]
    const unset = Object.fromEntries(refused.map(([field], index) => [field, empty[index % empty.length]]))
    expect((await send(table, path, { ...leastOf(table), ...unset })).status).toBe(200)
  })
})

describe('the tables', () => {
  test('name each field once and belong to routes that exist', () => {
    const paths = new Set(ROUTES.map((route) => route.path))
    for (const { name, paths: below, fields } of FIELD_TABLES) {
      const names = describeFields(fields).map(({ field }) => field)
      expect([name, names.length]).toEqual([name, new Set(names).size])
      for (const path of below) expect(paths).toContain(`/compat${path}`)
    }
  })
})
