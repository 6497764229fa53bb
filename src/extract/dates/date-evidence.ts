// Gathers every date an HTML page gives, each with a trust: JSON-LD, meta, microdata, <time>, address, bylines.
import { type DateMark, isAside } from '../html/date-markup.ts'
import { readByline, SHOWN_TRUST } from './bylines.ts'
import { type DateReading, findDate, type ParsedDate, parseStamp } from './parse-date.ts'
import type { DateSource } from '../document.ts'
import type { HtmlRuns } from '../html/collector/collector.ts'
import { type Heading, headingOf } from './page-heading.ts'

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
  // Reading a date out of prose is dear, and a less trusted one is never chosen.
  const leastTrust = { published: Math.min(SHOWN_TRUST, mostTrust.published), modified: mostTrust.modified }
  for (const [index, run] of page.runs.entries()) {
    const byline = readByline(run, index, heading)
    if (byline === null || byline.trust <= leastTrust[byline.kind]) continue
    const date = findDate(byline.text, reading)
    add(date, byline.kind, byline.trust, 'byline')
    if (date !== null) leastTrust[byline.kind] = byline.trust
  }
  return candidates
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

/** What sites name after their own fashion: "photos:uploaded", "news_publish_time". */
const PUBLISHED_NAME = /(?:publish|upload|creat|post)(?:ed|ion)?(?:[-_:.]?(?:at|on|date|time))?$/

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
    } else if (PUBLISHED_NAME.test(name)) add(parseStamp(value, reading), 'published', 6, 'meta')
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
  else add(date, mark.kind, aside ? 1 : trustOfTime(mark, heading), 'time-element')
}

/** In a masthead, far above the heading, stands the time at which the page was sent. */
function trustOfTime({ runIndex }: DateMark, { run }: Heading): number {
  if (run < 0) return 6
  if (runIndex > run) return 6.5
  return runIndex < run - MASTHEAD_RUNS ? 3 : 6
}

const MASTHEAD_RUNS = 5

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
