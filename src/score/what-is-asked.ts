// What a query asks, without the courtesies around it: a greeting or thanks are words that no answer holds, and a model
// reads them as a part of the question.
import { ANNOUNCEMENTS, ASIDES, GREETINGS, MENTIONS, REQUESTS, SIGN_OFFS, THANKS } from './courtesies.ts'

interface Word {
  /** Lower case. */
  text: string
  /** UTF-16 offsets in the query. */
  start: number
  end: number
}

/** Of scripts without spaces every character is a word. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
const SPACED = String.raw`(?:(?!${UNSPACED})[\p{L}\p{N}])+`
const WORD = new RegExp(`${UNSPACED}|${SPACED}(?:['-]${SPACED})*`, 'gu')
const MARK = /[^\s\p{L}\p{N}'"“”„«»-]|\s-+\s|\n/u
/** What a closing clause stands behind: what a colon announces is the subject. */
const CLAUSE_MARK = /[.,!?…。，、！？\n]/u
const ASKING = /[?？]/u
/** Of the longest courtesy. */
const COURTESY_WORDS_MAX = 12
/** "Hi all, quick question: could you tell me …" has three. */
const COURTESIES_MAX = 4
/** "Many thanks to whoever answers" is thanks by one of its first words, and as long as a clause of thanks may be. */
const SIGN_OFF_WITHIN = 4
const SIGN_OFF_WORDS_MAX = 8
/** Of a name that signs. */
const NAME_WORDS_MAX = 2
/** What is left is as long at least, else all of the query is what it asks: "hey, Jude". */
const ASKED_CHARACTERS_MIN = 6
/**
 * A longer question keeps its courtesies. They are a small part of it, and the models were taught on such: without them 2 of
 * 56 chatty questions lost their answer's first place, where short ones win every tenth.
 */
const ASKED_WORDS_MAX = 15

const keyOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ')

/** The words of each place are taken apart before they are combined: there are thousands of phrases. */
const phrasesOf = (pattern: string): string[] =>
  pattern
    .split('+')
    .map((place) => place.split('|').map((words) => keyOf(wordsOf(words))))
    .reduce((begun, words) => begun.flatMap((start) => words.map((word) => `${start} ${word}`.trim())), [''])

const keysOf = (patterns: readonly string[]): ReadonlySet<string> => new Set(patterns.flatMap(phrasesOf))

const requests = keysOf(REQUESTS)
const openings = keysOf([...GREETINGS, ...ANNOUNCEMENTS])
const thanks = keysOf(THANKS)
const closings = keysOf([...THANKS, ...ASIDES])

function wordsOf(text: string): Word[] {
  return Array.from(text.replaceAll('’', "'").matchAll(WORD), ({ 0: word, index }) => ({
    text: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }))
}

/**
 * A short question without greetings, requests to be told, thanks and asides at its ends, in some fifteen languages; the
 * query itself where nothing else is left, and where it is long without them. Linear in its length.
 */
export function whatIsAsked(query: string): string {
  const words = wordsOf(query)
  const [from, to] = [firstAsked(query, words), lastAsked(query, words)]
  const first = words[from]
  const last = words[to - 1]
  if (first === undefined || last === undefined || to - from > ASKED_WORDS_MAX) return query
  const asked = query.slice(from === 0 ? 0 : first.start, to === words.length ? query.length : last.end)
  if (asked.length < ASKED_CHARACTERS_MIN) return query
  return to < words.length && ASKING.test(query.slice(last.end)) ? `${asked}?` : asked
}

/** Where the question begins. */
function firstAsked(query: string, words: readonly Word[]): number {
  let from = 0
  for (let count = 0; count < COURTESIES_MAX; count++) {
    const length = lengthsOf(words.length - from).find((tried) => opens(query, words, from, from + tried))
    if (length === undefined) break
    from += length
  }
  return from
}

/** Where it ends: one beyond its last word. */
function lastAsked(query: string, words: readonly Word[]): number {
  let to = words.length
  for (let count = 0; count < COURTESIES_MAX; count++) {
    const length = lengthsOf(to).find((tried) => closes(query, words, to - tried, to))
    const from = length === undefined ? signOff(query, words, to) : to - length
    if (from === to) break
    to = from
  }
  return to
}

/** Where the thanks begin that the words before `to` are, with the name under them; `to` where they are none or ask. */
function signOff(query: string, words: readonly Word[], to: number): number {
  if (ASKING.test(query.slice(words[to - 1]?.end, words[to]?.start))) return to
  const clause = clauseBefore(query, words, to)
  if (isSignOff(words.slice(clause, to))) return clause
  const above = to - clause > NAME_WORDS_MAX ? clause : clauseBefore(query, words, clause)
  return isSignOff(words.slice(above, clause)) ? above : to
}

/** Where the clause begins that ends at `to`; `to` where no mark stands before it. */
function clauseBefore(query: string, words: readonly Word[], to: number): number {
  const start = words
    .slice(0, to)
    .findLastIndex((word, at) => isMarked(query, words[at - 1], word, CLAUSE_MARK))
  return start === -1 ? to : start
}

const isSignOff = (clause: readonly Word[]): boolean =>
  clause.length <= SIGN_OFF_WORDS_MAX &&
  clause.slice(0, SIGN_OFF_WITHIN).some(({ text }) => SIGN_OFFS.has(text))

/** The longest first. */
const lengthsOf = (words: number): number[] =>
  Array.from(
    { length: Math.min(words, COURTESY_WORDS_MAX) },
    (_, shorter) => Math.min(words, COURTESY_WORDS_MAX) - shorter,
  )

/** Whether the words are a courtesy, and a mark or a request follows where they might be a subject. */
function opens(query: string, words: readonly Word[], from: number, to: number): boolean {
  const key = keyOf(words.slice(from, to))
  if (requests.has(key)) return true
  return openings.has(key) && (isMarked(query, words[to - 1], words[to]) || beginsRequest(words, to))
}

const beginsRequest = (words: readonly Word[], from: number): boolean =>
  lengthsOf(words.length - from).some((length) => requests.has(keyOf(words.slice(from, from + length))))

function closes(query: string, words: readonly Word[], from: number, to: number): boolean {
  const key = keyOf(words.slice(from, to))
  const before = words[from - 1]
  if (isMarked(query, before, words[from])) return closings.has(key)
  return thanks.has(key) && before !== undefined && !MENTIONS.has(before.text)
}

/** Whether a mark or a line's end stands between two words. */
const isMarked = (
  query: string,
  left: Word | undefined,
  right: Word | undefined,
  mark: RegExp = MARK,
): boolean => left !== undefined && right !== undefined && mark.test(query.slice(left.end, right.start))
