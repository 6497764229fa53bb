// A phrase as a regular expression of PostgreSQL: its words as whole words, one after the other, whatever stands between
// them, as the other index reads it.
import { phraseWords } from '../terms.ts'

/**
 * What parts words, spelled out because the server's own classes know no letters but ASCII in some locales: white space
 * and signs of ASCII and Latin-1, general punctuation, CJK punctuation.
 */
const SIGNS =
  '\\s\\u0001-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u00A9\\u00AB-\\u00B4\\u00B6-\\u00B9\\u00BB-\\u00BF\\u2000-\\u206F\\u3000-\\u3004\\u3006-\\u303F\\uFF01-\\uFF0F'
const SIGN = `[${SIGNS}]`

/** For `~` over a text in lower case. Scripts without spaces are found anywhere in a run, as their pairs are. */
export function phrasePattern(phrase: string): string {
  const words = phraseWords(phrase)
  const pieces = words.map(({ text, isSpaced }, index) => {
    const before = words[index - 1]
    if (before === undefined) return isSpaced ? `(?:^|${SIGN})${text}` : text
    return `${SIGN}${isSpaced && before.isSpaced ? '+' : '*'}${text}`
  })
  return pieces.join('') + (words.at(-1)?.isSpaced === true ? `(?:$|${SIGN})` : '')
}
