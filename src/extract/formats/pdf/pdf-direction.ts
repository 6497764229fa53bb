// Lines of scripts that run from right to left: some programs print them from left to right, word by word or letter by
// letter. Here they come in the order in which they are read.
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const LETTERS = /\p{L}/gu
const SAYS_SOMETHING = /[\p{L}\p{N}]/u
const MIRRORED: ReadonlyMap<string, string> = new Map(
  ['()', '[]', '{}', '<>', '«»', '‹›'].flatMap(([left = '', right = '']) => [
    [left, right],
    [right, left],
  ]),
)

/** The words of one line, in the order of reading. Those of other scripts as they came. */
export function inReadingOrder(items: readonly TextItem[]): readonly TextItem[] {
  if (!isMostlyRightToLeft(items)) return items
  return isPrintedFromLeft(items) ? turned(withoutGapsAtMarks(items)) : withSpaces(items)
}

const isMark = (item: TextItem | undefined): boolean =>
  item !== undefined && /^\p{M}+$/u.test(item.str.normalize('NFKC').trim())

/** A vowel mark is printed over the letter before it: going back there looks like a space. */
function withoutGapsAtMarks(items: readonly TextItem[]): TextItem[] {
  return items.filter(
    ({ str }, index) => str.trim() !== '' || !(isMark(items[index - 1]) || isMark(items[index + 1])),
  )
}

/** In heights of the letters. */
const SPACE = 0.1

/** The spaces between words that follow each other leftward, which are told nowhere else. */
function withSpaces(items: readonly TextItem[]): TextItem[] {
  return items.flatMap((item, index) => {
    const before = items[index - 1]
    const isApart = before !== undefined && xOf(before) - (xOf(item) + item.width) > SPACE * item.height
    const isSpaced = before === undefined || /\s$/u.test(before.str) || /^\s/u.test(item.str)
    return isApart && !isSpaced && item.str.trim() !== '' ? [withString(item, ' '), item] : [item]
  })
}

function isMostlyRightToLeft(items: readonly TextItem[]): boolean {
  const letters = items.flatMap(({ str }) => str.match(LETTERS) ?? [])
  return letters.filter((letter) => RIGHT_TO_LEFT.test(letter)).length > letters.length / 2
}

const xOf = ({ transform }: TextItem): number => Number(transform[4] ?? 0)

/** What is printed in its logical order goes leftward from word to word. */
function isPrintedFromLeft(items: readonly TextItem[]): boolean {
  const places = items.filter(({ str }) => str.trim() !== '').map(xOf)
  const steps = places.slice(1).map((x, index) => Math.sign(x - (places[index] ?? x)))
  return steps.reduce((sum, step) => sum + step, 0) > 0
}

/** Words from the right, but for those of other scripts that follow one another, and the digits of a number. */
function turned(items: readonly TextItem[]): TextItem[] {
  const groups: TextItem[][] = []
  for (let at = 0; at < items.length;) {
    const end = endOfOthers(items, at)
    groups.push(groupOf(items.slice(at, end)))
    at = end
  }
  return groups.toReversed().flat()
}

const isRightToLeft = ({ str }: TextItem): boolean => RIGHT_TO_LEFT.test(str)
const hasLetter = ({ str }: TextItem): boolean => /\p{L}/u.test(str)

/** Where the words of another script that begin at `at` end; the next item where none do. */
function endOfOthers(items: readonly TextItem[], at: number): number {
  const first = items[at]
  let end = at + 1
  if (first === undefined || isRightToLeft(first) || !hasLetter(first)) return end
  for (let next = end; next < items.length; next++) {
    const item = items[next]
    if (item === undefined || isRightToLeft(item)) break
    if (/[\p{L}\p{N}]/u.test(item.str)) end = next + 1
  }
  return end
}

/** One word of the line's own script as it is; others with the signs at either end where the reader meets them. */
function groupOf(items: readonly TextItem[]): TextItem[] {
  const [first, last] = [items[0], items.at(-1)]
  if (first === undefined || last === undefined || isRightToLeft(first)) return [...items]
  if (!hasLetter(first)) return numbersOf(first)
  const { before, core, after } = partsOf(first.str)
  if (first === last) return withStrings(first, [mirrored(after), core, mirrored(before)])
  const { after: behind } = partsOf(last.str)
  return [
    ...withStrings(last, [mirrored(behind)]),
    ...withStrings(first, [core + after]),
    ...items.slice(1, -1),
    ...withStrings(last, [last.str.slice(0, last.str.length - behind.length)]),
    ...withStrings(first, [mirrored(before)]),
  ]
}

const says = (character: string): boolean => SAYS_SOMETHING.test(character)

/** The signs before and behind what a text says; all of one that says nothing are before. */
function partsOf(text: string): { before: string; core: string; after: string } {
  const characters = Array.from(text)
  const from = characters.findIndex(says)
  if (from === -1) return { before: text, core: '', after: '' }
  const to = characters.findLastIndex(says) + 1
  const slice = (start: number, end?: number): string => characters.slice(start, end).join('')
  return { before: slice(0, from), core: slice(from, to), after: slice(to) }
}

/** Numbers and signs stand the other way round, the digits of each number as they are. */
function numbersOf(item: TextItem): TextItem[] {
  const parts = item.str.split(/(\s+)/u).toReversed()
  const strings = parts.flatMap((part) => {
    const { before, core, after } = partsOf(part)
    return [mirrored(after), core, mirrored(before)]
  })
  return withStrings(item, strings)
}

const withStrings = (item: TextItem, strings: readonly string[]): TextItem[] =>
  strings.filter((str) => str !== '').map((str) => withString(item, str))

const withString = (item: TextItem, str: string): TextItem => Object.assign({}, item, { str })

const mirrored = (signs: string): string =>
  Array.from(signs, (sign) => MIRRORED.get(sign) ?? sign)
    .toReversed()
    .join('')
