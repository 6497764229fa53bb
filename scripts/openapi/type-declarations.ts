// TypeScript declarations for the schemas of our OpenAPI document, for the client package. Own code, because our
// schemas use a small part of JSON Schema and the known generators need a TypeScript that still has a compiler API.

/** The part of JSON Schema (draft 2020-12) that zod writes for our contract. */
export interface JsonSchema {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly { required: readonly string[] }[]
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  description?: string
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** One exported type per schema, in order. Throws on a construct it does not know rather than guess a type. */
export function typeDeclarations(schemas: Readonly<Record<string, JsonSchema>>): string {
  return Object.entries(schemas)
    .map(([name, schema]) => `${comment(schema, '')}export type ${name} = ${typeOf(schema, '')}\n`)
    .join('\n')
}

function typeOf(schema: JsonSchema, indent: string): string {
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ')
  if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, indent))
  if (schema.type === 'object') return objectType(schema, indent)
  const names = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const primitives = names.map((name) => PRIMITIVES[name])
  if (primitives.length === 0 || primitives.includes(undefined))
    throw new Error(`no TypeScript type is known for ${JSON.stringify(schema)}`)
  return primitives.join(' | ')
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/gu, String.raw`\$&`)}'` : JSON.stringify(value)

const arrayOf = (item: string): string => (/^[^{]* \| /u.test(item) ? `(${item})[]` : `${item}[]`)

function objectType(schema: JsonSchema, indent: string): string {
  if (schema.properties === undefined) return 'Record<string, unknown>'
  const inner = `${indent}  `
  const alternatives = new Set(schema.oneOf?.flatMap((one) => one.required))
  const members = Object.entries(schema.properties)
    .filter(([name]) => !alternatives.has(name))
    .map(([name, property]) => {
      const mark = schema.required?.includes(name) === true ? '' : '?'
      return `${comment(property, inner)}${inner}${name}${mark}: ${typeOf(property, inner)}`
    })
  return `{\n${members.join('\n')}\n${indent}}${oneOfType(schema, [...alternatives])}`
}

/** Exactly one of several properties: each alternative requires its own and forbids the others. */
function oneOfType(schema: JsonSchema, names: readonly string[]): string {
  if (names.length === 0) return ''
  const alternatives = names.map((wanted) => {
    const members = names.map((name) =>
      name === wanted ? `${name}: ${typeOf(schema.properties?.[name] ?? {}, '')}` : `${name}?: never`,
    )
    return `{ ${members.join('; ')} }`
  })
  return ` & (${alternatives.join(' | ')})`
}

const comment = ({ description }: JsonSchema, indent: string): string =>
  description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n`
