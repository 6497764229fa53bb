// What every foreign search does between its request and its answer: our pipeline, its patience, and what is counted.
import type { ParameterizedContext } from 'koa'
import { parseForeignSearch, type SearchRequest, type SearchResult } from '../../contract.ts'
import { badRequest } from '../../errors.ts'
import type { AdmittedReadPages } from '../../search/given/admitted-work.ts'
import type { PageFormat, ReadPage } from '../../search/given/read-pages.ts'
import type { Search } from '../../search/search.ts'
import type { CallerState } from '../request/authenticate.ts'
import { goneSignal } from '../request/client-gone.ts'
import { searchOptionsOf } from '../request/search-options.ts'

/** How passages of one page are joined where a shape has room for one text. */
const PASSAGE_SEPARATOR = '\n\n'
/** What a client's own time limit loses on the way. */
const WAY_MS = 500
const PATIENCE_MIN_MS = 1_000

/** How long we may work for a client that gives up after `timeoutMs`; nothing for one that says nothing. */
export const patienceOf = (timeoutMs: number | null | undefined): { patienceMs?: number } =>
  typeof timeoutMs === 'number' ? { patienceMs: Math.max(PATIENCE_MIN_MS, timeoutMs - WAY_MS) } : {}

/** The same for a time in seconds. */
export const patienceOfSeconds = (timeoutSeconds: number | null | undefined): { patienceMs?: number } =>
  patienceOf(typeof timeoutSeconds === 'number' ? timeoutSeconds * 1_000 : null)

type Context = ParameterizedContext<CallerState>

export interface ForeignSearchOptions {
  patienceMs?: number
  /** What must hold of a result besides; left out for everything that was found. */
  accepts?: (result: SearchResult) => boolean
}

/**
 * Searches with `fields` of our own request.
 * @throws {ApiError} 400 with the words of the contract for fields that it refuses; what the search throws.
 */
export async function runForeignSearch(
  context: Context,
  search: Search,
  fields: Record<string, unknown>,
  { patienceMs, accepts = () => true }: ForeignSearchOptions = {},
): Promise<SearchResult[]> {
  const request = toRequest(fields)
  const options = { ...searchOptionsOf(context), ...(patienceMs === undefined ? {} : { patienceMs }) }
  const { response, facts } = await search(request, options, goneSignal(context))
  const results = response.results.filter(accepts)
  context.state.snippets = results.reduce((sum, { snippets }) => sum + snippets.length, 0)
  context.set('Verbatim-Engine', facts.provider)
  context.set('Cache-Control', 'no-store')
  return results
}

function toRequest(fields: Record<string, unknown>): SearchRequest {
  const parsed = parseForeignSearch(fields)
  if (parsed.ok) return parsed.request
  throw badRequest(parsed.issues.map((issue) => issue.message).join(' '), parsed.issues)
}

export const hasSnippets = ({ snippets }: SearchResult): boolean => snippets.length > 0

/** The passages of a result as one text; '' for a page without any. */
export const passagesOf = ({ snippets }: SearchResult, separator = PASSAGE_SEPARATOR): string =>
  snippets.map((snippet) => snippet.text).join(separator)

/** The best passage's; 0 for a page without any. */
export const bestScoreOf = ({ snippets }: SearchResult): number => snippets[0]?.relevance_score ?? 0

export interface ForeignReadOptions {
  query?: string | null
  maxCharacters?: number | null
  maxTokens?: number | null
  maxAgeMs?: number | null
  patienceMs?: number
  format?: PageFormat
}

/** Reads pages for a foreign shape, in the order of `urls`. */
export async function runForeignRead(
  context: Context,
  readPages: AdmittedReadPages,
  urls: readonly string[],
  {
    query = null,
    maxCharacters = null,
    maxTokens = null,
    maxAgeMs = null,
    ...asked
  }: ForeignReadOptions = {},
): Promise<ReadPage[]> {
  const { patienceMs, format = 'markdown' } = asked
  const options = { ...searchOptionsOf(context), ...(patienceMs === undefined ? {} : { patienceMs }) }
  const budget = { maxCharacters, maxTokens }
  const request = { urls, query, format, budget, maxAgeMs, isProofWanted: false, isBundleWanted: false }
  const pages = await readPages(request, options, goneSignal(context))
  context.state.snippets += pages.reduce((sum, { snippets }) => sum + snippets.length, 0)
  context.set('Cache-Control', 'no-store')
  return pages
}
