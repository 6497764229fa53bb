// What a query asks, without the courtesies around it: a greeting or thanks are words that no answer holds, and a model
// reads them as a part of the question.
import { ANNOUNCEMENTS, ASIDES, GREETINGS, MENTIONS, REQUESTS, THANKS } from './courtesies.ts'

interface Word {
  /** Lower case. */
  text: string
  /** UTF-16 offsets in the query. */
  start: number
  end: number
}

/** Of scripts without spaces every character is a word. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu
const MARK = /[^\s\p{L}\p{N}'"“”„«»-]|\s-+\s|\n/u
const ASKING = /[?？]/u
/** Of the longest courtesy. */
const COURTESY_WORDS_MAX = 12
/** "Hi all, quick question: could you tell me …" has three. */
const COURTESIES_MAX = 4
/** What is left is as long at least, else all of the query is what it asks: "hey, Jude". */
const ASKED_CHARACTERS_MIN = 6

const keyOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ')

const keysOf = (phrases: readonly string[]): ReadonlySet<string> =>
  new Set(phrases.map((phrase) => keyOf(wordsOf(phrase))))

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
 * A query without greetings, requests to be told, thanks and asides at its ends, in some fifteen languages; the query
 * itself where nothing else is left. Linear in its length.
 */
export function whatIsAsked(query: string): string {
  const words = wordsOf(query)
  const [from, to] = [firstAsked(query, words), lastAsked(query, words)]
  const first = words[from]
  const last = words[to - 1]
  if (first === undefined || last === undefined) return query
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
    if (length === undefined) break
    to -= length
  }
  return to
}

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
const isMarked = (query: string, left: Word | undefined, right: Word | undefined): boolean =>
  left !== undefined && right !== undefined && MARK.test(query.slice(left.end, right.start))
