// Passages that a consent dialog left among those of a page: they answer nothing that anybody searches for.
import { foldForSigns } from './page-survey.ts'
import { CONSENT } from './signs/consent.ts'

const FEWEST_SIGNS = 3
const LONGEST_DIALOG = 1_500
/** A page with more of them is about cookies. */
const MOST_OF_A_PAGE = 0.34

/**
 * The passages without those of a consent dialog; all of them where the page itself is about cookies or consent. Linear
 * in the passages' text.
 */
export function withoutConsentDialogs<P extends { text: string }>(
  title: string | null,
  passages: readonly P[],
): P[] {
  const folded = foldForSigns(title ?? '')
  if (/cookie|consent|privacy|datenschutz/u.test(folded)) return [...passages]
  const kept = passages.filter(({ text }) => !isConsentText(text))
  return kept.length >= passages.length * (1 - MOST_OF_A_PAGE) ? kept : [...passages]
}

function isConsentText(text: string): boolean {
  if (text.length > LONGEST_DIALOG) return false
  const folded = foldForSigns(text)
  if (!folded.includes('cookie') && !folded.includes('consent') && !folded.includes('partner')) return false
  const isThere = (sign: string): boolean => folded.includes(sign)
  const words = CONSENT.words.filter(isThere).length
  return words > 0 && CONSENT.sentences.filter(isThere).length * 2 + words >= FEWEST_SIGNS
}
