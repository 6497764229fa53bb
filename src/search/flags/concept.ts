// A concept is one thing that a text can speak of, in the words of all languages: "the user", "do not tell". Its words
// stand in lines, alternatives between bars, with three signs: ~ ends a word, … skips a few words, and a stem without ~
// goes on as it likes. They are looked for where a word starts and only by its first letter, so that a text is gone
// through once for each concept whatever the number of words.
import { alternativesOf, firstLettersOf } from './alternatives.ts'

/** How far … reaches. */
const GAP = String.raw`[^.!?。\n]{0,30}?`
/** Letters of any script end a word, which \b does not know. */
const END = String.raw`(?![\p{L}\p{N}])`

/** Accents of Latin, Cyrillic and Arabic letters; not those of kana, which are other letters with them. */
const ACCENTS = /[\u0300-\u036F\u064B-\u0655]/gu

/** Where something can start: at each sign of a script that writes without spaces or grows words at the front. */
const STARTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Arabic}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Arabic}])[\p{L}\p{N}])+|[^\s\p{L}\p{N}]/gu

/** Small letters without accents: how concepts are written and texts are looked through. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase().replaceAll('’', "'")

/** Where words start in a folded text. */
export const wordStarts = (folded: string): number[] => [...folded.matchAll(STARTS)].map(({ index }) => index)

export interface Found {
  start: number
  end: number
}

export interface Concept {
  /** Of its expressions; a test reads them. */
  sources: readonly string[]
  /** Every place where it is said. */
  placesIn(folded: string, starts: readonly number[]): Found[]
}

/** Classes such as \p{L} keep their capital. */
const foldSource = (source: string): string =>
  source
    .split('…')
    .map((part) =>
      fold(part).replaceAll(/\\p\{([ln])\}/gu, (_, name: string) => `\\p{${name.toUpperCase()}}`),
    )
    .join('…')

/** The rest of a word: nothing in a concept repeats without bound, whatever a page writes. */
const WORD_CHARACTERS = 24

const bounded = (source: string): string =>
  source
    .replaceAll(String.raw`\p{L}*`, String.raw`\p{L}{0,${WORD_CHARACTERS}}`)
    .replaceAll(String.raw`\p{L}+`, String.raw`\p{L}{1,${WORD_CHARACTERS}}`)

const compile = (alternatives: readonly string[]): RegExp =>
  new RegExp(bounded(alternatives.join('|')).replaceAll('~', END).replaceAll('…', GAP), 'uy')

export function concept(lines: string): Concept {
  const alternatives = lines
    .split('\n')
    .map((line) => foldSource(line.trim()))
    .filter((line) => line !== '')
    .flatMap(alternativesOf)
  const byLetter = new Map<string, string[]>()
  const anywhere: string[] = []
  for (const alternative of alternatives) {
    const letters = firstLettersOf(alternative)
    if (letters === null) anywhere.push(alternative)
    else for (const letter of letters) byLetter.set(letter, [...(byLetter.get(letter) ?? []), alternative])
  }
  const expressions = new Map([...byLetter].map(([letter, own]) => [letter, compile([...own, ...anywhere])]))
  const otherwise = anywhere.length === 0 ? undefined : compile(anywhere)
  return {
    sources: [...expressions.values()].map(({ source }) => source),
    placesIn(folded, starts) {
      const found: Found[] = []
      for (const start of starts) {
        const expression = expressions.get(folded.charAt(start)) ?? otherwise
        if (expression === undefined) continue
        expression.lastIndex = start
        if (expression.test(folded)) found.push({ start, end: expression.lastIndex })
      }
      return found
    },
  }
}
