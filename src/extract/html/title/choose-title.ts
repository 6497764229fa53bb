// The title of an HTML page: its own words, without the name of the site. A heading that says what the `<title>` or
// `og:title` says is the page's own wording of it.
import type { HtmlRuns } from './parse-html.ts'
import type { HtmlElement } from './element-tree.ts'

const LONGEST_TITLE = 300
const LONGEST_READ = 2_000
const MOST_HEADINGS = 20
/** What stands between a page's title and its site's name. */
const SEPARATOR = /\s+[|\-–—•·»«/<>~:]+\s+|\s*[|»«]\s*|:\s+/gu
/** Separators that no title has within itself; before them stands enough to be one. */
const BAR = /\s+[|»«·•]\s+/u
const LEAST_BEFORE_BAR = 6
/** Sites may put theirs before and after a title. */
const MOST_SITE_NAMES = 3
/** A host may begin or end with the site's name when that is no shorter. */
const LEAST_SITE_NAME = 4
/** How much a heading must have in common with the title to be one: see `agreementOf`. */
const LEAST_AGREEMENT = 0.85
/** What a heading loses that the `<title>` ends with: it may be the site's name. */
const TAIL_PENALTY = 0.4

/**
 * The title of a page at `url`, at most 300 characters. Null when it has neither `<title>`, `og:title` nor an h1.
 * Linear in the length of the headings.
 */
export function chooseTitle(page: HtmlRuns, url: string): string | null {
  const full = tidy(page.head.title())
  const openGraph = tidy(propertyOf(page, 'og:title'))
  const headings = headingsOf(page, 'h1')
  const site = siteNamesOf(page, url, full, headings)
  const own = withoutSite(full, site)
  const ownOpenGraph = withoutSite(openGraph, site)
  const heading = agreeingHeading(headings, [ownOpenGraph, own], full, site)
  const given = full === '' || full.includes(ownOpenGraph) ? ownOpenGraph || own : own
  const chosen = heading === null ? ((beforeBar(given) || headings[0]) ?? '') : withoutSite(heading, site)
  return chosen === '' ? null : chosen.slice(0, LONGEST_TITLE)
}

const tidy = (text: string): string => text.slice(0, LONGEST_READ).replace(/\s+/g, ' ').trim()

const propertyOf = (page: HtmlRuns, name: string): string =>
  page.head.properties.find(([found]) => found === name)?.[1] ?? ''

/** The texts of the first elements of this name. */
function headingsOf(page: HtmlRuns, name: 'h1' | 'h2'): string[] {
  const headings = new Set<string>()
  for (const { element, text } of page.runs) {
    if (headings.size >= MOST_HEADINGS) break
    if (text.length >= 2 && text.length <= LONGEST_TITLE && isIn(element, name)) headings.add(tidy(text))
  }
  return [...headings]
}

function isIn(element: HtmlElement, name: string): boolean {
  for (let at: HtmlElement | null = element; at !== null; at = at.parent) if (at.name === name) return true
  return false
}

/** Names compare by their letters and digits alone. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

interface SiteNames {
  readonly names: ReadonlySet<string>
  /** The host without its last label. */
  readonly host: string
}

/** What the page calls its site, and the h1 that stands above all its pages. */
function siteNamesOf(page: HtmlRuns, url: string, full: string, headings: readonly string[]): SiteNames {
  const hostname = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : ''
  const names = [
    propertyOf(page, 'og:site_name'),
    propertyOf(page, 'application-name'),
    hostname,
    ...siteHeading(page, full, headings),
  ]
  const known = new Set(names.map(lettersOf))
  known.delete('')
  return { names: known, host: lettersOf(hostname.split('.').slice(0, -1).join('')) }
}

/** Where the `<title>` is two headings of the page, the latter, an h1, is the site's name: "Chapter - Book". */
function siteHeading(page: HtmlRuns, full: string, headings: readonly string[]): string[] {
  const last = [...full.matchAll(SEPARATOR)].at(-1)
  if (last === undefined) return []
  const title = lettersOf(full.slice(0, last.index))
  const tail = lettersOf(full.slice(last.index + last[0].length))
  const isTitleSaid = [...headings, ...headingsOf(page, 'h2')].some((heading) => lettersOf(heading) === title)
  return isTitleSaid ? headings.filter((heading) => lettersOf(heading) === tail) : []
}

function isSiteName(part: string, { names, host }: SiteNames): boolean {
  const letters = lettersOf(part)
  if (letters === '') return false
  if (names.has(letters) || letters === host) return true
  return letters.length >= LEAST_SITE_NAME && (host.startsWith(letters) || host.endsWith(letters))
}

/** A title without the names of its site at its ends. */
function withoutSite(title: string, site: SiteNames): string {
  let own = title
  for (let names = 0; names < MOST_SITE_NAMES; names++) {
    const separators = [...own.matchAll(SEPARATOR)]
    const first = separators[0]
    const last = separators.at(-1)
    if (first === undefined || last === undefined) break
    if (last.index > 2 && isSiteName(own.slice(last.index + last[0].length), site))
      own = own.slice(0, last.index)
    else if (first.index < own.length / 2 && isSiteName(own.slice(0, first.index), site))
      own = own.slice(first.index + first[0].length)
    else break
  }
  return own.trim()
}

function beforeBar(title: string): string {
  const [first = ''] = title.split(BAR)
  return first.length >= LEAST_BEFORE_BAR ? first : title
}

/** The heading that says most of what the page calls itself, null when none says enough of it. */
function agreeingHeading(
  headings: readonly string[],
  titles: readonly string[],
  full: string,
  site: SiteNames,
): string | null {
  let best: string | null = null
  let most = LEAST_AGREEMENT
  for (const heading of headings) {
    if (isSiteName(heading, site) && lettersOf(heading) !== lettersOf(full)) continue
    const agreement = agreementOf(heading, titles, full)
    if (agreement < most || (best !== null && agreement === most)) continue
    best = heading
    most = agreement
  }
  return best
}

/**
 * 0..2: 2 for the same words, else the share of the shorter one's words that both have, and half the share among all
 * words of both.
 */
function agreementOf(heading: string, titles: readonly string[], full: string): number {
  const letters = lettersOf(heading)
  if (titles.some((title) => lettersOf(title) === letters)) return 2
  const own = wordsOf(heading)
  const all = titles.map(wordsOf)
  const shared = Math.max(
    ...all.map((words) => sharedOf(own, words) / Math.max(1, Math.min(own.size, words.size))),
  )
  const alike = Math.max(
    ...all.map((words) => {
      const both = sharedOf(own, words)
      return both / Math.max(1, own.size + words.size - both)
    }),
  )
  const said = lettersOf(full)
  const penalty = letters !== said && letters !== '' && said.endsWith(letters) ? TAIL_PENALTY : 0
  return shared + alike / 2 - penalty
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )

function sharedOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  for (const word of left) if (right.has(word)) shared++
  return shared
}
