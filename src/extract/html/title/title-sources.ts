// Where a page says what it is called: its properties and its headings, as they are compared.
import { closest } from '../element-tree.ts'
import type { HtmlRuns } from '../collector/collector.ts'

/** A longer heading is no title. */
export const LONGEST_TITLE = 300
const LONGEST_READ = 2_000
const MOST_HEADINGS = 20
/** What documentation hangs on its headings to link to them. */
const ANCHOR_MARK = / ?[¶§🔗\p{Co}]$| #$/u

/** On one line. */
export const tidy = (text: string): string => text.slice(0, LONGEST_READ).replace(/\s+/g, ' ').trim()

/** The first `<meta>` property of this name, '' without one. */
export const propertyOf = (page: HtmlRuns, name: string): string =>
  page.head.properties.find(([found]) => found === name)?.[1] ?? ''

/** The texts of the first elements of this name, each once. */
export function headingsOf(page: HtmlRuns, name: 'h1' | 'h2'): string[] {
  const headings = new Set<string>()
  for (const { element, text } of page.runs) {
    if (headings.size >= MOST_HEADINGS) break
    if (text.length >= 2 && text.length <= LONGEST_TITLE && closest(element, name) !== null)
      headings.add(tidy(text).replace(ANCHOR_MARK, ''))
  }
  return [...headings]
}

/** Names compare by their letters and digits alone. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** The words of a text, each once, in lower case. */
export const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )

/** How many words both have. */
export function sharedOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  for (const word of left) if (right.has(word)) shared++
  return shared
}
