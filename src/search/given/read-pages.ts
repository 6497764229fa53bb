// Pages that a caller names: opened, read and cut as those of a search, with their text and, for a query, their best
// passages.
import type { WarningCode } from '../../contract/warning-codes.ts'
import type { PagePlace } from '../../extract/document.ts'
import { DEPTHS } from '../depth.ts'
import type { GatheredPage, PageNotation } from '../gather-page.ts'
import { placeAt, type PlaceInDocument } from '../proof/place-in-document.ts'
import type { Bundle } from '../../contract/bundle.ts'
import { keepAndSign, NOT_KEPT, provablePage, type ProofParts } from '../proof/prove-result.ts'
import { chooseLanguage } from '../query-language.ts'
import type { ScoredPassage } from '../rank.ts'
import { pageSnippets } from '../snippets/page-snippets.ts'
import { scorePages } from '../score-pages.ts'
import type { PipelineParts, SearchOptions } from '../search-context.ts'
import { faultBehind, warningCodeOf } from '../page-outcome.ts'
import { openNamedPage, type NamedPageParts, type OpenedPage } from './open-named-page.ts'
import { type AnswerBudget, fillBudget, fitsWhole, OFFERED_PER_PAGE } from '../highlights/fill-budget.ts'
import { budgetAfter, cutToFit, estimateTokens, type TextBudget } from '../highlights/text-budget.ts'

/** Longest time from a request's arrival to its answer. */
export const READ_DEADLINE_MS = 10_000
/** The end of it that belongs to scoring, when there is a query. */
const SCORING_RESERVE_MS = 1_200
/** Passages of a page that are returned for a query. */
const SNIPPETS_MAX = 5

export type PageFormat = 'text' | PageNotation

export interface ReadPagesRequest {
  urls: readonly string[]
  /** Of the content. */
  format: PageFormat
  /** Null: the page as a whole. */
  query: string | null
  /** Selectors of types, classes and ids, whose elements are left out of HTML; left out for none. */
  without?: readonly string[]
  budget: TextBudget
  /** Of the passages of each page, where they have one of their own; left out for the page's. */
  snippets?: AnswerBudget
  /** How old a kept copy may be; null for as old as the cache lets it get. */
  maxAgeMs: number | null
  /** Keep the texts, so that quotes can be checked against exactly what was read. */
  isProofWanted: boolean
  /** Sign what was read, too. */
  isBundleWanted: boolean
}

/** Why a page could not be read, in words for the caller. */
export interface ReadFailure {
  code: WarningCode
  message: string
  isRetryable: boolean
}

/** One page, in the order of the request. */
export interface ReadPage {
  /** As it was asked for. */
  askedUrl: string
  url: string
  title: string | null
  /** Best first, all within the budget; none without a query. */
  snippets: readonly (ScoredPassage & { place: PlaceInDocument | null })[]
  /** Within what the snippets left of the budget; '' when the page could not be read. */
  content: string
  isCut: boolean
  /** What the server sent or the browser showed, where it is text. */
  source: string | null
  mediaType: string | null
  publishDate: string | null
  lastUpdated: string | null
  language: string | null
  fetchedAt: string | null
  warning: string | null
  /** What the warning or the failure says; null for neither. */
  warningCode: WarningCode | null
  failure: ReadFailure | null
  /** SHA-256 of the page's whole text; null unless asked for. */
  contentSha256: string | null
  /** Null unless asked for. */
  bundle: Bundle | null
}

type SignedProofParts = Pick<ProofParts, 'proofStore' | 'signBundle' | 'version'>

export interface ReadPagesParts extends NamedPageParts, SignedProofParts {
  score: PipelineParts['score']
}

export type ReadPages = ReturnType<typeof createReadPages>

/** Makes the function that reads pages side by side. It never rejects because of a page. */
export function createReadPages(parts: ReadPagesParts) {
  return async function readPages(
    request: ReadPagesRequest,
    options: Pick<SearchOptions, 'arrivedAtMs' | 'fresh' | 'patienceMs'>,
    signal: AbortSignal,
  ): Promise<ReadPage[]> {
    const { query, maxAgeMs, format } = request
    const deadlineMs =
      options.arrivedAtMs + Math.min(options.patienceMs ?? READ_DEADLINE_MS, READ_DEADLINE_MS)
    const reserveMs = query === null ? 0 : Math.min(SCORING_RESERVE_MS, (deadlineMs - Date.now()) / 4)
    const notation = format === 'text' ? null : format
    const { fresh } = options
    const limits = {
      deadlineMs: deadlineMs - reserveMs,
      fresh,
      maxAgeMs,
      notation,
      without: request.without ?? [],
    }
    const opened = await Promise.all(
      request.urls.map((url, position) => openNamedPage({ url, position }, limits, parts, signal)),
    )
    const pages = opened.map(({ gathered }) => gathered)
    const times = { arrivedAtMs: options.arrivedAtMs, deadlineMs }
    const snippets = request.snippets ?? snippetBudget(request.budget)
    const found = query === null ? null : await findPassages({ query, snippets }, pages, times, parts, signal)
    return Promise.all(
      opened.map(async ({ gathered, source }) => {
        const chosen = withinBudget(found?.byPosition.get(gathered.position) ?? [], snippets)
        const proof = await proveRead(gathered, chosen.kept, request, parts, deadlineMs, signal)
        const scoringWarning = gathered.passages.length > 0 ? (found?.warning ?? null) : null
        return composePage({ gathered, source }, { ...chosen, scoringWarning }, request.budget, proof)
      }),
    )
  }
}

const snippetBudget = ({ maxCharacters: characters, maxTokens: tokens }: TextBudget): AnswerBudget => ({
  characters,
  tokens,
  perPage: SNIPPETS_MAX,
})

const isLimited = ({ characters, tokens }: AnswerBudget): boolean => characters !== null || tokens !== null

/** The best passages of each page for a query, by the page's position: part by part where length is limited. */
async function findPassages(
  { query, snippets }: { query: string; snippets: AnswerBudget },
  pages: readonly GatheredPage[],
  { arrivedAtMs, deadlineMs }: { arrivedAtMs: number; deadlineMs: number },
  parts: Pick<ReadPagesParts, 'score'>,
  signal: AbortSignal,
): Promise<{ byPosition: Map<number, ScoredPassage[]>; warning: string | null }> {
  const { language } = chooseLanguage({ query, language: 'en', isLanguageGiven: false })
  const budget = { ...DEPTHS.balanced, deadlineMs: deadlineMs - arrivedAtMs }
  const request = { query, search_depth: 'balanced', language } as const
  const highlighted = isLimited(snippets) ? OFFERED_PER_PAGE * pages.length : 0
  const context = { request, options: { arrivedAtMs }, budget, parts, signal, highlighted }
  const { byPosition, likeliestElsewhere, answer } = await scorePages(context, pages)
  const best = { threshold: budget.threshold, count: highlighted > 0 ? OFFERED_PER_PAGE : snippets.perPage }
  const picked = pages.map(({ position, page }) => {
    const elsewhere = likeliestElsewhere.get(position) ?? 0
    const options = { ...best, text: page?.text ?? '', likeliestElsewhere: elsewhere }
    return [position, pageSnippets(byPosition.get(position) ?? [], options)] as const
  })
  return { byPosition: new Map(picked), warning: answer.warning }
}

/** The content has what the snippets leave of the budget. */
function composePage(
  { gathered, source }: OpenedPage,
  { kept, warning: shortage, scoringWarning }: ChosenSnippets & { scoringWarning: string | null },
  budget: TextBudget,
  proof: Pick<ReadPage, 'contentSha256' | 'bundle'>,
): ReadPage {
  const { hit, page, warning, fetchedAt } = gathered
  const text = gathered.written ?? page?.text ?? ''
  const content = cutToFit(
    text,
    kept.reduce((left, snippet) => budgetAfter(left, snippet.text), budget),
  )
  return {
    askedUrl: hit.url,
    url: gathered.url,
    title: page?.title ?? null,
    snippets: kept.map((snippet) => withPlace(snippet, page?.places)),
    content,
    isCut: content.length < text.length || page?.isCut === true,
    source,
    mediaType: gathered.mediaType,
    publishDate: page?.publishDate?.iso ?? null,
    lastUpdated: page?.lastUpdated?.iso ?? null,
    language: page?.language?.code ?? null,
    fetchedAt,
    warning: page === null ? null : (warning ?? shortage ?? scoringWarning),
    warningCode: warning === null ? codeOf(shortage, scoringWarning) : warningCodeOf(gathered.outcome),
    failure: page === null ? failureOf(gathered) : null,
    ...proof,
  }
}

/** What is said of the passages of a page of which nothing else is said. */
function codeOf(shortage: string | null, scoringWarning: string | null): WarningCode | null {
  if (shortage !== null) return 'budget_too_small'
  return scoringWarning === null ? null : 'scores_incomplete'
}

const withPlace = (snippet: ScoredPassage, places: readonly PagePlace[] | undefined) => ({
  ...snippet,
  place: placeAt(places, snippet.start),
})

async function proveRead(
  gathered: GatheredPage,
  snippets: readonly ScoredPassage[],
  { isProofWanted, isBundleWanted }: Pick<ReadPagesRequest, 'isProofWanted' | 'isBundleWanted'>,
  parts: SignedProofParts,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Pick<ReadPage, 'contentSha256' | 'bundle'>> {
  const page = isProofWanted || isBundleWanted ? provablePage(gathered, parts.version) : null
  if (page === null) return NOT_KEPT
  return keepAndSign(page, isBundleWanted ? snippets : null, parts, deadlineMs, signal)
}

interface ChosenSnippets {
  kept: readonly ScoredPassage[]
  /** Says which budget would do, where passages answer and not a part of them fits. */
  warning: string | null
}

/** The best passages where they fit as a whole, else the parts of them that answer. */
function withinBudget(offered: readonly ScoredPassage[], budget: AnswerBudget): ChosenSnippets {
  const best = offered.slice(0, budget.perPage)
  const kept = fitsWhole(best, budget) ? best : fillBudget([offered], budget).flat()
  const [first] = best
  return { kept, warning: kept.length > 0 || first === undefined ? null : shortageOf(first) }
}

function shortageOf(passage: ScoredPassage): string {
  const [part = { start: 0, end: passage.text.length }] = (passage.parts ?? []).toSorted(
    (one, other) => other.relevance - one.relevance,
  )
  const text = passage.text.slice(part.start, part.end)
  const [characters, tokens] = [text.length, estimateTokens(text) + 1]
  return `No passage fits: the sentence that answers best needs ${characters} characters (${tokens} tokens).`
}

/** Whether asking again may help depends on whose fault it was: the site's now, or ours; of what is unexpected nobody knows. */
function failureOf({ outcome, warning }: GatheredPage): ReadFailure {
  const fault = faultBehind(outcome)
  const isRetryable = outcome !== 'unexpected' && (fault === 'later' || fault === 'ours')
  return { code: warningCodeOf(outcome) ?? 'unexpected', message: warning ?? '', isRetryable }
}
