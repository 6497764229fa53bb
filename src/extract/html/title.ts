// The title of an HTML page: its own words, without the name of the site where the page itself shows where that
// begins.
import type { HtmlRuns } from './parse-html.ts'
import type { HtmlElement } from './element-tree.ts'

const LONGEST_TITLE = 300
/** What stands between a page's title and its site's name. */
const BEGINS_WITH_SEPARATOR = /^\s*[|\-–—·•:»«/<>~]/
const ENDS_WITH_SEPARATOR = /[|\-–—·•:»«/<>~]\s*$/

/**
 * The `<title>`; when the page's own heading or `og:title` begins or ends it and a separator parts it from the rest,
 * that part alone ("Guide | Example" with the heading "Guide" → "Guide"). Without a `<title>`, `og:title` or the first
 * h1. Null when the page has none of these.
 */
export function chooseTitle(page: HtmlRuns): string | null {
  const full = tidy(page.head.title())
  const openGraph = tidy(page.head.properties.find(([name]) => name === 'og:title')?.[1] ?? '')
  const heading = tidy(page.runs.find(({ element }) => isInH1(element))?.text ?? '')
  const chosen =
    full === '' ? openGraph || heading : (ownPart(full, heading) ?? ownPart(full, openGraph) ?? full)
  return chosen === '' ? null : chosen.slice(0, LONGEST_TITLE)
}

const tidy = (text: string): string => text.slice(0, 2_000).replace(/\s+/g, ' ').trim()

function ownPart(full: string, part: string): string | null {
  if (part.length < 3 || part.length >= full.length) return null
  if (full.startsWith(part) && BEGINS_WITH_SEPARATOR.test(full.slice(part.length))) return part
  if (full.endsWith(part) && ENDS_WITH_SEPARATOR.test(full.slice(0, -part.length))) return part
  return null
}

function isInH1(element: HtmlElement): boolean {
  for (let at: HtmlElement | null = element; at !== null; at = at.parent) if (at.name === 'h1') return true
  return false
}
