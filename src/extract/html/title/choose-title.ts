// The title of an HTML page: its own words, without the name of the site. A heading that says what the `<title>` or
// `og:title` says is the page's own wording of it.
import type { HtmlRuns } from '../collector/collector.ts'
import { isSiteName, type SiteNames, siteNamesOf, withoutSite } from './site-names.ts'
import { headingsOf, lettersOf, LONGEST_TITLE, propertyOf, sharedOf, tidy, wordsOf } from './title-sources.ts'

/** Separators that no title has within itself; before them stands enough to be one. */
const BAR = / [|»«·•] /u
const LEAST_BEFORE_BAR = 6
const BAR_OR_DASH = / [|»«·•–—-] /u
/** What pages are called that have no name of their own, as `lettersOf` gives it. */
const FRONT_PAGE: ReadonlySet<string> = new Set(
  'home homepage index indexpage frontpage startseite start accueil inicio início homepagina домашняястраница главная 首页 ホーム'.split(
    ' ',
  ),
)
/** How much a heading must have in common with the title to be one: see `agreementOf`. */
const LEAST_AGREEMENT = 0.85
const MOST_AGREEMENT = 2
/** What a heading loses that the `<title>` ends with: it may be the site's name. */
const TAIL_PENALTY = 0.4
/** The only heading of an article is its headline, whatever is written for search engines, when it says enough… */
const LEAST_HEADLINE_WORDS = 6
/** …and some of the same. */
const LEAST_SHARED_WORDS = 2
/** In the title: a shorter one may be part of a heading by chance. */
const LEAST_LABELLED_WORDS = 2
const MOST_LABEL_WORDS = 1
const SPACED = /(?<!\S)\S{0,9}[\p{L}\p{N}]/gu
const LETTERS = /\p{L}[\p{L}\p{M}'’]*/gu
const QUOTED = /["“”„«»「『]/u

/**
 * The title of a page at `url`, at most 300 characters. Null when it has neither `<title>`, `og:title` nor an h1.
 * Linear in the length of the headings.
 */
export function chooseTitle(page: HtmlRuns, url: string): string | null {
  const full = tidy(page.head.title())
  const openGraph = tidy(propertyOf(page, 'og:title'))
  const headings = headingsOf(page, 'h1')
  const site = siteNamesOf(page, url, { full, openGraph, headings })
  const own = withoutSite(full, site)
  const ownOpenGraph = withoutSite(openGraph, site)
  const heading =
    agreeingHeading(headings, [ownOpenGraph, own], full, site) ?? headlineOf(page, headings, own)
  const given = full === '' || full.includes(ownOpenGraph) ? ownOpenGraph || own : own
  const chosen =
    heading === null
      ? ((beforeBar(given) || headings[0]) ?? '')
      : withoutSite(withoutLabel(heading, ownOpenGraph, full), site)
  const named = nameOfFrontPage(isFrontPage(chosen) ? full : chosen)
  return named === '' ? null : named.slice(0, LONGEST_TITLE)
}

const isFrontPage = (part: string): boolean => FRONT_PAGE.has(lettersOf(part))

/** A front page is called what its site is: "Home | The Hive". Any other title is left as it is. */
function nameOfFrontPage(title: string): string {
  const parts = title.split(BAR_OR_DASH)
  if (!parts.some(isFrontPage)) return title
  return parts.find((part) => !isFrontPage(part) && lettersOf(part) !== '') ?? title
}

function beforeBar(title: string): string {
  const [first = ''] = title.split(BAR)
  return first.length >= LEAST_BEFORE_BAR ? first : title
}

/**
 * A heading without the label that stands before the title which both others give, such as "Details about" for those
 * who are read to or a section's name, or without the word or number after it. More words after it are a subtitle, and
 * what is quoted before it belongs to it.
 */
function withoutLabel(heading: string, openGraph: string, full: string): string {
  const title = lettersOf(openGraph)
  const whole = lettersOf(full)
  if (whole.includes(lettersOf(heading)) || !whole.includes(title)) return heading
  if (wordsOf(openGraph).size < LEAST_LABELLED_WORDS) return heading
  for (const { index } of heading.matchAll(SPACED)) {
    const [before, after] = [heading.slice(0, index).trimEnd(), heading.slice(index)]
    if (lettersOf(after) === title && !QUOTED.test(before)) return after
    if (lettersOf(before) === title && (after.match(LETTERS)?.length ?? 0) <= MOST_LABEL_WORDS) return before
  }
  return heading
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
 * 0..2: 2 for the same words as Open Graph's title, the first of `titles`, and a little less for those of another; else the share of the shorter one's words that both have, and half the share among all
 * words of both.
 */
function agreementOf(heading: string, titles: readonly string[], full: string): number {
  const letters = lettersOf(heading)
  const same = titles.findIndex((title) => lettersOf(title) === letters)
  if (same !== -1) return same === 0 ? MOST_AGREEMENT : MOST_AGREEMENT - 0.1
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

/** The headline of a page that says that it is an article and has one h1. */
function headlineOf(page: HtmlRuns, headings: readonly string[], title: string): string | null {
  const [heading] = headings
  if (heading === undefined || headings.length > 1 || !isArticle(page)) return null
  const words = wordsOf(heading)
  const says = words.size >= LEAST_HEADLINE_WORDS && sharedOf(words, wordsOf(title)) >= LEAST_SHARED_WORDS
  return says ? heading : null
}

const isArticle = (page: HtmlRuns): boolean =>
  propertyOf(page, 'og:type') === 'article' || page.head.jsonLd.some((script) => ARTICLE.test(script))

const ARTICLE = /"@type"\s{0,9}:\s{0,9}\[?\s{0,9}"(?:[A-Za-z]{0,20}Article|BlogPosting)"/u
