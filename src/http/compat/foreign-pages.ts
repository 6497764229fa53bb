// What every foreign shape does to have pages read: those that the client names, or those that its search has found.
import type { SearchResult } from '../../contract.ts'
import type { WarningCode } from '../../contract/warning-codes.ts'
import type { AdmittedReadPages } from '../../search/given/admitted-work.ts'
import type { PageFormat, ReadPage } from '../../search/given/read-pages.ts'
import type { AnswerBudget } from '../../search/highlights/fill-budget.ts'
import type { SearchOptions } from '../../search/search-context.ts'
import type { Search } from '../../search/search.ts'
import { goneSignal } from '../request/client-gone.ts'
import { searchOptionsOf } from '../request/search-options.ts'
import { runForeignSearch, type ForeignContext, type ForeignSearchOptions } from './foreign-search.ts'
import { withScheme } from './foreign-values.ts'

/** What is read of a page. */
interface WantedPage {
  query?: string | null
  /** Of the passages that answer it, where they have a budget of their own. */
  snippets?: AnswerBudget
  maxCharacters?: number | null
  maxTokens?: number | null
  maxAgeMs?: number | null
  format?: PageFormat
  /** Selectors of what is left out. */
  without?: readonly string[]
}

/** Reads pages for a foreign shape, in the order of `urls`, each under what was written there. */
export async function runForeignRead(
  context: ForeignContext,
  readPages: AdmittedReadPages,
  urls: readonly string[],
  { patienceMs, ...wanted }: WantedPage & { patienceMs?: number } = {},
): Promise<ReadPage[]> {
  const options = { ...searchOptionsOf(context), ...(patienceMs === undefined ? {} : { patienceMs }) }
  const pages = await readWanted(context, readPages, urls.map(withScheme), wanted, options)
  return pages.map((page, index) => Object.assign({}, page, { askedUrl: urls[index] ?? page.askedUrl }))
}

async function readWanted(
  context: ForeignContext,
  readPages: AdmittedReadPages,
  urls: readonly string[],
  {
    query = null,
    maxCharacters = null,
    maxTokens = null,
    maxAgeMs = null,
    format = 'markdown',
    ...wanted
  }: WantedPage,
  options: SearchOptions,
): Promise<ReadPage[]> {
  const asked = { ...wanted, urls, query, format, budget: { maxCharacters, maxTokens }, maxAgeMs }
  const request = { ...asked, isProofWanted: false, isBundleWanted: false }
  const pages = await readPages(request, options, goneSignal(context))
  context.state.snippets += pages.reduce((sum, { snippets }) => sum + snippets.length, 0)
  context.set('Cache-Control', 'no-store')
  return pages
}

/** How long the pages that were found may take, where the client says nothing of time. */
const FOUND_PAGES_MS = 5_000
/** What is kept of a client's time for them: a share of it, and no more than so much. */
const FOUND_PAGES_SHARE = 1 / 4
const FOUND_PAGES_MS_MAX = 1_500

/** Of pages that would be waited for once more. */
const TOO_SLOW: ReadonlySet<WarningCode | null | undefined> = new Set<WarningCode>(['timeout', 'out_of_time'])
const isWorthReading = ({ snippets, warning_code: code }: SearchResult): boolean =>
  snippets.length > 0 || !TOO_SLOW.has(code)

/**
 * Searches, and reads the pages that were found where the client wants them, all within its patience. The pages are in
 * the order of the results, without those that have just been too slow; none where `wanted` is null.
 */
export async function searchAndRead(
  context: ForeignContext,
  { search, readPages }: { search: Search; readPages: AdmittedReadPages },
  fields: Record<string, unknown>,
  { patienceMs, ...options }: ForeignSearchOptions,
  wanted: WantedPage | null,
): Promise<{ results: SearchResult[]; pages: (ReadPage | undefined)[] }> {
  const patience = patienceMs === undefined ? {} : { patienceMs: searchingMs(patienceMs, wanted !== null) }
  const asked = wanted === null ? fields : { ...fields, include: ['warning_code'] }
  const results = await runForeignSearch(context, search, asked, { ...options, ...patience })
  const urls = results.filter(isWorthReading).map(({ url }) => url)
  if (wanted === null || urls.length === 0) return { results, pages: [] }
  const read = await readWanted(context, readPages, urls, wanted, readingOptions(context, patienceMs))
  return { results, pages: results.map(({ url }) => read[urls.indexOf(url)]) }
}

const searchingMs = (patienceMs: number, isReading: boolean): number =>
  isReading
    ? patienceMs - Math.round(Math.min(FOUND_PAGES_MS_MAX, patienceMs * FOUND_PAGES_SHARE))
    : patienceMs

/** The pages were opened a moment ago: their time counts from now, and what is kept of them is fresh. */
function readingOptions(context: ForeignContext, patienceMs: number | undefined): SearchOptions {
  const now = Date.now()
  const leftMs = patienceMs === undefined ? FOUND_PAGES_MS : context.state.arrivedAtMs + patienceMs - now
  return {
    ...searchOptionsOf(context),
    arrivedAtMs: now,
    patienceMs: Math.max(0, leftMs),
    fresh: false,
  }
}
