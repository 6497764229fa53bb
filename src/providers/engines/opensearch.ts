// OpenSearch and Elasticsearch: an index of the operator's own, such as an intranet's.
// https://docs.opensearch.org/latest/query-dsl/
import { z } from 'zod'
import { plainText, readAnswer, readDate, readHits } from '../read-answer.ts'
import { OperatorError } from '../../errors.ts'
import type { EngineClient } from '../engine-client.ts'
import { type EngineDefinition, headerText, httpAddress } from '../engine-definition.ts'
import type { ProviderQuery, SearchHit, SearchProvider } from '../provider.ts'
import { isoDay, primaryLanguage, recencyStart } from '../query-syntax.ts'

const NAME = 'opensearch'
const HITS_MAX = 100
const TITLE_WEIGHT = 3

/** Names of the index's fields, dotted where they are nested. Null: the index has none, and its filter is left to us. */
interface OpensearchFields {
  url: string
  title: string
  text: string
  /** A `date`. */
  date: string | null
  /** A `keyword` with the language's code. */
  language: string | null
  /** A `keyword` with the page's host name. */
  host: string | null
}

const OPENSEARCH_FIELDS: OpensearchFields = {
  url: 'url',
  title: 'title',
  text: 'text',
  date: 'date',
  language: 'language',
  host: 'host',
}

interface OpensearchSettings {
  /** May hold a user and a password. */
  baseUrl: string
  index: string
  /** Sent as `Authorization: ApiKey …`; without it the user and password of `baseUrl` are used. */
  apiKey?: string | null
  fields?: Partial<OpensearchFields>
}

const answerSchema = z.object({ hits: z.object({ hits: z.array(z.unknown()) }) })

const entrySchema = z.object({
  _source: z.record(z.string(), z.unknown()),
  highlight: z.record(z.string(), z.array(z.string())).optional().catch(undefined),
})

function createOpensearch(settings: OpensearchSettings, client: EngineClient): SearchProvider {
  const fields = { ...OPENSEARCH_FIELDS, ...settings.fields }
  const base = new URL(settings.baseUrl)
  const authorization = readAuthorization(base, settings.apiKey ?? null)
  const url = new URL(
    `${base.pathname.replace(/\/$/u, '')}/${encodeURIComponent(settings.index)}/_search`,
    base.origin,
  )

  return {
    name: NAME,
    capabilities: {
      recency: fields.date !== null,
      language: fields.language !== null,
      includeDomains: fields.host !== null,
      excludeDomains: fields.host !== null,
      maxCount: HITS_MAX,
      maxPages: 1,
      maxQueryCharacters: null,
    },
    async search(query, signal) {
      const asked = {
        provider: NAME,
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization },
        body: JSON.stringify(spellSearch(query, fields)),
      } as const
      const answer = readAnswer(NAME, answerSchema, await client.askJson(asked, signal))
      return readHits(NAME, answer.hits.hits, entrySchema, (entry) => toHit(entry, fields))
    },
  }
}

/** Credentials leave the address, so that they are in no message, and go into the header. */
function readAuthorization(base: URL, apiKey: string | null): Record<string, string> {
  if (apiKey !== null) return { authorization: `ApiKey ${apiKey}` }
  if (base.username === '') return {}
  const credentials = `${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

function spellSearch(query: ProviderQuery, fields: OpensearchFields): object {
  const { date, language, host } = fields
  const filter: object[] = []
  if (date !== null && query.recency !== null) {
    filter.push({ range: { [date]: { gte: isoDay(recencyStart(query.recency)) } } })
  }
  if (language !== null) {
    filter.push({ terms: { [language]: [...new Set([primaryLanguage(query.language), query.language])] } })
  }
  if (host !== null && query.includeDomains.length > 0) filter.push(onDomains(host, query.includeDomains))
  const isExcluding = host !== null && query.excludeDomains.length > 0
  return {
    size: Math.min(query.count, HITS_MAX),
    track_total_hits: false,
    _source: [fields.url, fields.title, ...(date === null ? [] : [date])],
    query: {
      bool: {
        must: [
          { multi_match: { query: query.text, fields: [`${fields.title}^${TITLE_WEIGHT}`, fields.text] } },
        ],
        filter,
        ...(isExcluding ? { must_not: [onDomains(host, query.excludeDomains)] } : {}),
      },
    },
    highlight: { fields: { [fields.text]: { fragment_size: 300, number_of_fragments: 1 } } },
  }
}

/** The domains themselves, and the hosts that end in one of them. */
const onDomains = (host: string, domains: readonly string[]): object => ({
  bool: {
    should: [
      { terms: { [host]: domains } },
      ...domains.map((domain) => ({ wildcard: { [host]: { value: `*.${domain}` } } })),
    ],
    minimum_should_match: 1,
  },
})

function toHit(
  { _source: source, highlight }: z.infer<typeof entrySchema>,
  fields: OpensearchFields,
): SearchHit {
  const textOf = (name: string): string => {
    const value = fieldOf(source, name)
    return typeof value === 'string' ? value : ''
  }
  const date = fields.date === null ? null : fieldOf(source, fields.date)
  return {
    url: textOf(fields.url),
    title: textOf(fields.title),
    publishedAt: readStoredDate(date),
    excerpt: plainText(highlight?.[fields.text]?.[0] ?? '') || null,
  }
}

/** A `date` is text, or epoch milliseconds. */
function readStoredDate(value: unknown): string | null {
  if (typeof value === 'number') return readDate(Math.floor(value / 1_000))
  return typeof value === 'string' ? readDate(value) : null
}

/** "page.url" is `{ page: { url } }`, or a field of that very name. */
function fieldOf(source: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(source, name)) return source[name]
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    return isObject ? Object.entries(value).find(([key]) => key === part)?.[1] : undefined
  }, source)
}

/** `url=page.url`: our name for a field, and the index's; `date=`: the index has no such field. */
function readFields(text: string): Record<string, string | null> {
  const pairs = text.split(',').map((part) => part.trim())
  const fields = pairs.filter(Boolean).map((pair) => {
    const [name = '', field] = pair.split('=', 2)
    if (name === '' || field === undefined) {
      throw new OperatorError(`OPENSEARCH_FIELDS: "${pair}" must be written as name=field.`)
    }
    return [name, field === '' ? null : field] as const
  })
  return Object.fromEntries(fields)
}

const variables = z.object({
  OPENSEARCH_URL: httpAddress.optional(),
  OPENSEARCH_INDEX: z.string().optional(),
  OPENSEARCH_API_KEY: headerText.optional(),
  OPENSEARCH_FIELDS: z.string().optional(),
})

function readSettings(env: z.output<typeof variables>): OpensearchSettings | undefined {
  const { OPENSEARCH_URL: baseUrl, OPENSEARCH_INDEX: index, OPENSEARCH_API_KEY: apiKey = null } = env
  if (baseUrl === undefined) return undefined
  if (index === undefined) throw new OperatorError('OPENSEARCH_URL needs OPENSEARCH_INDEX beside it.')
  return { baseUrl, index, apiKey, fields: readFields(env.OPENSEARCH_FIELDS ?? '') }
}

export const opensearch: EngineDefinition<OpensearchSettings> = {
  environment: variables.transform(readSettings),
  documentation: {
    setUpWith: '`OPENSEARCH_URL`, `OPENSEARCH_INDEX`',
    domains: 'engine',
    notes: 'an index of your own, also Elasticsearch',
  },
  create: createOpensearch,
}
