// What a page calls its site, and a title without it.
import type { HtmlRuns } from '../collector/collector.ts'
import { headingsOf, lettersOf, propertyOf } from './title-sources.ts'

/** What stands between a page's title and its site's name, white space being single spaces. */
const SEPARATOR = / [|\-–—•·»«/<>~:]+ | ?[|»«] ?|: /gu
/** Sites may put theirs before and after a title. */
const MOST_SITE_NAMES = 3
/** A host may begin or end with the site's name when that is no shorter. */
const LEAST_SITE_NAME = 4
/** A site's name may begin or end with a label of its host that is no shorter: "ProMatcher Cost Report". */
const LEAST_LABEL = 5

export interface SiteNames {
  readonly names: ReadonlySet<string>
  /** The host without its last label. */
  readonly host: string
  readonly labels: readonly string[]
}

/** What the page calls its site; `full` is its `<title>`, `openGraph` its `og:title`, `headings` its h1s. */
export function siteNamesOf(
  page: HtmlRuns,
  url: string,
  { full, openGraph, headings }: { full: string; openGraph: string; headings: readonly string[] },
): SiteNames {
  const hostname = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : ''
  const labels = hostname.split('.').slice(0, -1).map(lettersOf)
  const host = labels.join('')
  const given = [
    propertyOf(page, 'og:site_name'),
    propertyOf(page, 'application-name'),
    hostname,
    ...siteHeading(page, full, headings, host),
    ...besideOpenGraph(full, openGraph, host),
  ]
  const names = new Set(given.map(lettersOf))
  names.delete('')
  return { names, host, labels: labels.filter(({ length }) => length >= LEAST_LABEL) }
}

/**
 * Where the `<title>` is two headings of the page, the latter, an h1, is the site's name: "Chapter - Book"; unless the former
 * is what its host is called.
 */
function siteHeading(page: HtmlRuns, full: string, headings: readonly string[], host: string): string[] {
  const last = [...full.matchAll(SEPARATOR)].at(-1)
  if (last === undefined) return []
  const title = lettersOf(full.slice(0, last.index))
  const tail = lettersOf(full.slice(last.index + last[0].length))
  if (isInHost(title, host)) return []
  const isTitleSaid = [...headings, ...headingsOf(page, 'h2')].some((heading) => lettersOf(heading) === title)
  return isTitleSaid ? headings.filter((heading) => lettersOf(heading) === tail) : []
}

/** What a `<title>` says before or after what Open Graph says is the site's: "Blog: Article"; unless that is the site itself. */
function besideOpenGraph(full: string, openGraph: string, host: string): string[] {
  const own = lettersOf(openGraph)
  if (own === '' || isInHost(own, host)) return []
  return [...full.matchAll(SEPARATOR)].flatMap(({ 0: { length }, index }) => {
    const before = full.slice(0, index)
    const after = full.slice(index + length)
    if (lettersOf(after) === own) return [before]
    return lettersOf(before) === own ? [after] : []
  })
}

/** Whether this is what the page calls its site. */
export function isSiteName(part: string, { names, host }: SiteNames): boolean {
  const letters = lettersOf(part)
  if (letters === '') return false
  return names.has(letters) || letters === host || isInHost(letters, host)
}

const isInHost = (letters: string, host: string): boolean =>
  letters.length >= LEAST_SITE_NAME && (host.startsWith(letters) || host.endsWith(letters))

/** Whether what a title ends with names its site. */
function endsWithSite(tail: string, separator: string, site: SiteNames): boolean {
  if (isSiteName(tail, site)) return true
  const letters = lettersOf(tail)
  // After a colon stands what the title is about.
  if (separator.includes(':')) return false
  return site.labels.some((label) => letters.startsWith(label) || letters.endsWith(label))
}

/** A title without the names of its site at its ends. */
export function withoutSite(title: string, site: SiteNames): string {
  let own = title
  for (let names = 0; names < MOST_SITE_NAMES; names++) {
    const separators = [...own.matchAll(SEPARATOR)]
    const first = separators[0]
    const last = separators.at(-1)
    if (first === undefined || last === undefined) break
    if (last.index > 2 && endsWithSite(own.slice(last.index + last[0].length), last[0], site))
      own = own.slice(0, last.index)
    else if (first.index < own.length / 2 && isSiteName(own.slice(0, first.index), site))
      own = own.slice(first.index + first[0].length)
    else break
  }
  return own.trim()
}
