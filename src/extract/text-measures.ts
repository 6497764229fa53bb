// Counts in one pass over a text what tells prose from menus: words, sentences, commas, digits, capitals.
// Apart from the features, because the counting loop must stay free of everything else to be fast.

export interface TextMeasures {
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

const isWordUnit = (code: number): boolean =>
  code > 127 || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)

const isUnspacedStop = (code: number): boolean => code === 0x3002 || code === 0xff01 || code === 0xff1f
const isStop = (code: number): boolean => code === 46 || code === 33 || code === 63 || code === 0x2026
const isComma = (code: number): boolean => code === 44 || code === 0xff0c || code === 0x3001
/** Space, quotes and brackets that may follow the stop of a sentence. */
const FOLLOWS_STOP = new Set(Array.from(' \t\n\u00a0"\'”’)»', (character) => character.charCodeAt(0)))
const SENTENCE_END = /[.!?:;。！？"”]$/

/** Measures a trimmed text. */
export function measureText(text: string): TextMeasures {
  const end = text.length
  let unspaced = 0
  let words = 0
  let inWord = false
  let sentences = 0
  let commas = 0
  let digits = 0
  let capitals = 0
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code >= 97 && code <= 122) {
      if (!inWord) words++
      inWord = true
      continue
    }
    if (isUnspacedScript(code)) {
      unspaced++
      inWord = false
      continue
    }
    const inWordNow = isWordUnit(code)
    if (inWordNow && !inWord) words++
    inWord = inWordNow
    if (code >= 48 && code <= 57) digits++
    else if (code >= 65 && code <= 90) capitals++
    else if (isComma(code)) commas++
    else if (isUnspacedStop(code)) sentences++
    else if (isStop(code) && (at + 1 === end || FOLLOWS_STOP.has(text.charCodeAt(at + 1)))) sentences++
  }
  return {
    characters: end,
    words: words + Math.round(unspaced / CHARACTERS_PER_UNSPACED_WORD),
    sentences,
    commas,
    digits,
    capitals,
    endsLikeSentence: SENTENCE_END.test(text),
  }
}
