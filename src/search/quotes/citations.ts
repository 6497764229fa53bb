// Which source an answer names for what it says: [1], [^1], 【1】, superscript numbers, Markdown links and bare addresses.
import { normalizeUrl, urlKey } from '../../providers/hit-urls.ts'
import type { TextSpan } from '../../score/passage.ts'

export interface Citation extends TextSpan {
  /** Indexes into the sources, in the order they are named. */
  sources: readonly number[]
}

export interface CitedSource {
  /** Null for a text that is known by its digest alone. */
  url: string | null
}

/** "Source: …" in the languages that search covers best. */
export const SOURCE_LABEL = String.raw`(?:sources?|docs?|documents?|quellen?|fuentes?|fontes?|font[ei]|bron(?:nen)?|źródł[oa]|источники?|來源|来源|出典|出处|출처|المصدر)`

/** Behind a unit, a variable or a short number small digits are a power: "40 km²", "mc²", "10⁶". */
const NUMBERED = new RegExp(
  [
    String.raw`(?:[[［〔]\^?(?:${SOURCE_LABEL}\s?[:：]?\s?)?|[(（]${SOURCE_LABEL}\s?[:：]?\s?)(\d{1,3}(?:\s?[,;–-]\s?\^?\d{1,3})*)\^?[\]］〕)）](?!\(|:)`,
    String.raw`【(\d{1,3})[^【】\n]*】`,
    String.raw`(?<!(?<!\p{L})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]{1,2}|(?<!\d)\d{1,2}|[⁰¹²³⁴-⁹⁺⁻])([⁰¹²³⁴-⁹]{1,3})`,
  ].join('|'),
  'giu',
)
const LINKED =
  /\[[^\][\n]*\]\((https?:\/\/[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s[^()\n]*)?\)|<(https?:\/\/[^\s<>]+)>|(?<![(<\]])(https?:\/\/[^\s<>()[\]"'“”«»]+)|\((https?:\/\/[^\s()]+)\)/gu
const REFERENCED = /\[([^\][\n]{1,300})\]\[([^\][\n]{0,100})\]|\[\^([^\][\n]{1,60})\](?!:)/gu
/**
 * "[1]: https://…", "[^note]: see https://…", "[1] Title, https://…", "1. https://…": lines that say what a mark means.
 */
const DEFINITION =
  /^[ \t]*(?:\[\^?([^\][\n\r]{1,60})\]:?|(\d{1,3})[.)])[ \t].*?(https?:\/\/[^\s<>"'()]+(?:\([^\s()]*\))?)/gmu
/** "(example.org)", "(Quelle: example.org, 2024)": a word in front says in any language that it is a source. */
const DOMAIN =
  /[(（](?:[^\s()（）:：.]{1,12}\s?[:：]\s?)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?:\/[^\s()（）,]*)?(?:,[^()（）\n]*)?[)）]/giu
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Where definitions stand: they are no statements. */
export interface AnswerCitations {
  citations: readonly Citation[]
  definitions: readonly TextSpan[]
}

/** One for all ways to write the address of a page: models append `utm_source` to theirs, and HTML writes `&amp;`. */
function addressKey(address: string): string {
  const url = normalizeUrl(address.replace(/(?<![.,;:!?])[.,;:!?]+$/u, '').replaceAll('&amp;', '&'))
  return url === null ? address.toLowerCase() : urlKey(url)
}

/** Time in proportion to the answer. A mark that names none of the sources is no citation. */
export function findCitations(answer: string, sources: readonly CitedSource[]): AnswerCitations {
  const byAddress = new Map(
    sources.flatMap(({ url }, index) => (url === null ? [] : ([[addressKey(url), index]] as const))),
  )
  const byName = new Map<string, number>()
  const definitions: TextSpan[] = []
  const marks = [...answer.matchAll(NUMBERED)]
  for (const match of answer.matchAll(DEFINITION)) {
    const line = { start: match.index, end: lineEnd(answer, match.index) }
    if (match[2] !== undefined && isListedQuote(answer, line, Number(match[2]), marks)) continue
    const source = byAddress.get(addressKey(match[3] ?? ''))
    definitions.push(line)
    if (source !== undefined) byName.set((match[1] ?? match[2] ?? '').toLowerCase(), source)
  }
  const isDefined = byName.size > 0
  const numbered = (text: string): number[] =>
    numbersOf(text).flatMap((number) => {
      const index = isDefined ? byName.get(String(number)) : number - 1
      return index !== undefined && index >= 0 && index < sources.length ? [index] : []
    })
  const isDefinition = (at: number): boolean => definitions.some(({ start, end }) => at >= start && at < end)
  const citations: Citation[] = []
  const add = (match: RegExpExecArray, cited: readonly number[]): void => {
    if (cited.length > 0 && !isDefinition(match.index))
      citations.push({ start: match.index, end: match.index + match[0].length, sources: cited })
  }
  for (const match of marks) add(match, numbered(numberOf(match)))
  for (const match of answer.matchAll(LINKED)) {
    const source = byAddress.get(addressKey(match[1] ?? match[2] ?? match[3] ?? match[4] ?? ''))
    add(match, source === undefined ? [] : [source])
  }
  for (const match of answer.matchAll(REFERENCED)) {
    const source = byName.get((match[3] ?? (match[2] || match[1]) ?? '').toLowerCase())
    if (source !== undefined) add(match, [source])
  }
  for (const match of answer.matchAll(DOMAIN)) add(match, sourceOfHost(sources, match[1] ?? ''))
  return { citations: withoutOverlaps(citations), definitions }
}

const numberOf = ([, bracket, lenticular, superscript]: RegExpExecArray): string =>
  bracket ?? lenticular ?? plainNumber(superscript ?? '')

const QUOTED = /["“”„«»‹›「『][^\n"“”„«»‹›「『」』]{10,}["”“«»‹›」』]/u

/** "1. “…” (https://…)" is an item of a list of quotes, unless the rest of the answer refers to it by its number. */
function isListedQuote(
  answer: string,
  { start, end }: TextSpan,
  item: number,
  marks: readonly RegExpExecArray[],
): boolean {
  const isNamed = marks.some(
    (mark) => (mark.index < start || mark.index >= end) && numbersOf(numberOf(mark)).includes(item),
  )
  return !isNamed && QUOTED.test(answer.slice(start, end))
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from + 1)
  return end === -1 ? text.length : end
}

const plainNumber = (superscript: string): string =>
  Array.from(superscript, (digit) => SUPERSCRIPTS.indexOf(digit)).join('')

/** "1, 3–5" as 1, 3, 4, 5; a range that runs away is cut. */
function numbersOf(text: string): number[] {
  return text.split(/[,;]/u).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[–-]/u).map((number) => Number(number.replace(/[^\d]/gu, '')))
    return Array.from({ length: Math.min(20, Math.max(1, to - from + 1)) }, (_, step) => from + step)
  })
}

/** The one source of a host; none when there are several. */
function sourceOfHost(sources: readonly CitedSource[], host: string): number[] {
  const wanted = host.toLowerCase().replace(/^www\./u, '')
  const found = [...sources.keys()].filter((index) => {
    const url = sources[index]?.url ?? null
    return url !== null && URL.canParse(url) && new URL(url).hostname.replace(/^www\./u, '') === wanted
  })
  return found.length === 1 ? found : []
}

function withoutOverlaps(citations: readonly Citation[]): Citation[] {
  const kept: Citation[] = []
  for (const citation of citations.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if ((kept.at(-1)?.end ?? 0) <= citation.start) kept.push(citation)
  return kept
}
