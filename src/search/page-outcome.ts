// How opening a page ended: for metrics, as the sentence that its result shows, and as the public name of that sentence.
import type { WarningCode } from '../contract/warning-codes.ts'
import { TimeLimitError } from '../concurrency/deadline.ts'
import { type PageText, UnreadableError } from '../extract/document.ts'
import { OBSTACLE_SENTENCES } from '../extract/obstacles/obstacle.ts'
import { type Capture, faultOf, PageError, type PageFault, type PageWarningCode } from '../pages/capture.ts'

/** A handful of words, never an address. */
export type PageOutcome =
  | 'read'
  | 'cut_short'
  | 'partly_damaged'
  | 'from_data'
  | 'paywall'
  | PageWarningCode
  | UnreadableError['code']
  | 'unexpected'

export interface PageVerdict {
  /** Public sentence; null when the page is whole. */
  warning: string | null
  outcome: PageOutcome
}

const TOO_SLOW = 'The page did not answer in time.'
const OUT_OF_TIME = 'This service had no time left to read the page.'
const FROM_DATA =
  'The page shows its text only where its scripts run; this is what it says in data for machines.'
const CUT_SHORT = 'The page is very long; only its first part was read.'
const PARTLY_DAMAGED = 'The file is damaged in part; what could be read of it was used.'
const NO_TEXT = 'The page holds no readable text.'
const UNEXPECTED = 'The page could not be read because of an unexpected error.'

/** What to say of a page that was read. */
export function verdictOnText(
  capture: Pick<Capture, 'warning'>,
  page: Pick<PageText, 'text' | 'isFromData' | 'isDamaged'>,
  { truncated, isPaywalled }: { truncated: boolean; isPaywalled: boolean },
): PageVerdict {
  if (isPaywalled) return { warning: OBSTACLE_SENTENCES.paywall, outcome: 'paywall' }
  if (capture.warning !== null) return { warning: capture.warning.message, outcome: capture.warning.code }
  if (page.text.trim() === '') return { warning: NO_TEXT, outcome: 'empty' }
  if (page.isFromData === true) return { warning: FROM_DATA, outcome: 'from_data' }
  if (page.isDamaged === true) return { warning: PARTLY_DAMAGED, outcome: 'partly_damaged' }
  return truncated ? { warning: CUT_SHORT, outcome: 'cut_short' } : { warning: null, outcome: 'read' }
}

/** What to say of a page that could not be read; `isOurs`: when time was short, it was this service that lacked it. */
export function verdictOnFailure(error: unknown, isOurs: boolean): PageVerdict {
  const isLate = isTimeout(error) || (error instanceof PageError && error.warning.code === 'timeout')
  if (isLate && isOurs) return { warning: OUT_OF_TIME, outcome: 'out_of_time' }
  return { warning: pageWarningOf(error), outcome: outcomeOf(error) }
}

/** The public sentence for whatever kept a page from being read. */
export function pageWarningOf(error: unknown): string {
  if (isTimeout(error)) return TOO_SLOW
  if (error instanceof PageError) return error.warning.message
  if (error instanceof UnreadableError) return error.message
  return UNEXPECTED
}

function outcomeOf(error: unknown): PageOutcome {
  if (isTimeout(error)) return 'timeout'
  if (error instanceof PageError) return error.warning.code
  return error instanceof UnreadableError ? error.code : 'unexpected'
}

function isTimeout(error: unknown): boolean {
  return error instanceof TimeLimitError || (error instanceof DOMException && error.name === 'TimeoutError')
}

const OTHER_FAULTS: Readonly<Record<Exclude<PageOutcome, PageWarningCode>, PageFault | null>> = {
  read: null,
  cut_short: null,
  partly_damaged: null,
  from_data: null,
  encrypted: 'refused',
  scanned: 'refused',
  empty: 'refused',
  consent: 'refused',
  not_found: 'refused',
  parked: 'refused',
  garbled: 'refused',
  unexpected: 'ours',
}

const isOther = (outcome: PageOutcome): outcome is keyof typeof OTHER_FAULTS => outcome in OTHER_FAULTS

/** Whose doing it was that a page could not be read; null for what is said of one that was. */
export const faultBehind = (outcome: PageOutcome): PageFault | null =>
  isOther(outcome) ? OTHER_FAULTS[outcome] : faultOf(outcome)

/** What the parts of the service call it where the public name is another. */
const NAMES = {
  read: null,
  gone: 'not_found',
  scanned: 'no_text_layer',
  cut_short: 'truncated',
  partly_damaged: 'truncated',
} as const satisfies Partial<Record<PageOutcome, WarningCode | null>>

const isRenamed = (outcome: PageOutcome): outcome is keyof typeof NAMES => outcome in NAMES

/** Null for a page that was read whole. */
export const warningCodeOf = (outcome: PageOutcome): WarningCode | null =>
  isRenamed(outcome) ? NAMES[outcome] : outcome
