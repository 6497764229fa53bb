// The heading of a page, near which its date stands.
import type { HtmlElement } from '../html/element-tree.ts'
import { headingLevel } from '../html/elements.ts'
import type { HtmlRuns } from '../html/collector/collector.ts'

/** A shorter one stands in many a title by chance. */
const LEAST_LOWER_HEADING = 10

export interface Heading {
  /** -1 when the page has none. */
  readonly run: number
  readonly element: HtmlElement | null
}

/** The h1 that the page's title speaks of, else its first one: that may be the site's name; else a lower one. */
export function headingOf(page: HtmlRuns): Heading {
  const title = page.head.title().toLowerCase()
  let first = -1
  let lower = -1
  for (const [index, { element, text }] of page.runs.entries()) {
    const level = levelAbove(element)
    if (level === 0 || (level > 1 && lower !== -1)) continue
    const isSaid = title.includes(text.toLowerCase())
    if (level === 1 && isSaid) return { run: index, element }
    if (level === 1 && first === -1) first = index
    if (level > 1 && isSaid && text.length >= LEAST_LOWER_HEADING) lower = index
  }
  const run = first === -1 ? lower : first
  return { run, element: page.runs[run]?.element ?? null }
}

/** Of the heading that the element stands in, 0 for none. */
function levelAbove(element: HtmlElement): number {
  for (let at: HtmlElement | null = element; at !== null; at = at.parent) {
    const level = headingLevel(at.name)
    if (level > 0) return level
  }
  return 0
}
