// Gathers every date an HTML page gives, each with a trust: JSON-LD, meta, microdata, <time>, address, bylines.
import { DATE_CUE, type DateMark, isAside, isInFooter } from '../html/date-markup.ts'
import { type DateReading, findDate, mayHoldDate, type ParsedDate, parseStamp } from './parse-date.ts'
import type { DateSource } from '../document.ts'
import type { HtmlRuns } from '../html/parse-html.ts'
import type { HtmlRun } from '../html/text-runs.ts'
import type { HtmlElement } from '../html/element-tree.ts'

export interface DateCandidate {
  date: ParsedDate
  kind: 'published' | 'modified' | 'any'
  /** 0 to 10; tuned on saved pages whose dates are known. */
  trust: number
  source: DateSource
  /** From the path of the address, /2024/05/01/. */
  isPath?: true
}

type Add = (date: ParsedDate | null, kind: DateCandidate['kind'], trust: number, source: DateSource) => void

/** Every date found on the page. `reading` refuses impossible and future ones. */
export function gatherDates(page: HtmlRuns, url: string, reading: DateReading): DateCandidate[] {
  const candidates: DateCandidate[] = []
  const mostTrust = { published: 0, modified: 0, any: 0 }
  const add: Add = (date, kind, trust, source) => {
    if (date === null) return
    candidates.push({ date, kind, trust, source })
    mostTrust[kind] = Math.max(mostTrust[kind], trust)
  }
  const heading = headingOf(page)
  addProperties(page, reading, add)
  for (const script of page.head.jsonLd) addJsonLd(script, reading, add)
  for (const mark of page.dates.marks) addMark(mark, heading, reading, add)
  candidates.push(...datesInUrl(url, reading))
  for (let index = 0; index < page.runs.length; index++) {
    const run = page.runs[index]
    if (run === undefined || !mayBeByline(run.text)) continue
    const kind = kindOfByline(run)
    const trust = trustInRun(run, index, heading)
    // Reading a date out of prose is dear, and a less trusted one is never chosen.
    if (trust > mostTrust[kind]) add(findDate(run.text, reading), kind, trust, 'byline')
  }
  return candidates
}

interface Heading {
  /** -1 when the page has none. */
  readonly run: number
  readonly element: HtmlElement | null
}

/** The h1 that the page's title speaks of, else its first one: that may be the site's name. */
function headingOf(page: HtmlRuns): Heading {
  const title = page.head.title().toLowerCase()
  let first = -1
  for (const [index, { element, text }] of page.runs.entries()) {
    if (!hasAbove(element, 'h1')) continue
    if (first === -1) first = index
    if (title.includes(text.toLowerCase())) return { run: index, element }
  }
  return { run: first, element: page.runs[first]?.element ?? null }
}

function hasAbove(element: HtmlElement, name: string): boolean {
  for (let at: HtmlElement | null = element; at !== null; at = at.parent) if (at.name === name) return true
  return false
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const PUBLISHED_PROPERTIES = names(
  'article:published_time article:published og:published_time og:article:published_time datepublished date_published ' +
    'publishdate publish_date pubdate publication_date published_date published published_time dc.date dcterms.date ' +
    'dc.date.issued dcterms.issued dc.date.created dcterms.created dcterms.dateaccepted date sailthru.date ' +
    'parsely-pub-date article.published article:post_date cxenseparse:recs:publishtime cxenseparse:publishtime ' +
    'citation_publication_date citation_date citation_online_date rnews:datepublished bt:pubdate ' +
    'article_date_original originalpublicationdate created datecreated displaydate dcsext.articlefirstpublished ' +
    'shareaholic:article_published_time vr:published_time weibo:article:create_at hdl_p pdate timestamp dc:date ' +
    'dc:created release_date og:pubdate og:regdate article:create date.created dc.created ptime ' +
    'prism.publicationdate article:pubdate wcm:publishdate video:release_date og:publish_date gentics:publishdate ' +
    'content_create_date',
)
const MODIFIED_PROPERTIES = names(
  'article:modified_time article:modified og:updated_time datemodified last-modified lastmod lastmodified modified ' +
    'modified_time dcterms.modified dc.date.modified dc.modified updated updated_time article:updated_time ' +
    'revision_date last_updated lastupdated cxenseparse:modificationtime sailthru.updated bt:moddate ' +
    'shareaholic:article_modified_time article:updated date.updated og:modified_time last_modified utime dateupdate ' +
    'dcterms.updated',
)

/** Some sites write hyphens where others write underscores. */
function spelled(name: string): string {
  if (!name.includes('-') || PUBLISHED_PROPERTIES.has(name) || MODIFIED_PROPERTIES.has(name)) return name
  return name.replaceAll('-', '_')
}

function addProperties(page: HtmlRuns, reading: DateReading, add: Add): void {
  for (const [given, value] of page.head.properties) {
    const name = spelled(given)
    if (PUBLISHED_PROPERTIES.has(name)) {
      const trust = name.startsWith('article:pub') || name === 'datepublished' ? 9 : name === 'date' ? 7 : 8
      add(parseStamp(value, reading), 'published', trust, 'meta')
    } else if (MODIFIED_PROPERTIES.has(name)) {
      add(parseStamp(value, reading), 'modified', name === 'last-modified' ? 4 : 8, 'meta')
    }
  }
}

const DEEPEST_JSON_LD = 6
const MOST_JSON_LD_NODES = 5_000
const MINOR_TYPE = /comment|review|imageobject|person|organization|breadcrumb|itemlist|listitem|offer/i
const MINOR_KEY = /comment|review|image|itemListElement|author|publisher/i
const ARTICLE_TYPE = /article|posting|report/i
const PAGE_TYPE = /webpage|discussion|qapage|question|recipe|video|howto|faq/i

function addJsonLd(script: string, reading: DateReading, add: Add): void {
  let budget = MOST_JSON_LD_NODES
  const walk = (value: unknown, depth: number, key: string): void => {
    if (typeof value !== 'object' || value === null || depth > DEEPEST_JSON_LD || budget-- <= 0) return
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1, key)
      return
    }
    const node = new Map<string, unknown>(Object.entries(value))
    addJsonLdNode(node, depth, key, reading, add)
    for (const [name, child] of node) if (name !== '@context') walk(child, depth + 1, name)
  }
  try {
    walk(JSON.parse(script), 0, '')
  } catch {
    // Broken JSON-LD is common (line breaks inside strings): the two properties can be read all the same.
    const published = /"datePublished"\s{0,9}:\s{0,9}"([^"]{4,60})"/.exec(script)?.[1]
    const modified = /"dateModified"\s{0,9}:\s{0,9}"([^"]{4,60})"/.exec(script)?.[1]
    if (published !== undefined) add(parseStamp(published, reading), 'published', 8.5, 'json-ld')
    if (modified !== undefined) add(parseStamp(modified, reading), 'modified', 8.5, 'json-ld')
  }
}

function addJsonLdNode(
  node: ReadonlyMap<string, unknown>,
  depth: number,
  key: string,
  reading: DateReading,
  add: Add,
): void {
  const type = textOf(node.get('@type')) ?? ''
  const isMinor = MINOR_TYPE.test(type) || MINOR_KEY.test(key)
  const trust = isMinor ? 1.5 : ARTICLE_TYPE.test(type) ? 10 : PAGE_TYPE.test(type) ? 9 - depth * 0.1 : 7
  const created = isMinor ? null : textOf(node.get('dateCreated'))
  const published = textOf(node.get('datePublished')) ?? created ?? textOf(node.get('uploadDate'))
  const modified = textOf(node.get('dateModified'))
  if (published !== null) add(parseStamp(published, reading), 'published', trust, 'json-ld')
  if (modified !== null) add(parseStamp(modified, reading), 'modified', trust, 'json-ld')
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join(' ')
  return null
}

function addMark(mark: DateMark, heading: Heading, reading: DateReading, add: Add): void {
  const date = parseStamp(mark.value, reading)
  const aside = isAside(mark.element, heading.element)
  if (mark.from === 'property') add(date, mark.kind, aside ? 2 : 8, 'meta')
  else if (mark.from === 'data-attribute') add(date, 'any', aside ? 0.5 : 3, 'time-element')
  else {
    const trust = heading.run >= 0 && mark.runIndex > heading.run ? 6.5 : 6
    add(date, mark.kind, aside ? 1 : trust, 'time-element')
  }
}

const DATED_PATH = /\/((?:19|20)\d\d)[/-](0[1-9]|1[0-2]|[1-9])[/-](0[1-9]|[12]\d|3[01]|[1-9])(?=[/_.-]|$)/
/** /2023/october/03/, /2023/oct/3/ */
const MONTH_PATH =
  /\/((?:19|20)\d\d)\/(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\/(0[1-9]|[12]\d|3[01]|[1-9])(?=[/_.-]|$)/i
const DATED_NAME = /[/_-]((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?=\D|$)/
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const LONGEST_URL = 2_000

function datesInUrl(url: string, reading: DateReading): DateCandidate[] {
  const address = url.slice(0, LONGEST_URL)
  const path = DATED_PATH.exec(address) ?? MONTH_PATH.exec(address)
  const match = path ?? DATED_NAME.exec(address)
  if (match === null) return []
  const [, year = '', month = '', day = ''] = match
  const number = /^\d/.test(month) ? month : String(MONTHS.indexOf(month.toLowerCase()) + 1)
  const date = findDate([year, number, day].join('-'), reading)
  if (date === null) return []
  const candidate: DateCandidate = {
    date,
    kind: 'published',
    trust: path === null ? 6.8 : 7.5,
    source: 'url',
  }
  return [path === null ? candidate : { ...candidate, isPath: true }]
}

const LONGEST_BYLINE_CHARACTERS = 300
const LONGEST_BYLINE_WORDS = 30
const SAYS_MODIFIED =
  /updat|modif|aktualis|geändert|mis à jour|actualiz|aggiornat|atualiz|更新|обновл|gewijzigd|bijgewerkt|last edit|edited|güncelle|revised|reviewed/i
const SAYS_PUBLISHED =
  /publi|posted|veröffentlicht|erstellt|created|pubbl|发布|發佈|发表|опублик|stand\b|datum|date|geplaatst|eingestellt|vom\b|on\b|am\b|le\b|écrit|written/i
const SAYS_SOMETHING_ELSE = /©|copyright|seit |since |geboren|born|event|termin|bis |– ?\d/i

const mayBeByline = (text: string): boolean =>
  text.length >= 4 &&
  text.length <= LONGEST_BYLINE_CHARACTERS &&
  mayHoldDate(text) &&
  countWords(text) <= LONGEST_BYLINE_WORDS

const countWords = (text: string): number => text.split(' ').length

const kindOfByline = (run: HtmlRun): 'published' | 'modified' =>
  (run.dateCues & DATE_CUE.modified) !== 0 || SAYS_MODIFIED.test(run.text.slice(0, 80))
    ? 'modified'
    : 'published'

function trustInRun(run: HtmlRun, index: number, heading: Heading): number {
  const words = countWords(run.text)
  let trust = trustByCues(run, words)
  const afterHeading = heading.run < 0 ? null : index - heading.run
  if (afterHeading !== null && afterHeading >= 0 && afterHeading <= 8) trust += 0.9
  else if (afterHeading !== null && afterHeading < 0 && afterHeading >= -5) trust += 0.6
  trust -= Math.min(1, index / 300)
  if (words > 12) trust -= 1
  if (isAside(run.element, heading.element)) trust -= 3
  if (isInFooter(run.element)) trust -= 1.5
  if (SAYS_SOMETHING_ELSE.test(run.text)) trust -= 1.5
  return trust
}

function trustByCues(run: HtmlRun, words: number): number {
  const cues = run.dateCues
  if ((cues & (DATE_CUE.published | DATE_CUE.modified)) !== 0) return 8
  if ((cues & DATE_CUE.timeElement) !== 0) return 5.5
  if ((cues & DATE_CUE.dateClass) !== 0) return 5
  if ((cues & DATE_CUE.bylineClass) !== 0) return 4.2
  if (SAYS_PUBLISHED.test(run.text.slice(0, 60))) return 3.6
  return words <= 6 ? 3 : 2
}
