// Reading what engines answer: entries that may be damaged, titles with mark-up, dates in several spellings, and pages
// of hits that must be asked for one by one.
import { decodeHTML } from 'entities'
import { z } from 'zod'
import { ProviderError, type ProviderQuery, type SearchHit } from './provider.ts'
import { type SpellingLimits, spellQueries } from './query-syntax.ts'
import { isOnAskedDomains, normalizeUrl, uniqueHits } from './hit-urls.ts'

/** Answers are untrusted: nothing longer than this is carried along, and of more entries than any engine gives none is read. */
const ENTRIES_READ_MAX = 200
const TITLE_CHARACTERS_MAX = 500
const EXCERPT_CHARACTERS_MAX = 2_000

/**
 * Checks an engine's answer against what it documents.
 * @throws {ProviderError} `bad_answer`, naming the first field that is wrong but never its value.
 */
export function readAnswer<T>(provider: string, schema: z.ZodType<T>, answer: unknown): T {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  const path = result.error.issues[0]?.path.join('.') ?? ''
  throw new ProviderError(provider, 'bad_answer', `the answer has not the documented shape (at "${path}")`)
}

/**
 * Turns each entry into a hit and leaves out the damaged ones: one bad entry must not cost the others.
 * @throws {ProviderError} `bad_answer` when there are entries and every one of them is damaged, or leads to no page of the
 * web: an empty list would say that the engine found nothing.
 */
export function readHits<T>(
  provider: string,
  entries: readonly unknown[],
  schema: z.ZodType<T>,
  toHit: (entry: T) => SearchHit,
): SearchHit[] {
  const hits = entries.slice(0, ENTRIES_READ_MAX).flatMap((entry) => {
    const result = schema.safeParse(entry)
    return result.success ? [bounded(toHit(result.data))] : []
  })
  if (entries.length > 0 && hits.length === 0) {
    throw new ProviderError(provider, 'bad_answer', 'no entry of the answer has the documented shape')
  }
  if (hits.length > 0 && hits.every(({ url }) => normalizeUrl(url) === null)) {
    throw new ProviderError(provider, 'bad_answer', 'no entry of the answer has the address of a page')
  }
  return hits
}

/** Where an engine's entries hold what a hit is made of. */
export interface EntryMembers {
  url: string
  title: string
  /** Left out where the engine gives none. */
  excerpt?: string
  /** Where a date may stand, the best first. */
  dates: readonly string[]
  /** Title and excerpt are HTML fragments. */
  isMarkup: boolean
}

/** An address makes a hit, and a title is shown of it: whatever else is of a wrong type is left out. */
const memberSchema = z.union([z.string(), z.number()]).nullish()
const lesserSchema = memberSchema.catch(null)

/**
 * Makes `readHits` for entries that hold everything in members of their own. Make it once for each engine: a schema is
 * compiled when it first reads something.
 */
export function createEntryReader(
  provider: string,
  members: EntryMembers,
): (entries: readonly unknown[]) => SearchHit[] {
  const lesser = [members.excerpt ?? [], members.dates].flat()
  const schema = z.looseObject({
    ...Object.fromEntries(lesser.map((name) => [name, lesserSchema])),
    [members.title]: memberSchema,
    [members.url]: z.string().min(1),
  })
  const show = members.isMarkup ? plainText : (text: string): string => text
  const toHit = (entry: z.output<typeof schema>): SearchHit => {
    const textOf = (name: string): string => show(String(entry[name] ?? ''))
    const dates = members.dates.map((name) => readDate(memberSchema.parse(entry[name])))
    return {
      url: String(entry[members.url]),
      title: textOf(members.title),
      publishedAt: dates.find((date) => date !== null) ?? null,
      excerpt: members.excerpt === undefined ? null : textOf(members.excerpt) || null,
    }
  }
  return (entries) => readHits(provider, entries, schema, toHit)
}

const bounded = (hit: SearchHit): SearchHit => ({
  ...hit,
  title: beginning(oneLine(hit.title), TITLE_CHARACTERS_MAX),
  excerpt: hit.excerpt === null ? null : beginning(hit.excerpt, EXCERPT_CHARACTERS_MAX),
})

/** A title stands in lists and terminals: no character in it may break a line or steer what shows it. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

/** Engines cut within characters, too: strict readers of JSON refuse an answer that holds half of one. */
const beginning = (text: string, charactersMax: number): string =>
  text.slice(0, charactersMax).replace(/\p{Cs}/gu, '\ufffd')

/** HTML fragments (`<b>`, `&amp;`) as the plain text they show. */
export function plainText(html: string): string {
  return decodeHTML(html.replace(/<\/?[a-z][^<>]*>/giu, ''))
    .replace(/\s+/gu, ' ')
    .trim()
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/u

/**
 * ISO 8601 of a date in ISO, `YYYY-MM-DD HH:MM:SS+0000`, English (`Mar 3, 2024`, RFC 5322) or epoch seconds; else null.
 * A date stays a date: its time and zone are not invented.
 */
export function readDate(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return value > 0 ? isoOrNull(value * 1_000) : null
  const match = DATE_TIME.exec(value.trim())
  if (match === null) return readEnglishDate(value)
  const [, day = '', time, zone] = match
  // The parser takes the 30th of February for the 1st of March.
  if (isoOrNull(Date.parse(day))?.startsWith(day) !== true) return null
  return time === undefined ? day : isoOrNull(Date.parse(`${day}T${time}${withColon(zone)}`))
}

const withColon = (zone: string | undefined): string =>
  zone === undefined ? 'Z' : zone.replace(/^([+-]\d{2})(\d{2})$/u, '$1:$2')

function isoOrNull(epochMs: number): string | null {
  const date = new Date(epochMs)
  if (Number.isNaN(date.getTime())) return null
  const iso = date.toISOString()
  // Beyond four digits a year has a sign before it, and no longer sorts as text.
  return /^\d/u.test(iso) ? iso.replace('.000Z', 'Z') : null
}

/** Only with a named month and a year of four digits, so that "5" or "12/11/10" is never taken for a date. */
function readEnglishDate(text: string): string | null {
  if (!/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/iu.test(text) || !/\b\d{4}\b/u.test(text))
    return null
  const hasTime = /\d:\d\d/u.test(text)
  const epochMs = Date.parse(hasTime ? text : `${text} UTC`)
  if (Number.isNaN(epochMs)) return null
  return hasTime ? isoOrNull(epochMs) : new Date(epochMs).toISOString().slice(0, 10)
}

/** What an engine found beyond what was asked for is kept so far: the pipeline chooses by title and excerpt. */
const HITS_KEPT_MAX = 30

/**
 * Asks for one page of hits after the other, only as long as fewer than `query.needed` are on the asked domains: first
 * every spelling of the question (`spellQueries`) for its first page (0), then each for its next one. A spelling whose
 * page brings nothing new is done, and beyond one page each there are `pagesMax` - 1 further requests in all. A request
 * that fails after others succeeded ends the list: what was found is worth more than the rest. Gives different hits, those
 * of each request after those of the ones before it, so that asking for more changes nothing of what came first.
 * @throws whatever the first request throws.
 */
export async function collectTexts(
  query: ProviderQuery,
  { spelling, pagesMax }: { spelling: SpellingLimits; pagesMax: number },
  askPage: (text: string, pageIndex: number) => Promise<SearchHit[]>,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  return collectLists(query, spellQueries(query, spelling), pagesMax, askPage, signal)
}

/** As `collectTexts`, for an engine that takes the question as it is. */
export const collectPages = (
  query: ProviderQuery,
  pagesMax: number,
  askPage: (pageIndex: number) => Promise<SearchHit[]>,
  signal: AbortSignal,
): Promise<SearchHit[]> =>
  collectLists(query, [query.text], pagesMax, (_, pageIndex) => askPage(pageIndex), signal)

async function collectLists(
  query: ProviderQuery,
  texts: readonly string[],
  pagesMax: number,
  askPage: (text: string, pageIndex: number) => Promise<SearchHit[]>,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const lists = texts.map((text) => ({ text, isDone: false }))
  let hits: readonly SearchHit[] = []
  const found = (): SearchHit[] => hits.slice(0, Math.max(query.count, HITS_KEPT_MAX))
  const isEnough = (): boolean =>
    found().filter(({ url }) => isOnAskedDomains(url, query)).length >= Math.min(query.needed, query.count)
  const requestsMax = texts.length + pagesMax - 1
  let asked = 0
  for (let pageIndex = 0; pageIndex < pagesMax; pageIndex += 1) {
    for (const list of lists) {
      if (list.isDone) continue
      if (asked > 0 && (isEnough() || asked === requestsMax)) return found()
      try {
        const grown = uniqueHits([...hits, ...markRequest(await askPage(list.text, pageIndex), asked)])
        list.isDone = grown.length === hits.length
        hits = grown
      } catch (error) {
        if (asked === 0 || signal.aborted || !(error instanceof ProviderError)) throw error
        return found()
      }
      asked += 1
    }
  }
  return found()
}

const markRequest = (hits: readonly SearchHit[], requestsBefore: number): readonly SearchHit[] =>
  requestsBefore === 0 ? hits : hits.map((hit) => ({ ...hit, requestsBefore }))
