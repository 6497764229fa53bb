// The wire of POST /v1/search: what is asked and what is answered. What routes share, and the other routes, are in
// contract/; one place, because validation, types, OpenAPI and the documentation must never tell different stories.
import { z } from 'zod'
import { fieldIssues, type FieldIssue } from './contract/body.ts'
import { bundleSchema } from './contract/bundle.ts'
import { maxAge, placeSchema, querySchema, share, toHostName, wholeNumber } from './contract/fields.ts'
import { LIMITS } from './contract/limits.ts'
import {
  resultWarningCodeSchema,
  snippetFlagsSchema,
  snippetHighlightsSchema,
} from './contract/result-extras.ts'

export const SEARCH_DEPTHS = ['precise', 'balanced', 'exhaustive'] as const
export const RECENCIES = ['day', 'week', 'month', 'year'] as const
export const INCLUDES = ['proof', 'bundle', 'explain', 'highlights', 'flags', 'warning_code'] as const

export type SearchDepth = (typeof SEARCH_DEPTHS)[number]
export type Recency = (typeof RECENCIES)[number]

const LANGUAGE_TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/u
const NO_LANGUAGE_CODE = 'language must be a language code such as "en", "fr" or "de".'
/** No page is written in them: "und", "mul", "mis" and "zxx" of BCP 47, and "all", by which no caller means Allar. */
const NO_SINGLE_LANGUAGE = /^(?:all|und|mul|mis|zxx)(?:-|$)/iu
const ONE_LANGUAGE = 'language must name one language, such as "en"; left out, the query tells it.'

/** "en" for "eng", "he" for "iw", "de-AT" for "DE-at" (BCP 47 as ECMA-402 canonicalises it); null for no tag. */
function canonicalLanguage(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** RFC 3339 full-date. */
const day = (name: string) =>
  z.iso.date({ error: `${name} must be a date written as YYYY-MM-DD, or null.` }).nullish()

const domainSchema = z
  .string({ error: 'must be a bare domain name such as "example.com".' })
  .transform((text, context) => {
    const name = toHostName(text)
    if (name !== null) return name
    context.addIssue({
      code: 'custom',
      message: 'must be a bare domain name such as "example.com": no scheme, path, port, wildcard or space.',
    })
    return z.NEVER
  })

const domainList = (name: string) =>
  z
    .array(domainSchema, { error: `${name} must be an array of bare domain names.` })
    .max(LIMITS.domains, `${name} must hold at most ${LIMITS.domains} domains.`)
    .default([])

/** `name` is left out for what stands in an array: its place is told before the message. */
const oneOf = <const T extends readonly [string, ...string[]]>(name: string, values: T, orNull = '') =>
  z.enum(values, {
    error: `${name} must be one of ${values.map((v) => `"${v}"`).join(', ')}${orNull}.`.trimStart(),
  })

const languageSchema = z
  .string({ error: NO_LANGUAGE_CODE })
  .regex(LANGUAGE_TAG, { error: NO_LANGUAGE_CODE, abort: true })
  .refine((tag) => canonicalLanguage(tag) !== null, { error: NO_LANGUAGE_CODE, abort: true })
  .refine((tag) => !NO_SINGLE_LANGUAGE.test(tag), { error: ONE_LANGUAGE, abort: true })
  .overwrite((tag) => canonicalLanguage(tag) ?? tag)

/** SPEC §2.1, every field but `query`. Unknown fields are ignored: the specification does not forbid them. */
export const searchOptionsSchema = z.object({
  num_results: wholeNumber('num_results', LIMITS.resultsMax)
    .default(LIMITS.resultsDefault)
    .describe('Number of search results to retrieve and extract from.'),
  max_snippets_per_result: wholeNumber('max_snippets_per_result', LIMITS.snippetsMax)
    .default(LIMITS.snippetsDefault)
    .describe('Upper bound of snippets per result; fewer may be returned.'),
  search_depth: oneOf('search_depth', SEARCH_DEPTHS)
    .default('balanced')
    .describe('How deeply each page is analysed.'),
  recency: oneOf('recency', RECENCIES, ' or null')
    .nullable()
    .default(null)
    .describe('Only results published within this window; null for no filter.'),
  language: languageSchema
    .default('en')
    .describe(
      'Language of results (BCP 47; the primary sub-tag decides). Left out: that of a query plainly written in another language, else "en".',
    ),
  include_domains: domainList('include_domains').describe(
    'Restrict results to these domains and their sub-domains.',
  ),
  exclude_domains: domainList('exclude_domains').describe('Leave out these domains and their sub-domains.'),
  start_date: day('start_date').describe('Only results published on this day or later (YYYY-MM-DD).'),
  end_date: day('end_date').describe('Only results published on this day or before (YYYY-MM-DD).'),
  max_age: maxAge,
  page: wholeNumber('page', LIMITS.pageMax)
    .optional()
    .describe('Which page of results: 2 holds what the search engine found after those of 1.'),
  min_score: share('min_score')
    .nullish()
    .describe('Leave out snippets with a lower relevance_score; null for what the depth leaves out.'),
  max_error: share('max_error')
    .nullish()
    .describe(
      'Return only snippets of which, over many searches, at most this share is wrong; nothing when no score keeps that.',
    ),
  max_total_characters: wholeNumber('max_total_characters', LIMITS.totalCharactersMax, LIMITS.totalMin)
    .nullish()
    .describe(
      'Most characters of all snippets together; filled with the sentences that hold the answer most likely.',
    ),
  max_total_tokens: wholeNumber('max_total_tokens', LIMITS.totalTokensMax, LIMITS.totalMin)
    .nullish()
    .describe('The same in tokens of a language model, estimated.'),
  include: z
    .array(oneOf('', INCLUDES), {
      error: `include must be an array of ${INCLUDES.map((name) => `"${name}"`).join(', ')}.`,
    })
    .default([])
    .describe(`Extra fields to add to the answer: ${INCLUDES.map((name) => `"${name}"`).join(', ')}.`),
})

export type SearchRequest = z.output<typeof searchOptionsSchema> & {
  query: string
  /** False when the caller named no language and `language` is only the default. */
  isLanguageGiven: boolean
}

const snippetSchema = z.object({
  text: z.string().describe('Verbatim passage from the source page.'),
  relevance_score: z.number().min(0).max(1).describe('Calibrated probability that the passage is relevant.'),
})

/** Added to a snippet by `include: ["proof"]`. Offsets are UTF-16 code units into the page's text. */
const snippetProofSchema = z.object({
  start: z.int(),
  end: z.int(),
  text_fragment_url: z.string().nullable(),
  place: placeSchema,
})

/** Added to a snippet by `include: ["explain"]`. */
const snippetExplainSchema = z.object({
  scored_by: z.enum(['first', 'model', 'reranker']).describe('The last stage that read the passage.'),
  headings: z
    .array(z.string())
    .describe(
      'What stands above the passage on its page, outermost first: headings, and headers of a table.',
    ),
})

/** Added to a result by `include: ["proof"]`. */
const resultProofSchema = z.object({
  content_sha256: z.string().nullable(),
  fetched_at: z.string().nullable(),
})

/** Added to a result by `include: ["bundle"]`; null where nothing was read. */
const resultBundleSchema = z.object({ bundle: bundleSchema.nullable() })

const resultSchema = z.object({
  rank: z.int().min(1),
  url: z.string(),
  title: z.string(),
  snippets: z.array(
    z.intersection(
      z.intersection(snippetSchema, snippetHighlightsSchema.partial()),
      z.intersection(
        z.intersection(snippetProofSchema.partial(), snippetFlagsSchema.partial()),
        snippetExplainSchema.partial(),
      ),
    ),
  ),
  warning: z.string().nullable(),
  publish_date: z.string().nullable(),
  last_updated: z.string().nullable(),
})

/** SPEC §2.2. `explain` and the proof fields are present only when the request included them. */
export const searchResponseSchema = z.object({
  query: z.string(),
  results: z.array(
    z.intersection(
      z.intersection(resultSchema, resultWarningCodeSchema.partial()),
      z.intersection(resultProofSchema.partial(), resultBundleSchema.partial()),
    ),
  ),
  total_latency_ms: z.int().min(0),
  explain: z.record(z.string(), z.unknown()).optional(),
})

export type SearchResponse = z.output<typeof searchResponseSchema>
export type SearchResult = SearchResponse['results'][number]
export type Snippet = SearchResult['snippets'][number]

/** The same for routes whose foreign shape allows more results. */
const foreignOptionsSchema = searchOptionsSchema.extend({
  num_results: wholeNumber('num_results', LIMITS.foreignResultsMax).default(LIMITS.resultsDefault),
})

export type ParsedSearchRequest =
  | { ok: true; request: SearchRequest }
  | { ok: false; refused: 'query' | 'options'; issues: FieldIssue[] }

/**
 * Judges a parsed JSON body: first `query` (SPEC §4.1 rule 1), then everything else (rule 2).
 * Takes a body already known to be a JSON object. Never throws.
 */
export const parseSearchRequest = (body: Record<string, unknown>): ParsedSearchRequest =>
  parseSearch(body, searchOptionsSchema)

/** Judges a search that a route with a foreign shape has put into our words: up to twenty results. Never throws. */
export const parseForeignSearch = (body: Record<string, unknown>): ParsedSearchRequest =>
  parseSearch(body, foreignOptionsSchema)

function parseSearch(
  body: Record<string, unknown>,
  schema: typeof searchOptionsSchema | typeof foreignOptionsSchema,
): ParsedSearchRequest {
  const query = querySchema.safeParse(body['query'])
  if (!query.success) return { ok: false, refused: 'query', issues: fieldIssues(query.error, ['query']) }
  const options = schema.safeParse(body)
  if (!options.success) return { ok: false, refused: 'options', issues: fieldIssues(options.error, []) }
  const { start_date: start, end_date: end } = options.data
  if (typeof start === 'string' && typeof end === 'string' && start > end) {
    const message = 'end_date must not lie before start_date.'
    return { ok: false, refused: 'options', issues: [{ pointer: '/end_date', message }] }
  }
  const isLanguageGiven = body['language'] !== undefined
  return { ok: true, request: { query: query.data, ...options.data, isLanguageGiven } }
}
