// What the surface of a text tells before a word of it is understood: its length, its sentences, its script.

/** Groups of languages in which the same numbers mean different things. */
export const SCRIPTS = ['english', 'latin', 'dense', 'other'] as const
export type ScriptGroup = (typeof SCRIPTS)[number]

const DENSE = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/gu
const LATIN = /\p{Script=Latin}/gu
const LETTER = /\p{L}/gu
const SENTENCE_END = /[.!?](?=\s|$)|[。！？]/gu
const QUESTION_OPENING =
  /^(?:who|whom|whose|what|when|where|why|which|how|is|are|was|were|do|does|did|can|could|should|would|will|has|have|wer|was|wann|wo|wie|warum|wieso|welche[rsmn]?|ist|sind|kann|qui|que|quoi|quand|où|comment|pourquoi|quel(?:le)?s?|quién|qué|cuándo|dónde|cómo|cuál(?:es)?|chi|cosa|quando|dove|come|perché)\b/iu

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Which group a text's script is of; `language` (ISO 639-1, '' when unknown) parts English from other Latin texts. */
export function scriptOf(text: string, language: string): ScriptGroup {
  const sample = text.slice(0, 400)
  const letters = Math.max(1, countOf(sample, LETTER))
  if (countOf(sample, DENSE) > letters * 0.3) return 'dense'
  if (countOf(sample, LATIN) <= letters * 0.5) return 'other'
  return language === 'en' ? 'english' : 'latin'
}

/** Whether a query asks: by its mark, or by the word it opens with. */
export const asksQuestion = (query: string): boolean =>
  /[?？]\s*$/u.test(query) || QUESTION_OPENING.test(query.trim())

export interface Surface {
  /** ln(1 + UTF-16 units). */
  characters: number
  /** Sentences, and lines, for every ten words. */
  sentences: number
  lines: number
  /** Share of the characters. */
  digits: number
  endsWithQuestion: number
}

/** `words` as the lexical stage counts them. */
export function surfaceOf(text: string, words: number): Surface {
  const tens = 1 + words / 10
  return {
    characters: Math.log1p(text.length),
    sentences: countOf(text, SENTENCE_END) / tens,
    lines: countOf(text, /\n/gu) / tens,
    digits: countOf(text, /\d/gu) / Math.max(1, text.length),
    endsWithQuestion: /[?？]\s*$/u.test(text) ? 1 : 0,
  }
}
