// How much a page says itself, as its reader sees it: not what it links to, nor what stands around it.
import { hasLandmark, type HtmlElement } from '../html/element-tree.ts'
import { LANDMARK_BIT } from '../html/elements.ts'
import type { HtmlRun } from '../html/text-runs.ts'

/** Links this long, one with another, tell what stands behind them: cards of a listing. Letters and digits. */
const LEAST_OF_CARD = 100

/** Letters and digits of prose in `runs`, counted up to `most` or a little more. */
export function shownProse(runs: readonly HtmlRun[], most: number): number {
  let prose = 0
  for (const { text, linkCharacters, links, element } of runs) {
    if (prose >= most) break
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
    const isProse = linkCharacters * 2 < text.length || letters >= LEAST_OF_CARD * links
    if (isProse && !isAround(element)) prose += letters
  }
  return prose
}

/** Navigation, and the head and foot of the page; an article has a head and a foot of its own. */
const isAround = (element: HtmlElement): boolean =>
  hasLandmark(element, LANDMARK_BIT.nav) ||
  (hasLandmark(element, LANDMARK_BIT.header | LANDMARK_BIT.footer) &&
    !hasLandmark(element, LANDMARK_BIT.article))
