// What becomes of each field of a foreign shape: honoured, refused, or harmless. Each adapter tells it in one table, by
// which requests are judged and from which the documentation is made. Nothing that narrows an answer is passed over.
import { z } from 'zod'
import { badRequest } from '../../errors.ts'
import { anything } from './foreign-values.ts'

export interface ForeignFields<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** Read by these schemas. */
  honoured: Shape
  /** Asked for things that are not to be had here: why, or what to do instead, as the end of a sentence. */
  refused: Readonly<Record<string, string>>
  /** May be sent and changes nothing that an answer promises. */
  harmless: readonly string[]
}

/** What clients send for a field that was left empty. */
function isUnset(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A field's name as the caller knows it; `within` is the place of its object in the request, '' for the request itself. */
export const nameWithin = (within: string, field: string): string =>
  within === '' ? field : `${within}.${field}`

/**
 * The honoured fields of a request, or of an object in it, whose place `within` tells the caller ("contents.text");
 * fields that no table knows are ignored as everywhere.
 * @throws {ApiError} 400 naming each field that is refused or cannot be read, in the words of its schema.
 */
export function readFields<Shape extends z.ZodRawShape>(
  { honoured, refused }: ForeignFields<Shape>,
  body: Readonly<Record<string, unknown>>,
  within = '',
): z.output<z.ZodObject<Shape>> {
  const refusals = Object.entries(refused)
    .filter(([field]) => !isUnset(body[field]))
    .map(([field, advice]) => `${nameWithin(within, field)} is not supported here; ${advice}`)
  // What the contract judges reaches it as it came: that a query is empty is another fault than that there is none.
  const isSet = ([field, value]: [string, unknown]): boolean =>
    value !== null && (value !== '' || honoured[field] === anything)
  const set = Object.fromEntries(Object.entries(body).filter(isSet))
  const parsed = z.object(honoured).safeParse(set)
  const wrong = parsed.success ? [] : sentencesOf(parsed.error, within)
  if (!parsed.success || refusals.length > 0) throw badRequest([...refusals, ...wrong].join(' '))
  return parsed.data
}

/** One for each field: what is a text and no list is also a list of too many. */
function sentencesOf({ issues }: z.ZodError, within: string): string[] {
  const sentences = new Map<string, string>()
  for (const { path, message } of issues) {
    const name = nameWithin(within, path.map(String).join('.'))
    if (!sentences.has(name)) sentences.set(name, `${name}: ${message}`)
  }
  return [...sentences.values()]
}

/** The rows of the table, for its documentation. */
export function describeFields({ honoured, refused, harmless }: ForeignFields): {
  field: string
  becomes: string
}[] {
  return [
    ...Object.keys(honoured).map((field) => ({ field, becomes: 'honoured' })),
    ...Object.entries(refused).map(([field, advice]) => ({ field, becomes: `refused: ${advice}` })),
    ...harmless.map((field) => ({ field, becomes: 'harmless' })),
  ]
}
