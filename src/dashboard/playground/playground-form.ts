// The playground's form, from texts to the JSON body the API would get: only what differs from the defaults, so that
// the code beside it is as short as a person would write it.
import type { Context } from 'koa'
import { LIMITS } from '../../contract/limits.ts'
import { listField, textField } from '../frame/read-form.ts'

/** Options that are sent as numbers. */
const NUMBERS = [
  'num_results',
  'max_snippets_per_result',
  'page',
  'min_score',
  'max_error',
  'max_total_characters',
  'max_total_tokens',
  'max_age',
] as const
/** Options that are sent as they are typed. */
const TEXTS = ['search_depth', 'recency', 'start_date', 'end_date', 'language'] as const
/** Options that are sent as lists of names. */
const LISTS = ['include_domains', 'exclude_domains'] as const

type TextOption = (typeof NUMBERS)[number] | (typeof TEXTS)[number] | (typeof LISTS)[number]

/** The form as it was typed. */
export type PlaygroundFields = Readonly<Record<'query' | TextOption, string>> & {
  readonly include: readonly string[]
}

/** The form before anything is typed: every option at its default. */
export const EMPTY_FIELDS: PlaygroundFields = {
  query: '',
  num_results: String(LIMITS.resultsDefault),
  max_snippets_per_result: String(LIMITS.snippetsDefault),
  page: '',
  search_depth: 'balanced',
  recency: '',
  start_date: '',
  end_date: '',
  language: '',
  include_domains: '',
  exclude_domains: '',
  min_score: '',
  max_error: '',
  max_total_characters: '',
  max_total_tokens: '',
  max_age: '',
  include: [],
}

/** The form that was sent. */
export function fieldsOf(context: Context): PlaygroundFields {
  const options = [...NUMBERS, ...TEXTS, ...LISTS].map((name) => [name, textField(context, name).trim()])
  return {
    ...EMPTY_FIELDS,
    ...Object.fromEntries(options),
    query: textField(context, 'query'),
    // A button of the answer asks for another depth than the one that is chosen.
    search_depth: textField(context, 'try_depth') || textField(context, 'search_depth').trim(),
    include: listField(context, 'include'),
  }
}

/** The body of POST /v1/search; not judged yet. Empty fields and defaults are left out. */
export function requestBodyOf(fields: PlaygroundFields): Record<string, unknown> {
  const body: Record<string, unknown> = { query: fields.query }
  for (const name of NUMBERS) if (isSet(fields, name)) body[name] = Number(fields[name])
  for (const name of TEXTS) if (isSet(fields, name)) body[name] = fields[name]
  for (const name of LISTS) {
    if (isSet(fields, name)) body[name] = fields[name].split(/[\s,]+/u).filter((domain) => domain !== '')
  }
  if (fields.include.length > 0) body['include'] = fields.include
  return body
}

/** Whether anything but the query differs from its default. */
export const hasOptions = (fields: PlaygroundFields): boolean =>
  fields.include.length > 0 || [...NUMBERS, ...TEXTS, ...LISTS].some((name) => isSet(fields, name))

const FILTERS = ['recency', 'start_date', 'end_date', 'language', ...LISTS] as const

/** Whether some pages are left out by what is asked. */
export const hasFilters = (fields: PlaygroundFields): boolean => FILTERS.some((name) => isSet(fields, name))

const isSet = (fields: PlaygroundFields, name: TextOption): boolean =>
  fields[name] !== '' && fields[name] !== EMPTY_FIELDS[name]
