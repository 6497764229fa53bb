// `npm run eval -- --verify --pages DIR`: whether quotes made from saved pages are told for what they are.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPage } from '../../src/extract/read-page.ts'
import { foldText } from '../../src/search/quotes/folded-text.ts'
import { createPageQuotes, type QuoteMatch } from '../../src/search/quotes/page-quotes.ts'
import { parseQuote } from '../../src/search/quotes/parse-quote.ts'
import { makeQuotes, MUTATIONS, type MadeQuote, type Mutation, type SourcePage } from './quote-mutations.ts'

const QUOTES = 10_000
const SEED = 20_261_122
/** Pages beside the one that is quoted. */
const OTHERS = 3

const TRUE_MUTATIONS: ReadonlySet<Mutation> = new Set([
  'verbatim',
  'typography',
  'elision',
  'insertion',
  'wrong source',
])

export interface Tally {
  quotes: number
  right: number
  falselyTrue: number
  overlapping: number
}

/** Verdict over several pages: what is true anywhere, else the closest alteration. */
function judge(
  pages: readonly ReturnType<typeof createPageQuotes>[],
  quote: string,
): { page: number; found: QuoteMatch } | null {
  const parsed = parseQuote(quote)
  for (const [page, quotes] of pages.entries()) {
    const found = quotes.findTrue(parsed)
    if (found !== null) return { page, found }
  }
  let best: { page: number; found: QuoteMatch } | null = null
  for (const [page, quotes] of pages.entries()) {
    const found = quotes.findAltered(parsed)
    if (found !== null && found.similarity > (best?.found.similarity ?? 0)) best = { page, found }
  }
  return best
}

/** Of 1 how much two spans share. */
function overlap(left: { start: number; end: number }, right: { start: number; end: number }): number {
  const shared = Math.min(left.end, right.end) - Math.max(left.start, right.start)
  return Math.max(0, shared) / (Math.max(left.end, right.end) - Math.min(left.start, right.start))
}

/** Judges every quote against its page and some others; `absent` ones against others alone. */
export function tallyQuotes(pages: readonly SourcePage[], made: readonly MadeQuote[]): Map<Mutation, Tally> {
  const tallies = new Map(
    MUTATIONS.map((mutation): [Mutation, Tally] => [
      mutation,
      { quotes: 0, right: 0, falselyTrue: 0, overlapping: 0 },
    ]),
  )
  const known = new Map<number, ReturnType<typeof createPageQuotes>>()
  const quotesOf = (page: number): ReturnType<typeof createPageQuotes> => {
    const quotes = known.get(page) ?? createPageQuotes(pages[page]?.text ?? '')
    if (known.size > 64) known.clear()
    known.set(page, quotes)
    return quotes
  }
  for (const one of made) {
    const tally = tallies.get(one.mutation)
    const others = othersOf(pages, one)
    if (tally === undefined || others === null || standsElsewhere(pages, one)) continue
    const consulted = one.mutation === 'absent' ? others : [...others.slice(1), one.source]
    const verdict = judge(consulted.map(quotesOf), one.quote)
    tally.quotes += 1
    const isTrue = TRUE_MUTATIONS.has(one.mutation)
    const match = verdict?.found.match ?? 'absent'
    const isCalledTrue = match === 'exact' || match === 'typographic'
    if (one.mutation === 'absent') tally.right += match === 'absent' ? 1 : 0
    else if (isTrue) tally.right += isCalledTrue ? 1 : 0
    else tally.right += match === 'altered' ? 1 : 0
    if (!isTrue && isCalledTrue) tally.falselyTrue += 1
    tally.overlapping += isSamePlace(pages, consulted, verdict, one) ? 1 : 0
  }
  return tallies
}

/** Whether the verdict points at the quoted stretch, or at one with the same words elsewhere. */
function isSamePlace(
  pages: readonly SourcePage[],
  consulted: readonly number[],
  verdict: ReturnType<typeof judge>,
  { source, truth }: MadeQuote,
): boolean {
  if (verdict === null || truth === null) return false
  const page = consulted[verdict.page] ?? -1
  if (page === source && overlap(verdict.found, truth) >= 0.9) return true
  const found = pages[page]?.text.slice(verdict.found.start, verdict.found.end) ?? ''
  return foldText(found).text === foldText(pages[source]?.text.slice(truth.start, truth.end) ?? '').text
}

/** A falsified quote that the page has in another place as it is. */
function standsElsewhere(pages: readonly SourcePage[], { mutation, quote, source }: MadeQuote): boolean {
  if (mutation === 'absent' || TRUE_MUTATIONS.has(mutation)) return false
  const plain = foldText(quote).text.replace(/[.!?]$/u, '')
  return foldText(pages[source]?.text ?? '').text.includes(plain)
}

const WORD_GRAM = 4

/** Pages of the same language on which the sentence does not stand; null when the page says it of itself twice. */
function othersOf(
  pages: readonly SourcePage[],
  { source, language, quote, mutation }: MadeQuote,
): number[] | null {
  const others: number[] = []
  const grams = mutation === 'absent' ? gramsOf(quote) : []
  for (let step = 1; step < pages.length && others.length < OTHERS; step++) {
    const page = (source + step * 7) % pages.length
    const other = pages[page]
    if (other === undefined || other.language !== language || page === source) continue
    const shared = grams.filter((gram) => other.text.includes(gram)).length
    if (shared <= grams.length / 3) others.push(page)
  }
  return others
}

function gramsOf(text: string): string[] {
  const words = text.split(' ')
  return words.slice(WORD_GRAM - 1).map((_, at) => words.slice(at, at + WORD_GRAM).join(' '))
}

export async function readPages(folder: string): Promise<(SourcePage & { html: string })[]> {
  const pages: (SourcePage & { html: string })[] = []
  for (const name of readdirSync(join(folder, 'html')).filter((file) => file.endsWith('.html'))) {
    const html = readFileSync(join(folder, 'html', name), 'utf8')
    pages.push({ html, ...(await readHtml(html)) })
  }
  return pages
}

/** A saved page as the service reads it. */
export async function readHtml(html: string): Promise<SourcePage> {
  const origin = { url: 'http://127.0.0.1/page', lastModified: null, contentLanguage: null, now: new Date(0) }
  const input = { ...origin, mediaType: 'text/html', content: html }
  const { text, language } = await readPage(input, AbortSignal.timeout(60_000))
  return { text, language: language?.code ?? 'en' }
}

export async function evaluateVerification(folder: string): Promise<void> {
  const pages = await readPages(folder)
  const made = makeQuotes(pages, QUOTES, SEED)
  const startedAt = performance.now()
  const tallies = tallyQuotes(pages, made)
  console.log(`| kind of quote | quotes | told right | called true | span right |\n|---|---|---|---|---|`)
  for (const [mutation, { quotes, right, falselyTrue, overlapping }] of tallies) {
    const share = (value: number): string => (value / Math.max(1, quotes)).toFixed(3)
    console.log(
      `| ${mutation} | ${quotes} | ${share(right)} | ${falselyTrue} | ${mutation === 'absent' ? '' : share(overlapping)} |`,
    )
  }
  const languages = [...new Set(made.map(({ language }) => language))]
  const counts = languages.map((code) => `${code} ${made.filter(({ language }) => language === code).length}`)
  console.log(`${counts.join(', ')}; ${Math.round(performance.now() - startedAt)} ms`)
}
