// Says of every claim of an answer whether its sources bear it out. Pure; takes time in proportion to the sources, so it
// runs where pages are read.
import { createPageQuotes, type QuoteMatch } from './page-quotes.ts'
import { parseQuote } from './parse-quote.ts'
import { readAnswer, type AnswerClaim } from './read-answer.ts'
import type { CitedSource } from './citations.ts'

export interface AnswerSource extends CitedSource {
  /** Null when the page could not be read. */
  text: string | null
}

export interface CheckedClaim extends AnswerClaim {
  match: QuoteMatch['match'] | 'absent' | 'not_a_quote'
  /** Index of the source that the place is in; null when it is in none. */
  source: number | null
  /** Found to the letter, but not where the answer says. */
  isWrongSource: boolean
  place: QuoteMatch | null
}

/** What an altered quote is worth more for standing on the page that is named for it. */
const CITED_BONUS = 0.15

/** Claims beyond `limit` are left out. */
export function checkAnswer(answer: string, sources: readonly AnswerSource[], limit: number): CheckedClaim[] {
  const pages = sources.map(({ text }) => (text === null ? null : createPageQuotes(text)))
  return readAnswer(answer, sources)
    .slice(0, limit)
    .map((claim) => checkClaim(claim, pages))
}

type Pages = readonly (ReturnType<typeof createPageQuotes> | null)[]

function checkClaim(claim: AnswerClaim, pages: Pages): CheckedClaim {
  const quote = parseQuote(claim.text)
  const order = [...new Set([...claim.cited, ...pages.keys()])]
  const isQuote = claim.kind !== 'statement'
  for (const source of order) {
    const place = pages[source]?.findTrue(quote) ?? null
    if (place === null) continue
    const isWrongSource = isQuote && claim.cited.length > 0 && !claim.cited.includes(source)
    return { ...claim, match: place.match, source, isWrongSource, place }
  }
  const nothing = { source: null, isWrongSource: false, place: null }
  if (!isQuote) return { ...claim, ...nothing, match: 'not_a_quote' }
  let best: { source: number; place: QuoteMatch; weight: number } | null = null
  for (const source of order) {
    const place = pages[source]?.findAltered(quote) ?? null
    if (place === null) continue
    const weight = place.similarity + (claim.cited.includes(source) ? CITED_BONUS : 0)
    if (weight > (best?.weight ?? 0)) best = { source, place, weight }
  }
  if (best === null) return { ...claim, ...nothing, match: 'absent' }
  const isWrongSource = claim.cited.length > 0 && !claim.cited.includes(best.source)
  return { ...claim, match: 'altered', source: best.source, isWrongSource, place: best.place }
}
