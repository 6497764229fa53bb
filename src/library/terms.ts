// Text as the full-text index sees it, and questions as lists of terms.
import { createFunctionWords } from '../score/lexical/function-words.ts'
import { normalizeText } from '../score/lexical/words.ts'

/** Scripts written without spaces between words, Korean included because its words carry their particles. */
const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u30FC\\u3005'
const CJK_RUN = new RegExp(`[${CJK}]+`, 'gu')
const WORD_OR_RUN = new RegExp(`[${CJK}]+|[^\\s"\\p{P}\\p{S}\\p{C}\\p{Z}${CJK}]+`, 'gu')
const IS_CJK = new RegExp(`^[${CJK}]`, 'u')

const TERMS_MAX = 32
const TERM_CHARACTERS_MAX = 64

/** Words of a page that can be found, pairs of CJK characters among them: those of a book of eight hundred pages. */
const INDEXED_WORDS_MAX = 250_000

/** The beginning of a text whose words are indexed: more would take the index for tens of seconds. */
export function indexedPart(text: string): string {
  if (text.length <= INDEXED_WORDS_MAX) return text
  let left = INDEXED_WORDS_MAX
  for (const { 0: word, index } of text.matchAll(WORD_OR_RUN)) {
    const isRun = IS_CJK.test(word)
    const count = isRun ? word.length : 1
    if (count > left) return text.slice(0, index + (isRun ? left : 0))
    left -= count
  }
  return text
}

/** A run may be a whole page: a million strings held at once keep the collector busy. */
const PAIRS_AT_ONCE = 4_096

/** `text` with each CJK run as overlapping pairs ("東京都" → "東京 京都"): words of two characters are found, too. */
export const toIndexText = (text: string): string =>
  text.normalize('NFC').replace(CJK_RUN, (run) => {
    let joined = ''
    let waiting: string[] = []
    for (const pair of pairs(run)) {
      waiting.push(pair)
      if (waiting.length < PAIRS_AT_ONCE) continue
      joined += ` ${waiting.join(' ')}`
      waiting = []
    }
    return `${joined} ${waiting.join(' ')} `
  })

function* pairs(run: string): Generator<string> {
  let before = ''
  let isAlone = true
  for (const character of run) {
    if (before !== '') {
      isAlone = false
      yield before + character
    }
    before = character
  }
  if (isAlone) yield before
}

/** One thing to look for: a word, a CJK pair, a run of words that must stand together, or the start of a word. */
export interface Term {
  words: readonly string[]
  isPrefix: boolean
  /** As it stands in a text, in lower case with single spaces. */
  text: string
}

export interface Question {
  /** Any of them makes a page a candidate. */
  terms: readonly Term[]
  /** Quoted by the caller: every one of them must be on the page. Also among `terms`. */
  phrases: readonly Term[]
}

const functionWords = createFunctionWords()

/**
 * The terms of a question, at most 32, without the words that hold it together while others are left: where few pages
 * say "I", that word weighed more than the question's subject. Nothing in it is an operator but a pair of quotes, so no
 * question can be malformed; a quote without its partner is punctuation. `language` as in ISO 639-1.
 */
export function readQuestion(text: string, language: string): Question {
  const normal = text.normalize('NFC')
  const phrases = [...normal.matchAll(/"([^"]+)"/gu)]
    .map(([, quoted = '']) => ({ words: wordsOf(quoted), isPrefix: false, text: toPlain(quoted) }))
    .filter((phrase) => phrase.words.length > 1)
  const seen = new Set<string>()
  const words = wordsOf(normal).filter((word) => !seen.has(word) && seen.add(word))
  const holding = functionWords.forLanguage(language)
  const telling = words.filter((word) => !holding.has(normalizeText(word)))
  const singles = (telling.length === 0 ? words : telling).map((word) => ({
    words: [word],
    isPrefix: IS_CJK.test(word) && word.length === 1,
    text: word,
  }))
  return { phrases: phrases.slice(0, TERMS_MAX / 2), terms: [...phrases, ...singles].slice(0, TERMS_MAX) }
}

const toPlain = (text: string): string => text.toLowerCase().replace(/\s+/gu, ' ').trim()

/** The words of a text in lower case, CJK runs as their pairs. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const word of text.match(WORD_OR_RUN) ?? []) {
    if (IS_CJK.test(word)) for (const pair of pairs(word)) words.push(pair)
    else words.push(word.toLowerCase().slice(0, TERM_CHARACTERS_MAX))
  }
  return words
}

/** The words of a phrase in lower case and in order, runs of CJK whole; they hold letters, digits and marks alone. */
export const phraseWords = (phrase: string): { text: string; isSpaced: boolean }[] =>
  (phrase.toLowerCase().match(WORD_OR_RUN) ?? []).map((text) => ({ text, isSpaced: !IS_CJK.test(text) }))

const EXCERPT_CHARACTERS = 300

/** The text around the first of `terms` (given rarest first) that stands on the page as written; else its beginning. */
export function excerptOf(text: string, terms: readonly Term[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term.text))
  const place = Math.max(0, places.find((index) => index >= 0) ?? 0)
  const start = place < EXCERPT_CHARACTERS / 3 ? 0 : text.indexOf(' ', place - EXCERPT_CHARACTERS / 3) + 1
  const begin = start > place || start === 0 ? Math.max(0, Math.min(start, place)) : start
  return text
    .slice(begin, begin + EXCERPT_CHARACTERS)
    .replace(/\s+/gu, ' ')
    .trim()
}
