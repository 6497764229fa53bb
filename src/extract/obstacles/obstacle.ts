// What stands in a page's place, or between its reader and its text, and by which signs it is told.

import type { PageObstacle } from '../document.ts'

/** A paywall leaves something to read; all others are no page that anybody searched for. */
export type ObstacleKind = PageObstacle | 'paywall'

/**
 * How one kind of obstacle shows itself. All in lower case, with straight quotation marks and single spaces. No sign
 * decides by itself but those of `markup`, and none of them on a page with much to read.
 */
export interface ObstacleSigns {
  kind: ObstacleKind
  /** How a title, a heading or a line of its own begins. */
  headlines: readonly string[]
  /** How a sentence begins. */
  sentences: readonly string[]
  /** What stands anywhere: it counts beside other signs alone. */
  words: readonly string[]
  /** What only such a page has in its markup. */
  markup: readonly string[]
  /** What such a page often has in its markup, and others too: it counts beside other signs alone. */
  markupHints: readonly string[]
  /** What the markup of such a page has when it shows nothing at all. */
  markupOfEmpty: readonly string[]
  /** How the title of a page begins that is about such obstacles. */
  titlesAbout: readonly string[]
  /** Characters beside links up to which a page may be one; letters of scripts without spaces count three. */
  proseMost: number
}

/** In words for the caller. */
export const OBSTACLE_SENTENCES: Readonly<Record<ObstacleKind, string>> = {
  challenge: 'The site asks visitors to prove that they are human, and showed that instead of the page.',
  blocked: 'The site refused to show the page to this service.',
  consent: 'The site asks for consent to cookies before it shows the page.',
  paywall: 'The site shows the rest of the page to subscribers only; what it shows to everybody was used.',
  login: 'The site shows the page only to those who have logged in.',
  not_found: 'The site says that there is no such page, or that it is no more.',
  parked: 'The address leads to no site: its domain is parked, for sale or not set up.',
  garbled: 'The text of the page is garbled and cannot be read.',
}
