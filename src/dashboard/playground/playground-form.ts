// The playground's form, from texts to the JSON body the API would get: only what differs from the defaults, so that
// the code beside it is as short as a person would write it.
import type { Context } from 'koa'
import { LIMITS } from '../../contract.ts'
import type { PlaygroundFields } from './ask-form.tsx'
import { listField, textField } from '../frame/read-form.ts'

/** The form before anything is typed: every option at its default. */
export const EMPTY_FIELDS: PlaygroundFields = {
  query: '',
  num_results: String(LIMITS.resultsDefault),
  max_snippets_per_result: String(LIMITS.snippetsDefault),
  search_depth: 'balanced',
  recency: '',
  language: '',
  include_domains: '',
  exclude_domains: '',
  include: [],
}

/** The form that was sent. */
export function fieldsOf(context: Context): PlaygroundFields {
  const text = (name: keyof PlaygroundFields): string => textField(context, name).trim()
  return {
    query: textField(context, 'query'),
    num_results: text('num_results'),
    max_snippets_per_result: text('max_snippets_per_result'),
    // A button of the answer asks for another depth than the one that is chosen.
    search_depth: textField(context, 'try_depth') || text('search_depth'),
    recency: text('recency'),
    language: text('language'),
    include_domains: text('include_domains'),
    exclude_domains: text('exclude_domains'),
    include: listField(context, 'include'),
  }
}

/** The body of POST /v1/search; not judged yet. Empty fields and defaults are left out. */
export function requestBodyOf(fields: PlaygroundFields): Record<string, unknown> {
  const body: Record<string, unknown> = { query: fields.query }
  for (const name of ['num_results', 'max_snippets_per_result'] as const) {
    if (isSet(fields, name)) body[name] = Number(fields[name])
  }
  for (const name of ['search_depth', 'recency', 'language'] as const) {
    if (isSet(fields, name)) body[name] = fields[name]
  }
  for (const name of ['include_domains', 'exclude_domains'] as const) {
    if (isSet(fields, name)) body[name] = fields[name].split(/[\s,]+/u).filter((domain) => domain !== '')
  }
  if (fields.include.length > 0) body['include'] = fields.include
  return body
}

const isSet = (fields: PlaygroundFields, name: Exclude<keyof PlaygroundFields, 'include'>): boolean =>
  fields[name] !== '' && fields[name] !== EMPTY_FIELDS[name]
