// Python's TypedDicts for the schemas of our OpenAPI document, for the Python client. A nested object gets a class named
// by its path (SearchResponseResult); a request is split, so that what may be left out can be passed as keywords.
import type { JsonSchema } from './type-declarations.ts'

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}
const REQUEST = 'Request'

/** The classes of every schema, nested ones before those that hold them. Throws on a construct it does not know. */
export function pythonTypes(schemas: Readonly<Record<string, JsonSchema>>): string {
  const classes: string[] = []
  for (const [name, schema] of Object.entries(schemas)) declare(name, schema, classes)
  return classes.join('\n\n')
}

function declare(name: string, schema: JsonSchema, classes: string[]): void {
  const members = Object.entries(schema.properties ?? {}).map(([property, value]) => ({
    isRequired: schema.required?.includes(property) === true,
    type: typeOf(value, `${name}${pascal(property)}`, classes),
    text: property,
    description: value.description,
  }))
  const lines = (wanted: readonly (typeof members)[number][]): string[] =>
    wanted.flatMap(({ text, type, isRequired, description }) => [
      `    ${text}: ${isRequired ? type : `NotRequired[${type}]`}`,
      ...(description === undefined ? [] : [`    ${docstring(description)}`]),
    ])
  if (!name.endsWith(REQUEST)) {
    classes.push(classOf(name, 'TypedDict', schema.description, lines(members)))
    return
  }
  const options = `${name.slice(0, -REQUEST.length)}Options`
  const optional = lines(members.filter(({ isRequired }) => !isRequired))
  classes.push(
    classOf(options, 'TypedDict', `What may be added to the call; see ${name}.`, optional),
    classOf(name, options, schema.description, lines(members.filter(({ isRequired }) => isRequired))),
  )
}

function classOf(name: string, base: string, description: string | undefined, lines: string[]): string {
  const head = description === undefined ? [] : [`    ${docstring(description)}`, '']
  const body = [...head, ...lines]
  return [`class ${name}(${base}):`, ...(body.length > 0 ? body : ['    pass']), ''].join('\n')
}

function typeOf(schema: JsonSchema, name: string, classes: string[]): string {
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
  if (schema.enum !== undefined) return enumOf(schema.enum)
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, name, classes)).join(' | ')
  if (schema.type === 'array') {
    const one = name.endsWith('s') ? name.slice(0, -1) : name
    return `list[${typeOf(schema.items ?? {}, one, classes)}]`
  }
  if (schema.type === 'object') {
    if (schema.properties === undefined) return 'dict[str, Any]'
    declare(name, schema, classes)
    return name
  }
  const names = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const primitives = names.map((one) => PRIMITIVES[one])
  if (primitives.length === 0 || primitives.includes(undefined))
    throw new Error(`no Python type is known for ${JSON.stringify(schema)}`)
  return primitives.join(' | ')
}

/** None stands beside the Literal rather than in it, as a reader of Python expects. */
function enumOf(values: readonly unknown[]): string {
  const literals = `Literal[${values
    .filter((value) => value !== null)
    .map(literal)
    .join(', ')}]`
  return values.includes(null) ? `${literals} | None` : literals
}

const literal = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

const docstring = (text: string): string =>
  `"""${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', String.raw`\"""`)
    .replace(/"$/u, '" ')}"""`

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase())
