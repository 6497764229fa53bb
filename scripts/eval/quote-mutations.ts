// Quotes made from real pages with a known truth: to the letter, set differently, cut and filled by the rules of quoting,
// attributed to the wrong page, falsified in six ways, or of another page. The same seed makes the same quotes.
import { createSentenceFinder } from '../../src/extract/passages/sentences.ts'
import { deniesSomething } from '../../src/search/quotes/parse-quote.ts'

export interface SourcePage {
  text: string
  /** ISO 639-1. */
  language: string
}

export const MUTATIONS = [
  'verbatim',
  'typography',
  'elision',
  'insertion',
  'wrong source',
  'number',
  'negation',
  'name',
  'words replaced',
  'words left out',
  'words put in',
  'absent',
] as const

export type Mutation = (typeof MUTATIONS)[number]

export interface MadeQuote {
  mutation: Mutation
  language: string
  quote: string
  /** Index of the page it was made from. */
  source: number
  /** Where it was made from; null when it is of no page. */
  truth: { start: number; end: number } | null
}

/** Mulberry32: small, and the same everywhere. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const WORDS = { min: 7, max: 45 } as const
const UNSPACED = { min: 14, max: 120 } as const
const UNSPACED_LANGUAGES = new Set(['zh', 'ja', 'th'])

const DENIALS: Readonly<Record<string, string>> = {
  en: 'not',
  de: 'nicht',
  fr: 'jamais',
  es: 'no',
  it: 'non',
  pt: 'não',
  nl: 'niet',
  pl: 'nie',
  ru: 'не',
  sv: 'inte',
  zh: '不',
  ja: 'ない',
}
/** Words to put where others stood: nothing that a page is likely to say there. */
const STRANGERS: Readonly<Record<string, readonly string[]>> = {
  zh: ['鲸鱼', '灯塔', '菠萝'],
  ja: ['クジラ', '灯台', '鯨'],
  ru: ['кашалот', 'ананас', 'маяками'],
}
const LATIN_STRANGERS = ['zebrafish', 'quokka', 'marzipan', 'obelisk', 'tuba']

interface Sentence {
  page: number
  start: number
  end: number
  text: string
  language: string
}

function sentencesOf(pages: readonly SourcePage[]): Sentence[] {
  return pages.flatMap(({ text, language }, page) =>
    createSentenceFinder(language)(text)
      .map(({ start, end }) => ({ page, start, end, text: text.slice(start, end), language }))
      .filter((sentence) => isQuotable(sentence)),
  )
}

const isUnspaced = (language: string): boolean => UNSPACED_LANGUAGES.has(language)

function isQuotable({ text, language }: Sentence): boolean {
  if (/[\n\t[\]…]|\.\.\./u.test(text) || !/\p{L}{3}/u.test(text)) return false
  if (isUnspaced(language))
    return text.length >= UNSPACED.min && text.length <= UNSPACED.max && !/[a-z]{3}/iu.test(text)
  const words = text.split(' ').length
  return words >= WORDS.min && words <= WORDS.max && /^\p{Lu}|^\p{N}/u.test(text)
}

/** `count` quotes; kinds take turns as far as the pages have sentences that fit. Pages are told from each other by index. */
export function makeQuotes(pages: readonly SourcePage[], count: number, seed: number): MadeQuote[] {
  const random = createRandom(seed)
  const byLanguage = new Map<string, Sentence[]>()
  for (const sentence of sentencesOf(pages)) {
    const list = byLanguage.get(sentence.language)
    if (list === undefined) byLanguage.set(sentence.language, [sentence])
    else list.push(sentence)
  }
  const languages = [...byLanguage.keys()].toSorted()
  const made: MadeQuote[] = []
  for (let turn = 0; made.length < count && turn < count * 60; turn++) {
    const mutation = MUTATIONS[turn % MUTATIONS.length] ?? 'verbatim'
    const language = languages[Math.floor(turn / MUTATIONS.length) % languages.length] ?? 'en'
    const sentences = byLanguage.get(language) ?? []
    const sentence = sentences[Math.floor(random() * sentences.length)]
    if (sentence === undefined) continue
    const quote = mutate(sentence, mutation, random)
    if (quote === null || quote.trim() === '') continue
    made.push({
      mutation,
      language,
      quote,
      source: sentence.page,
      truth: mutation === 'absent' ? null : { start: sentence.start, end: sentence.end },
    })
  }
  return made
}

const mutate = ({ text, language }: Sentence, mutation: Mutation, random: () => number): string | null =>
  mutateText(text, language, mutation, random)

/** A sentence mutated; null where it holds nothing to do it to. */
export function mutateText(
  text: string,
  language: string,
  mutation: Mutation,
  random: () => number,
): string | null {
  if (mutation === 'verbatim' || mutation === 'wrong source' || mutation === 'absent') return text
  if (mutation === 'typography') return setDifferently(text, random)
  if (mutation === 'number') return otherNumber(text, random)
  if (mutation === 'name') return otherName(text, random)
  return mutateWords(unitsOf(text, language), language, mutation, random)
}

/** The first whole number as a greater one; null where there is none. */
function otherNumber(text: string, random: () => number): string | null {
  const more = 1 + Math.floor(random() * 7)
  const after = text.replace(/(?<![\d.,])\d+(?![\d.,])/u, (digits) => String(Number(digits) + more))
  return after === text ? null : after
}

const unitsOf = (text: string, language: string): string[] =>
  isUnspaced(language) ? Array.from(text) : text.split(' ')

/** The first place from `at` on that is not within a number. */
function borderFrom(units: readonly string[], at: number): number {
  let border = at
  while (/^\d$/u.test(units[border - 1] ?? '') || /^\d$/u.test(units[border] ?? '')) border += 1
  return border
}

type WordMutation = 'elision' | 'insertion' | 'negation' | `words ${'replaced' | 'left out' | 'put in'}`

function mutateWords(
  units: readonly string[],
  language: string,
  mutation: WordMutation,
  random: () => number,
): string | null {
  const glue = isUnspaced(language) ? '' : ' '
  const scale = isUnspaced(language) ? 2 : 1
  const join = (...parts: readonly (readonly string[])[]): string => parts.flat().join(glue)
  const drawn = 2 * scale + Math.floor(random() * Math.max(1, units.length - 5 * scale))
  // Where words are not parted, a number may not be parted either.
  const from = glue === '' ? borderFrom(units, drawn) : drawn
  const strangers = STRANGERS[language] ?? LATIN_STRANGERS
  const stranger = strangers[Math.floor(random() * strangers.length)] ?? 'quokka'
  const few = scale * (1 + Math.floor(random() * 2))
  const elided = (): string | null => {
    const to = Math.min(units.length - 2 * scale, borderFrom(units, from + scale * 2))
    if (to <= from || deniesSomething(join(units.slice(from, to)))) return null
    return join(units.slice(0, from), [random() < 0.5 ? '[…]' : '[...]'], units.slice(to))
  }
  const inserted = (): string =>
    random() < 0.4 && /^\p{Lu}/u.test(units[0] ?? '')
      ? `[${(units[0] ?? '')[0]?.toLowerCase() ?? ''}]${join(units).slice(1)}`
      : join(units.slice(0, from), [`[${stranger}]`], units.slice(from))
  const makers: Readonly<Record<WordMutation, () => string | null>> = {
    elision: elided,
    insertion: inserted,
    negation: () => join(units.slice(0, from), [DENIALS[language] ?? 'not'], units.slice(from)),
    'words replaced': () => join(units.slice(0, from), [stranger], units.slice(from + few)),
    'words left out': () =>
      from + few >= units.length ? null : join(units.slice(0, from), units.slice(from + few)),
    'words put in': () => join(units.slice(0, from), [stranger, strangers[0] ?? stranger], units.slice(from)),
  }
  return makers[mutation]()
}

/** Other quotation marks, dashes, spaces, case and ligatures, as far as the text has any of them. */
function setDifferently(text: string, random: () => number): string {
  const changes: readonly ((text: string) => string)[] = [
    (before) =>
      before
        .replace(/['‘’]/gu, (sign) => (sign === "'" ? '’' : "'"))
        .replace(/["“”„«»]/gu, (sign) => (sign === '"' ? '“' : '"')),
    (before) => before.replace(/[–—]/gu, '-'),
    (before) => before.replace(/ /gu, (space) => (random() < 0.2 ? '\u00a0' : space)),
    (before) => before.replace(/fi/gu, 'ﬁ').replace(/fl/gu, 'ﬂ'),
    (before) => (random() < 0.5 ? before.toUpperCase() : before.toLowerCase()),
    (before) => before.replace(/ /u, '  ').replace(/(\p{L}{3})(\p{L}{3})/u, '$1\u00ad$2'),
  ]
  const start = Math.floor(random() * changes.length)
  for (let step = 0; step < changes.length; step++) {
    const after = changes[(start + step) % changes.length]?.(text) ?? text
    if (after !== text) return after
  }
  return text
}

/** A capitalised word within the sentence replaced by another name. */
function otherName(text: string, random: () => number): string | null {
  const names = ['Ottokar', 'Winnipeg', 'Zanzibar', 'Leonore', 'Ushuaia']
  const name = names[Math.floor(random() * names.length)] ?? 'Ottokar'
  const after = text.replace(/(?<=\p{L},? )\p{Lu}\p{Ll}{2,}/u, name)
  return after === text ? null : after
}
