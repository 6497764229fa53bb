// How BERT reads characters before words are cut: which end a word or stand alone, and what becomes of case and accents.
import type { TokenizerFile } from './word-piece-file.ts'

/** What a code point does to the word it stands in. */
export const PART = 0
const SPACE = 1
export const ALONE = 2

const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u{fffd}]/gu
const NON_SPACING_MARK = /\p{Mn}/gu
const WHITE_SPACE = /^\s$/u
const PUNCTUATION = /^[\p{P}!-/:-@[-`{-~]$/u
/** The ideograph blocks BERT sets apart: CJK unified, extensions A to E, and both compatibility blocks. */
const IDEOGRAPH =
  /^[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\u{2f800}-\u{2fa1f}]$/u

/** What `character`, a whole code point, does. */
export function classOf(character: string, ideographsAlone: boolean): number {
  if (WHITE_SPACE.test(character)) return SPACE
  if (PUNCTUATION.test(character)) return ALONE
  return ideographsAlone && IDEOGRAPH.test(character) ? ALONE : PART
}

/** The class of every UTF-16 unit of the basic plane, so that the loop over a text asks no regular expression. */
export function classTable(ideographsAlone: boolean): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (let unit = 0; unit < table.length; unit++) {
    table[unit] = classOf(String.fromCharCode(unit), ideographsAlone)
  }
  return table
}

/** True when the text holds printable ASCII, tabs and line breaks only: then lower-casing is all there is to do. */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 126 || (unit < 32 && unit !== 9 && unit !== 10 && unit !== 13)) return false
  }
  return true
}

/** As the file asks: control characters out, accents off, letters small. */
export function createNormalizer(options: TokenizerFile['normalizer']): (text: string) => string {
  const stripAccents = options.strip_accents ?? options.lowercase
  return (text) => {
    if (isPlain(text)) return options.lowercase ? text.toLowerCase() : text
    let normalized = options.clean_text ? text.replace(CONTROL, '') : text
    if (stripAccents) normalized = normalized.normalize('NFD').replace(NON_SPACING_MARK, '')
    // The reference lower-cases letter by letter; JavaScript alone would make a final capital sigma a final small one.
    return options.lowercase ? normalized.replaceAll('Σ', 'σ').toLowerCase() : normalized
  }
}
