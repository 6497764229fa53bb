// How a question is spelled for an engine that knows only operators: domains as `site:`, and within its length limits.
import type { Recency } from '../contract.ts'
import type { ProviderQuery } from './provider.ts'

export interface SpellingLimits {
  /** The engine refuses longer queries; the caller's words are cut to fit. */
  charactersMax: number | null
  wordsMax: number | null
  /** Longer queries are split where there are several domains to ask for. At most `charactersMax`. */
  splitAtCharacters: number
  /** Several domains become at most this many queries. */
  queriesMax: number
  /** Engines without OR take one domain a query. */
  domainsPerQueryMax?: number
  /** False for engines that have no `-site:`. */
  excludes?: boolean
}

const countWords = (text: string): number => text.split(/\s+/u).filter(Boolean).length

/** `text` cut at a word's end so that it holds at most `characters` and `words`; a single longer word is cut anywhere. */
export function cutWords(text: string, characters: number, words: number): string {
  const kept: string[] = []
  let length = 0
  for (const word of text.split(/\s+/u).filter(Boolean)) {
    if (kept.length >= words || length + word.length > characters) break
    kept.push(word)
    length += word.length + 1
  }
  if (kept.length > 0 || words === 0) return kept.join(' ')
  const start = text.trim().slice(0, characters)
  return start.replace(/[\uD800-\uDBFF]$/u, '')
}

/** `text` cut at a word's end so that it takes at most `bytesMax` in an address, where a letter may take twelve. */
export function cutForAddress(text: string, bytesMax: number): string {
  let bytes = 0
  let characters = 0
  for (const character of text) {
    bytes += /[\w.~*-]/u.test(character) ? 1 : 3 * Buffer.byteLength(character)
    if (bytes > bytesMax) return cutWords(text, characters, Number.POSITIVE_INFINITY)
    characters += character.length
  }
  return text
}

const orOfSites = (domains: readonly string[]): string => {
  const sites = domains.map((domain) => `site:${domain}`).join(' OR ')
  return domains.length > 1 ? `(${sites})` : sites
}

/**
 * The query texts to send, one or several, whose answers together are the answer: `words (site:a OR site:b) -site:c`.
 * Every text keeps to the limits. Exclusions that do not fit are left to the pipeline, which checks them anyhow;
 * included domains beyond `queriesMax` full queries are not asked for.
 */
export function spellQueries(
  query: Pick<ProviderQuery, 'text' | 'includeDomains' | 'excludeDomains'>,
  limits: SpellingLimits,
): string[] {
  const charactersMax = limits.charactersMax ?? Number.POSITIVE_INFINITY
  const wordsMax = limits.wordsMax ?? Number.POSITIVE_INFINITY
  const longestSite = Math.max(0, ...query.includeDomains.map((domain) => orOfSites([domain]).length + 1))
  const reservedWords = query.includeDomains.length > 0 ? 1 : 0
  let words = fitText(query.text, charactersMax - longestSite, wordsMax - reservedWords)
  for (const domain of limits.excludes === false ? [] : query.excludeDomains) {
    const longer = `${words} -site:${domain}`
    const fits = longer.length + longestSite <= Math.min(charactersMax, limits.splitAtCharacters)
    if (fits && countWords(longer) + reservedWords <= wordsMax) words = longer
  }
  if (query.includeDomains.length === 0) return [words]
  const fits = (group: readonly string[], characters: number): boolean => {
    const text = `${words} ${orOfSites(group)}`
    return text.length <= characters && countWords(text) <= wordsMax
  }
  const domainsMax = limits.domainsPerQueryMax ?? query.includeDomains.length
  const groups = groupDomains(query.includeDomains, domainsMax, (group) =>
    fits(group, limits.splitAtCharacters),
  )
  if (groups.length <= limits.queriesMax) return groups.map((group) => `${words} ${orOfSites(group)}`)
  const evenly = Math.min(domainsMax, Math.ceil(query.includeDomains.length / limits.queriesMax))
  const widest = groupDomains(query.includeDomains, evenly, (group) => fits(group, charactersMax))
  return widest.slice(0, limits.queriesMax).map((group) => `${words} ${orOfSites(group)}`)
}

function fitText(text: string, characters: number, words: number): string {
  return text.length <= characters && countWords(text) <= words ? text : cutWords(text, characters, words)
}

/** Fills one group after the other with at most `domainsMax`, while `fits` holds. */
function groupDomains(
  domains: readonly string[],
  domainsMax: number,
  fits: (group: readonly string[]) => boolean,
): string[][] {
  const groups: string[][] = []
  let current: string[] = []
  for (const domain of domains) {
    const longer = [...current, domain]
    if (current.length > 0 && (longer.length > domainsMax || !fits(longer))) {
      groups.push(current)
      current = [domain]
    } else {
      current = longer
    }
  }
  groups.push(current)
  return groups
}

const RECENCY_DAYS: Readonly<Record<Recency, number>> = { day: 1, week: 7, month: 31, year: 366 }

/** The first moment of the window, for engines that take a date. Generous by a day where months and years vary. */
export function recencyStart(recency: Recency, now: Date = new Date()): Date {
  return new Date(now.getTime() - RECENCY_DAYS[recency] * 86_400_000)
}

/** `YYYY-MM-DD` in UTC. */
export const isoDay = (date: Date): string => date.toISOString().slice(0, 10)

/** "en" of "en-GB". */
export const primaryLanguage = (tag: string): string => (tag.split('-')[0] ?? tag).toLowerCase()

/** "at" of "de-AT" and "tw" of "zh-Hant-TW"; null when the tag names no region. */
export function regionOf(tag: string): string | null {
  const region = tag
    .split('-')
    .slice(1)
    .find((part) => /^[a-z]{2}$/iu.test(part))
  return region?.toLowerCase() ?? null
}
