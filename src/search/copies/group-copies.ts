// Pages that print the same text: one of them is shown, the one that had it first as far as they tell.
import { pageKey } from '../result-address.ts'
import { containedShare, sharedShare, type Sketch } from './sketch.ts'

export interface ComparedPage {
  url: string
  /** The address the page names as its own; null when it names none. */
  canonicalUrl: string | null
  /** ISO 8601; null when the page does not tell. */
  publishDate: string | null
  /** Place in the search engine's list, from 0. */
  position: number
  sketch: Sketch
}

/**
 * From here on two pages print one text: most of the shorter one stands on the longer one, which is not many times as long.
 * Chosen on planted copies of saved pages (`npm run eval -- --copies`).
 */
const COPY = { containedMin: 0.65, sharedMin: 0.3 } as const

const siteOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).hostname.replace(/^www\./u, '') : url

/** Whether two sites print the same text, whatever stands around it. Pages of one site are made of one mould: never copies. */
export const areCopies = (left: ComparedPage, right: ComparedPage): boolean =>
  siteOf(left.url) !== siteOf(right.url) && isOneText(left.sketch, right.sketch)

/** Whether most of the shorter page stands on the longer one; false where either says too little. */
export const isOneText = (left: Sketch, right: Sketch): boolean =>
  sharedShare(left, right) >= COPY.sharedMin && containedShare(left, right) >= COPY.containedMin

/** Whether `page` names `other` as where its text is from (RFC 6596). */
const isFrom = (page: ComparedPage, other: ComparedPage): boolean =>
  page.canonicalUrl !== null && pageKey(page.canonicalUrl, null) === pageKey(other.url, null)

/**
 * Whether `other` had the text before `shown`: by their dates, else because one names the other as where its text is from,
 * else, as nobody tells, because the search engine found it first. Of two different pages one is the original of the other.
 */
export function isOriginalOf(other: ComparedPage, shown: ComparedPage): boolean {
  const [own, theirs] = [shown.publishDate?.slice(0, 10), other.publishDate?.slice(0, 10)]
  if (own !== undefined && theirs !== undefined && own !== theirs) return theirs < own
  const [isShownFromOther, isOtherFromShown] = [isFrom(shown, other), isFrom(other, shown)]
  if (isShownFromOther !== isOtherFromShown) return isShownFromOther
  return other.position < shown.position
}
