// What every foreign search does between its request and its answer: our pipeline, its patience, and what is counted.
import type { ParameterizedContext } from 'koa'
import { parseForeignSearch, type SearchRequest, type SearchResult } from '../../contract.ts'
import { badRequest } from '../../errors.ts'
import type { Search } from '../../search/search.ts'
import type { CallerState } from '../request/authenticate.ts'
import { goneSignal } from '../request/client-gone.ts'
import { searchOptionsOf } from '../request/search-options.ts'
import type { TextBudget } from '../../search/highlights/text-budget.ts'

/** How passages of one page are joined where a shape has room for one text. */
const PASSAGE_SEPARATOR = '\n\n'
/** What a client's own time limit loses on the way, at most half of it. */
const WAY_MS = 500

/** How long we may work for a client that gives up after `timeoutMs`; nothing for one that says nothing. */
export const patienceOf = (timeoutMs: number | null | undefined): { patienceMs?: number } =>
  typeof timeoutMs === 'number' ? { patienceMs: Math.round(timeoutMs - Math.min(WAY_MS, timeoutMs / 2)) } : {}

/** The same for a time in seconds. */
export const patienceOfSeconds = (timeoutSeconds: number | null | undefined): { patienceMs?: number } =>
  patienceOf(typeof timeoutSeconds === 'number' ? timeoutSeconds * 1_000 : null)

export type ForeignContext = ParameterizedContext<CallerState>

export type FieldNames = Readonly<Partial<Record<keyof SearchRequest, string>>>

export interface ForeignSearchOptions {
  patienceMs?: number
  /** Most of the passages of one page together. */
  perPage?: TextBudget
  /** Our fields by what the client calls them, for what is refused; left out for those of one name. */
  names?: FieldNames
  /** What must hold of a result besides; left out for everything that was found. */
  accepts?: (result: SearchResult) => boolean
}

/**
 * Searches with `fields` of our own request.
 * @throws {ApiError} 400 with the words of the contract and the client's names for fields that it refuses; what the
 * search throws.
 */
export async function runForeignSearch(
  context: ForeignContext,
  search: Search,
  fields: Record<string, unknown>,
  { accepts = () => true, names = {}, ...asked }: ForeignSearchOptions = {},
): Promise<SearchResult[]> {
  const request = toRequest(fields, names)
  const options = { ...searchOptionsOf(context), ...asked }
  const { response, facts } = await search(request, options, goneSignal(context))
  const results = response.results.filter(accepts)
  context.state.snippets = results.reduce((sum, { snippets }) => sum + snippets.length, 0)
  context.set('Verbatim-Engine', facts.provider)
  context.set('Cache-Control', 'no-store')
  return results
}

function toRequest(fields: Record<string, unknown>, names: FieldNames): SearchRequest {
  const parsed = parseForeignSearch(fields)
  if (parsed.ok) return parsed.request
  throw badRequest(parsed.issues.map(({ message }) => inNames(message, names)).join(' '))
}

/** The contract's sentences name its own fields; whoever sent another has never heard of them. */
function inNames(message: string, names: FieldNames): string {
  const theirs = new Map(Object.entries(names))
  return message.replace(/\b[a-z_]+\b(?=[ .])/gu, (word) => theirs.get(word) ?? word)
}

export const hasSnippets = ({ snippets }: SearchResult): boolean => snippets.length > 0

/** The passages of a result as one text; '' for a page without any. */
export const passagesOf = ({ snippets }: SearchResult, separator = PASSAGE_SEPARATOR): string =>
  snippets.map((snippet) => snippet.text).join(separator)

/** The best passage's; 0 for a page without any. */
export const bestScoreOf = ({ snippets }: SearchResult): number => snippets[0]?.relevance_score ?? 0
