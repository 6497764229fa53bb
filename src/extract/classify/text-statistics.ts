// Counts in one pass over a text what tells prose from menus: words, sentences, commas, digits, capitals.

export interface TextStatistics {
  characters: number
  /** Words; of scripts written without spaces, characters divided by 1.6. */
  words: number
  sentences: number
  commas: number
  digits: number
  capitals: number
  endsLikeSentence: boolean
}

const CHARACTERS_PER_UNSPACED_WORD = 1.6

/** True for UTF-16 units of scripts written without spaces between words: kana, Han, Hangul (counted alike), Thai. */
export function isUnspacedScript(code: number): boolean {
  if (code < 0x0e00) return false
  return (
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    code <= 0x0e7f
  )
}

/** What an ASCII character is to the count. */
const OTHER = 0
const LETTER = 1
const CAPITAL = 2
const DIGIT = 3
const COMMA = 4
const STOP = 5

const ASCII_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LETTER
  if (code >= 65 && code <= 90) return CAPITAL
  if (code >= 48 && code <= 57) return DIGIT
  if (code === 44) return COMMA
  return code === 46 || code === 33 || code === 63 ? STOP : OTHER
})

/** Space, quotes and brackets that may follow the stop of a sentence. */
const FOLLOWS_STOP = new Set(Array.from(' \t\n\u00a0"\'”’)»', (character) => character.charCodeAt(0)))
const SENTENCE_ENDS = new Set(Array.from('.!?:;。！？"”', (character) => character.charCodeAt(0)))

/** Measures a trimmed text. */
export function measureText(text: string): TextStatistics {
  const measures: TextStatistics = {
    characters: text.length,
    words: 0,
    sentences: 0,
    commas: 0,
    digits: 0,
    capitals: 0,
    endsLikeSentence: SENTENCE_ENDS.has(text.charCodeAt(text.length - 1)),
  }
  let words = 0
  let unspaced = 0
  let inWord = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = code < 128 ? (ASCII_CLASSES[code] ?? OTHER) : countWide(measures, text, at, code)
    if (kind === UNSPACED) unspaced++
    const inWordNow = kind >= LETTER && kind <= DIGIT
    if (inWordNow && !inWord) words++
    inWord = inWordNow
    if (kind <= LETTER) continue
    if (kind === CAPITAL) measures.capitals++
    else if (kind === DIGIT) measures.digits++
    else if (kind === COMMA) measures.commas++
    else if (kind === STOP && endsSentence(text, at)) measures.sentences++
  }
  measures.words = words + Math.round(unspaced / CHARACTERS_PER_UNSPACED_WORD)
  return measures
}

const UNSPACED = 6

const endsSentence = (text: string, at: number): boolean =>
  at + 1 === text.length || FOLLOWS_STOP.has(text.charCodeAt(at + 1))

/** Counts what is not ASCII; anything unknown is part of a word. */
function countWide(measures: TextStatistics, text: string, at: number, code: number): number {
  if (isUnspacedScript(code)) return UNSPACED
  if (code === 0xff0c || code === 0x3001) measures.commas++
  else if (code === 0x3002 || code === 0xff01 || code === 0xff1f) measures.sentences++
  else if (code === 0x2026 && endsSentence(text, at)) measures.sentences++
  return LETTER
}

/** Words in lower case. By hand where it is ASCII, because every short run is asked for them. */
export function wordsIn(text: string): readonly string[] {
  const lower = text.toLowerCase()
  const words: string[] = []
  let from = -1
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at)
    if (code > 127) return lower.match(/[\p{L}\p{N}]+/gu) ?? []
    const isInWord = (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
    if (isInWord && from === -1) from = at
    if (isInWord || from === -1) continue
    words.push(lower.slice(from, at))
    from = -1
  }
  if (from !== -1) words.push(lower.slice(from))
  return words
}

/** Share of the words of `text` that are among `words`, 0..1. */
export function shareOfWords(text: string, words: ReadonlySet<string>): number {
  if (words.size === 0) return 0
  const own = wordsIn(text)
  let shared = 0
  for (const word of own) if (words.has(word)) shared++
  return own.length === 0 ? 0 : shared / own.length
}
