// Each row of each table of foreign fields, held to its word: what is refused is refused in the shape's own error, and what
// is harmless changes nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIELD_TABLES, type FieldTable } from '../../../src/http/compat/field-tables.ts'
import { describeFields } from '../../../src/http/compat/foreign-fields.ts'
import { ERROR_SHAPES, ROUTES } from '../../../src/http/route-table.ts'
import { ANSWER, startCompatService, type CompatService } from './compat-service.ts'
import { sendFields } from './send-fields.ts'

let compat: CompatService
beforeAll(async () => {
  compat = await startCompatService()
})
afterAll(() => compat.close())

const send = (table: FieldTable, path: string, fields: Record<string, unknown>): Promise<Response> => {
  const urlOf = (page: string): string => `${compat.site.siteUrl}${page}`
  return sendFields({ ...compat, urlOf, answer: ANSWER }, table, path, fields)
}

const cases = FIELD_TABLES.flatMap((table) =>
  table.paths.map((path) => ({
    name: `${[table.name, ...(table.within ?? [])].join(' ')} at ${path}`,
    table,
    path,
  })),
)

const withoutTimes = (text: string): string =>
  text.replace(/"(?:response_time|request_?id|id)":(?:"req[^"]*"|[\d.]+)/giu, '')

test.each(cases)(
  '$name answers the least that it asks for, and the same with every harmless field',
  async ({ table, path }) => {
    compat.site.find('/keys', '/other')
    const plain = await send(table, path, {})
    expect(plain.status).toBe(200)
    const harmless = Object.fromEntries(table.fields.harmless.map((field) => [field, 'whatever']))
    const same = await send(table, path, harmless)
    expect(same.status).toBe(200)
    expect(withoutTimes(await same.text())).toBe(withoutTimes(await plain.text()))
  },
)

const refusing = cases.filter(({ table }) => Object.keys(table.fields.refused).length > 0)

test.each(refusing)(
  '$name refuses in its own shape whatever it cannot do, by name',
  async ({ table, path }) => {
    const shape = ERROR_SHAPES.find(({ prefix }) => `/compat${path}`.startsWith(prefix))
    for (const [field, advice] of Object.entries(table.fields.refused)) {
      const answer = await send(table, path, { [field]: ['whatever'] })
      const detail = `${[...(table.within ?? []), field].join('.')} is not supported here; ${advice}`
      const expected = shape?.spell({ status: 400, detail })
      expect([field, answer.status, await answer.json()]).toEqual([field, expected?.status, expected?.body])
    }
  },
)

/** A header is sent or it is not. */
const inBodies = refusing.filter(({ table }) => table.areHeaders !== true)

test.each(inBodies)('$name takes fields that were left empty as not sent', async ({ table, path }) => {
  const empty = [null, '', [], {}, false]
  const fields = Object.keys(table.fields.refused)
  const unset = Object.fromEntries(fields.map((field, index) => [field, empty[index % empty.length]]))
  expect((await send(table, path, unset)).status).toBe(200)
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
