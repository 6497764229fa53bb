// One page of a search: opened and read within its time, what is known of it then, and how one that failed ended.
import { withDeadline } from '../concurrency/deadline.ts'
import type { PageText } from '../extract/document.ts'
import { PageError, type Capture, type LoadOptions, type ReadBy } from '../pages/capture.ts'
import type { SearchHit } from '../providers/provider.ts'
import type { TextSpan } from '../score/passage.ts'
import type { Sketch } from './copies/sketch.ts'
import { type PageOutcome, verdictOnFailure, verdictOnText } from './page-outcome.ts'
import type { CaptureDigest, PageOpening } from './proof/proof-store.ts'
import { shownAddress } from './result-address.ts'

/** A passage before it is scored: offsets into the page's text, and the headings above it. */
export interface PagePassage {
  start: number
  end: number
  text: string
  headings: readonly string[]
  /** 0..1, the probability that it is content. */
  contentWeight: number
  /** Its sentences, list items, rows or lines, in order: offsets into its text. */
  parts: readonly TextSpan[]
}

/** What is known of a page once it is cut; its blocks have served their purpose by then. */
export type ReadPageText = Omit<PageText, 'blocks'>

export interface ReadResult {
  page: ReadPageText
  passages: PagePassage[]
  /** The address that the page names as its own, absolute; null when it names none. */
  canonicalUrl: string | null
  /** True when the page holds more than was read, or more passages than were asked for. */
  truncated: boolean
  /** By which pages that print the same text are told. */
  sketch: Sketch
  /** Of what the page was read from. */
  captureDigest: CaptureDigest
  /** True when the rest of the page is for subscribers. */
  isPaywalled?: boolean
  /** The page in the notation that was asked for; absent where none was. */
  written?: string
}

/** What a page's blocks can be written as, for reading; nothing is quoted from it. */
export type PageNotation = 'markdown' | 'html'

export interface GatheredPage {
  hit: SearchHit
  /** Place in the provider's list, from 0. */
  position: number
  url: string
  fetchedAt: string | null
  /** Without parameters, lower case; null when the page could not be opened. */
  mediaType: string | null
  readBy: ReadBy | null
  page: ReadPageText | null
  canonicalUrl: string | null
  sketch: Sketch
  /** Of what the page was read from; null when it could not be read. */
  captureDigest: CaptureDigest | null
  /** Absent when it could not be read. */
  opening?: PageOpening
  /** Addresses of pages that print the same text and are not shown. */
  copies: string[]
  passages: PagePassage[]
  /** The page in the notation that was asked for; absent where none was. */
  written?: string
  /** Public sentence; null when the page is whole. */
  warning: string | null
  outcome: PageOutcome
  /** Epoch milliseconds. */
  startedAtMs: number
  /** Until it had come, or could not be had; the rest of `elapsedMs` went into reading it. */
  loadMs: number
  elapsedMs: number
}

/** How a page is opened and read. */
export interface PagePlan {
  rendering: LoadOptions['rendering']
  scroll: boolean
  overlap: boolean
  passagesPerPage: number
  pageBudgetMs: number
  /** Epoch milliseconds at which all is over, finished or not. */
  deadlineMs: number
  fresh: boolean
  /** How old a kept copy may be; left out for as old as the cache lets it get. */
  maxAgeMs?: number
  /** The caller's, which sites are asked for; left out where nobody asks for one. */
  language?: string
  /** Write each page so, too. */
  notation?: PageNotation
}

export interface ReadOptions {
  /** Overlapping windows of sentences. */
  overlap: boolean
  /** Most passages to cut. */
  limit: number
  /** Epoch milliseconds after which nobody waits for the page any more. */
  deadlineMs: number
  /** Write the page so, too; left out where passages are all that is wanted. */
  notation?: PageNotation
}

export interface PageParts {
  loadPage(url: string, options: LoadOptions, signal: AbortSignal): Promise<Capture>
  readPage(capture: Capture, options: ReadOptions, signal: AbortSignal): Promise<ReadResult>
  /** Told of every failure with its internal detail, for the log. */
  onFailure(url: string, error: unknown): void
}

const NO_SKETCH: Sketch = new Uint32Array(0)

/** Kept back from a page's time, at most a fifth of it, for reading what has come when loading ends. */
const READING_RESERVE_MS = 300
/** A page that was begun with less than this share of its time is late through us. */
const HURRIED_SHARE = 0.5

interface LoadProgress {
  readonly deadlineMs: number
  /** Null until the page has come. */
  loadedAtMs: number | null
}

/** Opens one page and reads it. Never rejects because of the page; rejects when `signal` aborts. */
export async function gatherPage(
  hit: SearchHit,
  position: number,
  plan: PagePlan,
  parts: PageParts,
  signal: AbortSignal,
): Promise<GatheredPage> {
  const startedAtMs = Date.now()
  const deadlineMs = Math.min(plan.deadlineMs, startedAtMs + plan.pageBudgetMs)
  const progress: LoadProgress = { deadlineMs, loadedAtMs: null }
  const blank = {
    hit,
    position,
    url: hit.url,
    fetchedAt: null,
    mediaType: null,
    readBy: null,
    page: null,
    canonicalUrl: null,
    sketch: NO_SKETCH,
    captureDigest: null,
    copies: [],
    passages: [],
    startedAtMs,
  }
  const times = () => ({
    loadMs: (progress.loadedAtMs ?? Date.now()) - startedAtMs,
    elapsedMs: Date.now() - startedAtMs,
  })
  try {
    const limit = { what: 'opening and reading a page', limitMs: deadlineMs - Date.now(), signal }
    const read = await withDeadline(limit, (ended) => openAndRead(hit, plan, parts, progress, ended))
    return { ...blank, ...read, ...times() }
  } catch (error) {
    signal.throwIfAborted()
    parts.onFailure(hit.url, error)
    const url = addressAfter(error, hit.url)
    const isLate = deadlineMs - startedAtMs < plan.pageBudgetMs * HURRIED_SHARE
    const isOurs = progress.loadedAtMs !== null || isLate
    return { ...blank, url, ...verdictOnFailure(error, isOurs), ...times() }
  }
}

/** Where a page that failed was last; where this service would not go, nobody is sent by it either. */
function addressAfter(error: unknown, asked: string): string {
  if (!(error instanceof PageError) || error.warning.code === 'address_refused') return asked
  return shownAddress(asked, error.url)
}

async function openAndRead(
  hit: SearchHit,
  plan: PagePlan,
  parts: PageParts,
  progress: LoadProgress,
  signal: AbortSignal,
): Promise<Omit<GatheredPage, 'hit' | 'position' | 'startedAtMs' | 'loadMs' | 'elapsedMs'>> {
  const { rendering, scroll, fresh, language, maxAgeMs } = plan
  const { deadlineMs } = progress
  const reserveMs = Math.min(READING_RESERVE_MS, (deadlineMs - Date.now()) / 5)
  const spoken = language === undefined ? {} : { language }
  const asked = { rendering, scroll, fresh, ...spoken, ...(maxAgeMs === undefined ? {} : { maxAgeMs }) }
  const options = { ...asked, deadlineMs: deadlineMs - reserveMs }
  const capture = await parts.loadPage(hit.url, options, signal)
  progress.loadedAtMs = Date.now()
  const { overlap, passagesPerPage, notation } = plan
  const reading = {
    overlap,
    limit: passagesPerPage,
    deadlineMs,
    ...(notation === undefined ? {} : { notation }),
  }
  const { page, truncated, isPaywalled = false, ...read } = await parts.readPage(capture, reading, signal)
  return {
    url: shownAddress(hit.url, capture.url),
    fetchedAt: capture.fetchedAt,
    mediaType: capture.mediaType,
    readBy: capture.readBy,
    page,
    ...read,
    opening: { rendering: capture.readBy === 'browser' ? 'browser' : rendering, scroll, ...spoken },
    copies: [],
    ...verdictOnText(capture, page, { truncated, isPaywalled }),
  }
}
