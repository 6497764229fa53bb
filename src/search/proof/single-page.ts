// One page on its own: read it whole, or check quotes against it.
import type { VerifyRequest, VerifyResponse } from '../../contract/verify.ts'
import { TimeLimitError, withDeadline } from '../../concurrency/deadline.ts'
import { captureUnknown, overloaded } from '../../errors.ts'
import { UnreadableError } from '../../extract/document.ts'
import { DEFAULT_LANGUAGE } from '../../pages/cache/answered-language.ts'
import { PageError, type LoadOptions } from '../../pages/capture.ts'
import type { PageParts } from '../gather-page.ts'
import { pageWarningOf } from '../page-outcome.ts'
import { contentSha256, type ProvablePage, type ProofStore } from './proof-store.ts'
import { shownAddress } from '../result-address.ts'
import { languageOfQuery } from '../query-language.ts'
import type { Standing } from '../quotes/standing.ts'
import type { QuotePlace } from './find-quote.ts'

/** One page may take this long, from the request's arrival to its text. */
const PAGE_DEADLINE_MS = 10_000

/** Whether and where each quote stands in a page's text. */
export type FindQuotes = (
  page: { url: string; text: string },
  quotes: readonly string[],
  signal: AbortSignal,
) => Promise<QuotePlace[]>

/** What has become of quotes since a page was read before; null for one that did not stand on it then. */
export type RecheckQuotes = (
  before: ProvablePage,
  now: ProvablePage,
  quotes: readonly string[],
  signal: AbortSignal,
) => Promise<(Standing | null)[]>

export interface PageAccessParts extends Pick<PageParts, 'loadPage' | 'readPage'> {
  findQuotes: FindQuotes
  recheckQuotes: RecheckQuotes
  proofStore: ProofStore
}

/** How a page is opened of which nothing is known. */
const AS_A_STRANGER = { rendering: 'auto', scroll: false } as const

const GONE = { standing: 'gone', start: null, end: null, diff: null } as const
const NOWHERE: QuotePlace = { match: 'none', start: null, end: null }

/** A page, or the public sentence that says why there is none. */
export type PageAttempt =
  | { page: ProvablePage; warning: string | null }
  | { page: null; warning: string; isGone: boolean }

/** A page and the places of quotes on it; none where there is no page. */
interface Sought {
  attempt: PageAttempt
  places: QuotePlace[]
}

export type PageAccess = ReturnType<typeof createPageAccess>

export function createPageAccess(parts: PageAccessParts) {
  const read = (url: string, signal: AbortSignal): Promise<PageAttempt> =>
    readPage(
      parts,
      url,
      { ...AS_A_STRANGER, fresh: false, deadlineMs: Date.now() + PAGE_DEADLINE_MS },
      signal,
    )

  return {
    read,
    /**
     * Says of each quote whether and where it stands on the page.
     * @throws {ApiError} 404 when a digest is asked for that is not kept (any more), 429 when there are too many pages to
     * look through.
     */
    async verify(request: VerifyRequest, signal: AbortSignal): Promise<VerifyResponse> {
      const { url } = request
      const { attempt, places } =
        request.content_sha256 === undefined
          ? await seekAt(parts, url ?? '', request.quotes, signal)
          : await seek(parts, await keptOf(request), request.quotes, signal)
      const { page, warning } = attempt
      const again = page === null || request.recheck !== true ? null : await recheck(page, request, signal)
      return {
        url: page?.url ?? url ?? null,
        content_sha256: page === null ? null : contentSha256(page.text),
        fetched_at: page?.fetchedAt ?? null,
        warning,
        quotes: request.quotes.map((quote, index) => ({
          quote,
          ...(places[index] ?? NOWHERE),
          ...(again === null ? {} : { now: again.standings[index] ?? null }),
        })),
        ...(again === null ? {} : { recheck: again.page }),
      }
    },
  }

  /**
   * Opens the page anew, in the way in which it was opened before, and says of each quote what has become of it; null where
   * that cannot be told. Where nobody asked for a language then, the text tells which one came.
   */
  async function recheck(before: ProvablePage, { quotes }: VerifyRequest, signal: AbortSignal) {
    const asBefore = { ...AS_A_STRANGER, language: languageOf(before.text), ...before.opening }
    const opening = { ...asBefore, fresh: true, deadlineMs: Date.now() + PAGE_DEADLINE_MS }
    const attempt = await readPage(parts, before.url, opening, signal)
    const { page, warning } = attempt
    const facts = {
      url: page?.url ?? before.url,
      content_sha256: page === null ? null : contentSha256(page.text),
      fetched_at: page?.fetchedAt ?? null,
      warning,
    }
    if (page !== null)
      return {
        page: facts,
        standings: await asOverloaded(parts.recheckQuotes(before, page, quotes, signal)).then(shown),
      }
    return { page: facts, standings: quotes.map(() => (attempt.isGone ? GONE : null)) }
  }

  async function keptOf(request: VerifyRequest): Promise<PageAttempt> {
    const page = await parts.proofStore.find(request.content_sha256 ?? '')
    if (page === null) throw captureUnknown()
    return { page, warning: null }
  }
}

async function seek(
  { findQuotes }: PageAccessParts,
  attempt: PageAttempt,
  quotes: readonly string[],
  signal: AbortSignal,
): Promise<Sought> {
  const { page } = attempt
  return { attempt, places: page === null ? [] : await asOverloaded(findQuotes(page, quotes, signal)) }
}

/** Where a site chooses a page's language by its reader's, quotes may be of the page in their own. */
async function seekAt(
  parts: PageAccessParts,
  url: string,
  quotes: readonly string[],
  signal: AbortSignal,
): Promise<Sought> {
  const opening = { ...AS_A_STRANGER, fresh: false, deadlineMs: Date.now() + PAGE_DEADLINE_MS }
  const sought = await seek(parts, await readPage(parts, url, opening, signal), quotes, signal)
  const missing = quotes.filter((_, index) => sought.places[index]?.match === 'none')
  const language = languageOf(missing.join('\n'))
  if (missing.length === 0 || language === languageOf(sought.attempt.page?.text ?? '')) return sought
  const attempt = await readPage(parts, url, { ...opening, language }, signal)
  if (attempt.page === null || attempt.page.text === sought.attempt.page?.text) return sought
  const places = await parts.findQuotes(attempt.page, quotes, signal).catch(nothingWhereOverloaded)
  return countFound(places) > countFound(sought.places) ? { attempt, places } : sought
}

/** Opens and reads a page. Never rejects because of the page; rejects when `signal` aborts. */
async function readPage(
  parts: PageAccessParts,
  url: string,
  opening: Pick<LoadOptions, 'rendering' | 'scroll' | 'fresh' | 'language' | 'deadlineMs'>,
  signal: AbortSignal,
): Promise<PageAttempt> {
  const { deadlineMs } = opening
  try {
    const limit = { what: 'opening and reading a page', limitMs: deadlineMs - Date.now(), signal }
    return await withDeadline(limit, async (ended) => {
      const capture = await parts.loadPage(url, opening, ended)
      const { page } = await parts.readPage(capture, { overlap: false, limit: 1, deadlineMs }, ended)
      const { title, text } = page
      const kept = { url: shownAddress(url, capture.url), title, text, fetchedAt: capture.fetchedAt }
      return { page: kept, warning: capture.warning?.message ?? null }
    })
  } catch (error) {
    signal.throwIfAborted()
    const isGone =
      (error instanceof PageError && error.warning.code === 'gone') ||
      (error instanceof UnreadableError && error.code === 'not_found')
    return { page: null, warning: pageWarningOf(error), isGone }
  }
}

/** Plainly of a text, else the one that sites are asked for where nobody names one. */
const languageOf = (text: string): string => languageOfQuery(text) ?? DEFAULT_LANGUAGE

const countFound = (places: readonly QuotePlace[]): number =>
  places.filter(({ match }) => match !== 'none').length

const shown = (standings: readonly (Standing | null)[]) =>
  standings.map((standing) =>
    standing === null ? null : { ...standing, diff: standing.diff === null ? null : [...standing.diff] },
  )

/** A page that nobody has room or time to look through is no fault of its caller's. */
const isOverload = (error: unknown): boolean => error instanceof PageError || error instanceof TimeLimitError

async function asOverloaded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isOverload(error) ? overloaded() : error
  }
}

/** A second look must not cost what the first one found. */
function nothingWhereOverloaded(error: unknown): QuotePlace[] {
  if (isOverload(error)) return []
  throw error
}
