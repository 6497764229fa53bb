// Pages that print the same text: one of them is shown, the one that had it first as far as they tell.
import { sharedShare, type Sketch } from './sketch.ts'

export interface ComparedPage {
  url: string
  /** The address the page names as its own; null when it names none. */
  canonicalUrl: string | null
  /** ISO 8601; null when the page does not tell. */
  publishDate: string | null
  sketch: Sketch
}

/** Beyond, two pages print one text. */
const COPY_SHARE = 0.45

const siteOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).hostname.replace(/^www\./u, '') : url

/** Whether two sites print the same text, whatever stands around it. Pages of one site are made of one mould: never copies. */
export const areCopies = (left: ComparedPage, right: ComparedPage): boolean =>
  siteOf(left.url) !== siteOf(right.url) && sharedShare(left.sketch, right.sketch) >= COPY_SHARE

/** Whether `other` had the text before `shown`: by the dates, else because `shown` names it as where its text is from. */
export function isOriginalOf(other: ComparedPage, shown: ComparedPage): boolean {
  const [own, theirs] = [shown.publishDate?.slice(0, 10), other.publishDate?.slice(0, 10)]
  if (own !== undefined && theirs !== undefined && own !== theirs) return theirs < own
  return shown.canonicalUrl !== null && shown.canonicalUrl === other.url
}
