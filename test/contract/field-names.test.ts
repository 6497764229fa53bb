// What a refusal says of a field is read on its own, without its pointer: it names the field.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldIssues } from '../../src/contract/body.ts'
import { ROUTES } from '../../src/http/route-table.ts'

/** Of each, whatever the field is to hold, some are wrong. */
const WRONG: readonly unknown[] = [
  {},
  [{}],
  [[]],
  '',
  ' ',
  -1,
  0.5,
  1e300,
  true,
  null,
  'zz',
  'x'.repeat(5_000),
]

const SCHEMAS = ROUTES.flatMap(({ path, operation }) => {
  const bodies = [operation?.body, operation?.alternative?.body].map((body) => body?.schema)
  return [...bodies, operation?.parameters].flatMap((schema) =>
    schema instanceof z.ZodType ? [{ path, schema }] : [],
  )
})

/** The names of its fields, also where a check of the whole stands around them. */
function fieldsOf(schema: z.ZodType): string[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties)
}

test('every sentence about a wrong field of a request names the field', () => {
  expect(SCHEMAS.length).toBeGreaterThan(4)
  const nameless = SCHEMAS.flatMap(({ path, schema }) =>
    fieldsOf(schema).flatMap((field) =>
      WRONG.flatMap((wrong) => {
        const parsed = schema.safeParse({ [field]: wrong })
        const issues = parsed.success ? [] : fieldIssues(parsed.error, [])
        const own = issues.filter(({ pointer }) => pointer.split('/')[1] === field)
        return own
          .filter(({ message }) => !message.includes(field))
          .map(({ message }) => [path, field, message])
      }),
    ),
  )
  expect(nameless).toEqual([])
})
