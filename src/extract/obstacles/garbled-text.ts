// Text that nobody can read: bytes taken for characters of another encoding, glyph numbers taken for letters.

/** Enough to tell, from the beginning, the middle and the end. */
const SAMPLE_CHARACTERS = 4_000
/** Shorter texts tell too little. */
const LEAST_LETTERS = 120

/** Shares of the sample's characters from which it is no text. */
const MOST_REPLACED = 0.08
const MOST_CONTROL = 0.05
/** UTF-8 read as Latin: a letter of `ÂÃâÐÑ…` and one from U+0080 to U+00BF, or what windows-1252 makes of those. */
const MOST_DOUBLE = 0.03
/** The same read as windows-1251 or KOI8-R: every letter of Cyrillic becomes two, the first of them one of two. */
const MOST_DOUBLE_CYRILLIC = 0.25
/** ASCII, two letters at a time, read as UTF-16: of Han characters a quarter look like two letters, of kana none. */
const MOST_PAIRED = 0.7
/** Two-byte encodings of other scripts read as Latin: hardly a letter is ASCII, and none stands in a word of them. */
const MOST_HIGH_LATIN = 0.45
const MOST_PRIVATE = 0.1

const REPLACED = /\ufffd/gu
const CONTROL = /[^\P{Cc}\s]/gu
const PRIVATE = /[\ue000-\uf8ff]/gu
const DOUBLE =
  /[\u00c2-\u00f4][\u0080-\u00bf\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u2018-\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178]/gu
const DOUBLE_CYRILLIC =
  /[РС][\u00a0\u00a4\u00a6\u00a7\u00a9\u00ab-\u00ae\u00b0\u00b1\u00b5-\u00b7\u00bb\u0401-\u040f\u0451-\u045f\u0490\u0491\u2013-\u203a\u20ac\u2116\u2122]|[пя][\u2219-\u25a0\u00b0\u00b2\u00b7\u00f7ёЁ]/gu
const PAIRED = /[\u2020-\u7e7e]/gu
const HIGH_LATIN = /[\u00a1-\u00ff]/gu

/** Words of this length are data; half of a text in them is no text. */
const DATA_WORD_CHARACTERS = 120
const MOST_IN_DATA_WORDS = 0.5
/** Fewer are one word over and over, printed without spaces. */
const FEWEST_DISTINCT_CHARACTERS = 20
/** Of the words of a print, with digits or signs between or before their letters. */
const MOST_MIXED_WORDS = 0.4
/** Latin letters of every language are vowels to a third; shifted glyph numbers to a seventh. */
const FEWEST_VOWELS = 0.19
/** Fewer are one word over and over. */
const FEWEST_DISTINCT_LETTERS = 12

/**
 * Whether the text as a whole cannot be read. Pure; looks at four thousand characters of it. `isPrinted`: it comes from
 * a print, whose letters may be numbers of glyphs; elsewhere the same look is that of code.
 */
export function isGarbled(text: string, { isPrinted }: { isPrinted: boolean }): boolean {
  const sample = sampleOf(text)
  const visible = sample.replace(/\s+/gu, '').length
  if (visible < LEAST_LETTERS) return false
  const share = (pattern: RegExp): number => (sample.match(pattern)?.length ?? 0) / visible
  return (
    share(REPLACED) > MOST_REPLACED ||
    share(CONTROL) > MOST_CONTROL ||
    share(PRIVATE) > MOST_PRIVATE ||
    share(DOUBLE) > MOST_DOUBLE ||
    share(HIGH_LATIN) > MOST_HIGH_LATIN ||
    share(DOUBLE_CYRILLIC) > MOST_DOUBLE_CYRILLIC ||
    pairedLetters(sample) / visible > MOST_PAIRED ||
    isData(sample, visible) ||
    (isPrinted && isGlyphSoup(sample))
  )
}

function sampleOf(text: string): string {
  if (text.length <= SAMPLE_CHARACTERS) return text
  const third = Math.floor(SAMPLE_CHARACTERS / 3)
  const middle = Math.floor((text.length - third) / 2)
  return `${text.slice(0, third)} ${text.slice(middle, middle + third)} ${text.slice(-third)}`
}

/** Characters both of whose bytes are printable ASCII. */
const pairedLetters = (sample: string): number =>
  (sample.match(PAIRED) ?? []).filter((character) => {
    const low = character.charCodeAt(0) & 0xff
    return low >= 0x20 && low <= 0x7e
  }).length

function isData(sample: string, visible: number): boolean {
  const words = (sample.match(/[!-~]+/gu) ?? [])
    .filter(({ length }) => length > DATA_WORD_CHARACTERS)
    .join('')
  return words.length / visible > MOST_IN_DATA_WORDS && new Set(words).size >= FEWEST_DISTINCT_CHARACTERS
}

function isGlyphSoup(sample: string): boolean {
  const words = sample.split(/\s+/u).filter((word) => /[a-z]/iu.test(word))
  const mixed = words.filter((word) =>
    /[^\p{L}\p{M}'’.-][a-z]|[a-z][^\p{L}\p{M}\p{P}’-][a-z]/iu.test(word.slice(1)),
  )
  if (words.length > 0 && mixed.length / words.length > MOST_MIXED_WORDS) return true
  const letters = sample.normalize('NFD').toLowerCase().match(/[a-z]/gu) ?? []
  if (letters.length < LEAST_LETTERS || new Set(letters).size < FEWEST_DISTINCT_LETTERS) return false
  return letters.filter((letter) => 'aeiouy'.includes(letter)).length / letters.length < FEWEST_VOWELS
}
