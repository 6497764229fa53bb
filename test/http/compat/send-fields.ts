// Requests with fields of a foreign shape, each where its table says that it stands.
import { FIELD_TABLES, type FieldTable } from '../../../src/http/compat/field-tables.ts'
import { QUESTION } from './compat-service.ts'

type Json = Record<string, unknown>

/** A service over a small web; its paths are those below /compat. */
interface Receiver {
  get: (path: string, headers?: Record<string, string>) => Promise<Response>
  post: (path: string, body: unknown) => Promise<Response>
  /** The address of one of the web's pages. */
  urlOf: (path: string) => string
  /** What answers the question, for shapes that are given texts. */
  answer: string
}

/** The least that each shape asks for. */
function leastOf({ fields: { honoured } }: FieldTable, { urlOf, answer }: Receiver): Json {
  const texts = ['Bread is baked.', answer]
  if ('documents' in honoured) return { query: QUESTION, documents: texts }
  if ('texts' in honoured) return { query: QUESTION, texts }
  if ('url' in honoured) return { url: urlOf('/keys') }
  if ('urls' in honoured) return { urls: [urlOf('/keys')] }
  return 'q' in honoured ? { q: QUESTION, format: 'json' } : { query: QUESTION }
}

/** Sends the fields beside that; `page` is the one that is read where the address alone says it. */
export function sendFields(
  receiver: Receiver,
  table: FieldTable,
  path: string,
  fields: Json,
  page = '/keys',
): Promise<Response> {
  const { name, within = [], areHeaders = false } = table
  if (areHeaders) {
    const headers = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)]))
    return receiver.get(path.replace('*address', receiver.urlOf(page)), headers)
  }
  if (name === 'SearXNG') {
    const sent = new URLSearchParams({ ...leastOf(table, receiver), ...fields } as Record<string, string>)
    return receiver.get(`${path}?${sent.toString()}`)
  }
  const nested = within.reduceRight<Json>((inner, place) => ({ [place]: inner }), fields)
  const whole = FIELD_TABLES.find((one) => one.name === name && one.within === undefined) ?? table
  return receiver.post(path, { ...leastOf(whole, receiver), ...nested })
}
