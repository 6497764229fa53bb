// An answer and its sources: opens the sources, lets a thread look its claims up in them, links to what was found, and
// finds the nearest passage for what is cited without being quoted.
import { randomUUID } from 'node:crypto'
import { TimeLimitError } from '../../concurrency/deadline.ts'
import { QueueFullError } from '../../concurrency/worker-pool.ts'
import {
  ANSWER_LIMITS,
  isDigest,
  type AnswerCheckRequest,
  type AnswerCheckResponse,
} from '../../contract/answer-check.ts'
import { captureUnknown, overloaded } from '../../errors.ts'
import { PageError } from '../../pages/capture.ts'
import type { Scorer } from '../../score/scorer.ts'
import type { PageParts, PagePassage } from '../gather-page.ts'
import type { AnswerSource, CheckedClaim } from '../quotes/check-answer.ts'
import { contentSha256, type ProofStore, type ProvablePage } from './proof-store.ts'
import type { LinkPassages } from './prove-result.ts'
import type { PageAttempt } from './single-page.ts'

/** What of an answer its sources bear out; claims beyond `limit` are left out. */
export type CheckAnswer = (
  answer: string,
  sources: readonly AnswerSource[],
  limit: number,
  signal: AbortSignal,
) => Promise<CheckedClaim[]>

export interface VerifyAnswerParts extends Pick<PageParts, 'readPage'> {
  readUrl: (url: string, signal: AbortSignal) => Promise<PageAttempt>
  proofStore: ProofStore
  checkAnswer: CheckAnswer
  linkPassages: LinkPassages
  score: Scorer['score']
}

export type VerifyAnswer = ReturnType<typeof createVerifyAnswer>

type Claim = AnswerCheckResponse['claims'][number]

/** Links and nearest passages that are not there by then are null. */
const EXTRAS_MS = 5_000
/** Passages of a source that a statement is held against, and how many of them a model reads. */
const PASSAGES_MAX = 400
const CANDIDATES = 8
/** Statements of one answer whose nearest passage is looked for. */
const STATEMENTS_MAX = 20

export function createVerifyAnswer(parts: VerifyAnswerParts) {
  /**
   * @throws {ApiError} 404 when a digest is named that is not kept (any more), 429 when too many pages wait to be looked
   * through. A source that cannot be read is answered with its warning.
   */
  return async function verifyAnswer(
    { answer, sources }: AnswerCheckRequest,
    signal: AbortSignal,
  ): Promise<AnswerCheckResponse> {
    const attempts = await Promise.all(sources.map((source) => openSource(parts, source, signal)))
    const pages = attempts.map(({ page }) => page)
    const named = pages.map((page, index): AnswerSource => {
      const source = sources[index] ?? ''
      return { url: isDigest(source) ? (page?.url ?? null) : source, text: page?.text ?? null }
    })
    try {
      const claims = await parts.checkAnswer(answer, named, ANSWER_LIMITS.claims, signal)
      const [links, nearest] = await Promise.all([
        linkClaims(parts, claims, pages, signal),
        findNearest(parts, claims, pages, signal),
      ])
      return {
        sources: attempts.map(({ page, warning }, index) => ({
          url: page?.url ?? named[index]?.url ?? null,
          content_sha256: page === null ? null : contentSha256(page.text),
          fetched_at: page?.fetchedAt ?? null,
          warning,
        })),
        claims: claims.map((claim, at) =>
          describeClaim(claim, pages, links.get(at) ?? null, nearest.get(at) ?? null),
        ),
      }
    } catch (error) {
      if (error instanceof PageError || error instanceof TimeLimitError || error instanceof QueueFullError)
        throw overloaded()
      throw error
    }
  }
}

async function openSource(
  { readUrl, proofStore }: VerifyAnswerParts,
  source: string,
  signal: AbortSignal,
): Promise<PageAttempt> {
  if (!isDigest(source)) return readUrl(source, signal)
  const page = await proofStore.find(source)
  if (page === null) throw captureUnknown()
  return { page, warning: null }
}

function describeClaim(
  claim: CheckedClaim,
  pages: readonly (ProvablePage | null)[],
  link: string | null,
  nearest: Claim['nearest'],
): Claim {
  const { kind, start, end, text, cited, match, source, isWrongSource, place } = claim
  const page = source === null ? null : (pages[source] ?? null)
  return {
    kind,
    start,
    end,
    text,
    cited: [...cited],
    match,
    source,
    wrong_source: isWrongSource,
    place:
      place === null || page === null
        ? null
        : {
            start: place.start,
            end: place.end,
            text: page.text.slice(place.start, place.end),
            text_fragment_url: link,
          },
    diff: [...(place?.diff ?? [])],
    nearest,
  }
}

/** Links to the places of claims, by the claims' positions. */
async function linkClaims(
  { linkPassages }: VerifyAnswerParts,
  claims: readonly CheckedClaim[],
  pages: readonly (ProvablePage | null)[],
  signal: AbortSignal,
): Promise<Map<number, string | null>> {
  const links = new Map<number, string | null>()
  await Promise.all(
    pages.map(async (page, source) => {
      const own = [...claims.entries()].filter(([, claim]) => claim.source === source)
      if (page === null || own.length === 0) return
      const spans = own.flatMap(([, { place }]) =>
        place === null ? [] : [{ start: place.start, end: place.end }],
      )
      const made = await linkPassages(page, spans, Date.now() + EXTRAS_MS, signal).catch(nothingWhenLate)
      for (const [at, [position]] of own.entries()) links.set(position, made[at] ?? null)
    }),
  )
  return links
}

function nothingWhenLate(error: unknown): [] {
  if (error instanceof TimeLimitError || error instanceof PageError) return []
  throw error
}

/** For every statement the passage of the sources it names that bears on it most, by the claims' positions. */
async function findNearest(
  parts: VerifyAnswerParts,
  claims: readonly CheckedClaim[],
  pages: readonly (ProvablePage | null)[],
  signal: AbortSignal,
): Promise<Map<number, Claim['nearest']>> {
  const deadlineMs = Date.now() + EXTRAS_MS
  const statements = [...claims.entries()]
    .filter(([, { match }]) => match === 'not_a_quote')
    .slice(0, STATEMENTS_MAX)
  const cited = new Set(statements.flatMap(([, claim]) => claim.cited))
  const passages = new Map<number, PagePassage[]>()
  await Promise.all(
    [...cited].map(async (source) => {
      const page = pages[source] ?? null
      if (page === null) return
      passages.set(source, await passagesOf(parts, page, deadlineMs, signal).catch(nothingWhenLate))
    }),
  )
  const nearest = await Promise.all(
    statements.map(async ([position, claim]) => {
      const pool = claim.cited.flatMap((source) =>
        (passages.get(source) ?? []).map((passage) => ({ source, passage })),
      )
      return [position, await nearestOf(parts, claim.text, pool, deadlineMs, signal)] as const
    }),
  )
  return new Map(nearest)
}

/** The text alone is known of a page that is kept: it is cut as plain text, so that all sources are cut alike. */
async function passagesOf(
  { readPage }: VerifyAnswerParts,
  page: ProvablePage,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<PagePassage[]> {
  const capture = {
    id: randomUUID(),
    requestedUrl: page.url,
    url: page.url,
    mediaType: 'text/plain',
    content: page.text,
    lastModified: null,
    contentLanguage: null,
    fetchedAt: page.fetchedAt,
    readBy: 'cache',
    warning: null,
  } as const
  const { passages } = await readPage(capture, { overlap: false, limit: PASSAGES_MAX, deadlineMs }, signal)
  return passages.filter(({ start, end, text }) => page.text.slice(start, end) === text)
}

async function nearestOf(
  { score }: VerifyAnswerParts,
  statement: string,
  pool: readonly { source: number; passage: PagePassage }[],
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Claim['nearest']> {
  if (pool.length === 0) return null
  const passages = pool.map(({ source, passage: { text, headings, contentWeight } }, index) => ({
    text,
    title: '',
    headings,
    contentWeight,
    place: index / pool.length,
    page: source,
  }))
  const request = {
    tier: 'balanced',
    language: 'en',
    candidates: CANDIDATES,
    reranked: 0,
    deadlineMs,
  } as const
  const { relevance } = await score(statement, passages, request, signal)
  const best = relevance.reduce((top, value, at) => (value > (relevance[top] ?? -1) ? at : top), 0)
  const found = pool[best]
  // Where the time was over before anything was scored, no passage is nearer than another.
  if (found === undefined || (relevance[best] ?? 0) === 0) return null
  const { start, end, text } = found.passage
  return {
    source: found.source,
    start,
    end,
    text,
    relevance_score: Math.round((relevance[best] ?? 0) * 10_000) / 10_000,
  }
}
