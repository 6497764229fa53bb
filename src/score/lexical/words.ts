// Where words begin and end in a text of any script, for the lexical stage.

/** Classes of UTF-16 units. */
const BREAK = 0
const LETTER = 1
/** Scripts whose words no space parts, or to whose words endings cling: a run is taken as pairs of characters. */
const UNSPACED = 2

const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}]$/u
const UNSPACED_CHARACTER =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]$/u
const COMBINING_ACCENT = /[\u0300-\u036f\u064b-\u0652\u0670]/gu

/** Case, width and compatibility forms made one; accents are left, because stemmers need them. */
export function normalizeText(text: string): string {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 127) return text.normalize('NFKC').toLowerCase()
  }
  return text.toLowerCase()
}

/** A word without accents and Arabic vowel signs, so that "café" meets "cafe". */
export function foldAccents(word: string): string {
  for (let index = 0; index < word.length; index++) {
    if (word.charCodeAt(index) > 127)
      return word.normalize('NFD').replace(COMBINING_ACCENT, '').normalize('NFC')
  }
  return word
}

function classOf(character: string): number {
  if (UNSPACED_CHARACTER.test(character)) return UNSPACED
  return WORD_CHARACTER.test(character) ? LETTER : BREAK
}

/**
 * Makes the table of character classes (64 KiB) and returns the scanner that uses it.
 */
export function createWordScanner() {
  const classes = new Uint8Array(0x10000)
  for (let unit = 0; unit < classes.length; unit++) classes[unit] = classOf(String.fromCharCode(unit))

  /** Outside the basic plane: emoji break words, ideographs and letters do not. */
  function classAt(text: string, index: number, unit: number): number {
    if (unit < 0xd800 || unit > 0xdfff) return classes[unit] ?? BREAK
    if (unit >= 0xdc00) return classAt(text, index - 1, 0xd800)
    return classOf(String.fromCodePoint(text.codePointAt(index) ?? 0))
  }

  return {
    /**
     * Calls `visit(start, end)` for every word of a normalized text: runs of letters, marks and digits; in scripts
     * without spaces every two neighbouring characters, or the one when it stands alone.
     */
    scan(text: string, visit: (start: number, end: number) => void): void {
      let start = 0
      let kind = BREAK
      for (let index = 0; index <= text.length; index++) {
        const next = index < text.length ? classAt(text, index, text.charCodeAt(index)) : BREAK
        if (next === kind) continue
        if (kind === LETTER) visit(start, index)
        if (kind === UNSPACED) visitPairs(text, start, index, visit)
        start = index
        kind = next
      }
    },
  }
}

function visitPairs(
  text: string,
  start: number,
  end: number,
  visit: (start: number, end: number) => void,
): void {
  const width = (index: number): number => ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1)
  let first = start
  let second = start + width(start)
  if (second >= end) visit(start, end)
  while (second < end) {
    const after = second + width(second)
    visit(first, Math.min(after, end))
    first = second
    second = after
  }
}
