// The words of a text to the ids of their pieces: where a word ends, and which pieces it is made of.
import { ALONE, classOf, classTable, createNormalizer, PART } from './bert-characters.ts'
import type { TokenizerFile } from './word-piece-file.ts'

/** Words whose pieces are remembered; at about 150 bytes each this stays near 15 MB. When full it starts afresh. */
const MEMO_WORDS = 100_000

/** A copy of its own: a slice of more than a dozen characters would keep the whole text it was cut from in memory. */
function detached(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, 'utf16le').toString('utf16le')
}

/** The largest of numbers that are not negative; 0 for none. */
export const largest = (numbers: Iterable<number>): number => {
  let result = 0
  for (const number of numbers) result = Math.max(result, number)
  return result
}

/** Greedy longest match from the left (Wu et al. 2016, "Google's Neural Machine Translation System", section 4.1). */
export function createWordEncoder(
  { continuing_subword_prefix: prefix, max_input_chars_per_word: limit }: TokenizerFile['model'],
  vocabulary: ReadonlyMap<string, number>,
  unknownId: number,
) {
  const longestPiece = largest(Array.from(vocabulary.keys(), (piece) => piece.length))
  const unknown: readonly number[] = [unknownId]
  let memo = new Map<string, readonly number[]>()

  function split(word: string): readonly number[] {
    const pieces: number[] = []
    for (let start = 0; start < word.length;) {
      let end = Math.min(word.length, start + longestPiece)
      let id: number | undefined
      for (; end > start; end--) {
        const piece = word.slice(start, end)
        id = vocabulary.get(start > 0 ? prefix + piece : piece)
        if (id !== undefined) break
      }
      if (id === undefined) return unknown
      pieces.push(id)
      start = end
    }
    return pieces
  }

  const isTooLong = (word: string): boolean =>
    word.length > limit && (word.length > 2 * limit || Array.from(word).length > limit)

  return (word: string): readonly number[] => {
    const known = memo.get(word)
    if (known !== undefined) return known
    if (isTooLong(word)) return unknown
    const pieces = split(word)
    if (memo.size >= MEMO_WORDS) memo = new Map()
    memo.set(detached(word), pieces)
    return pieces
  }
}

/** Appends the ids of `text` until `ids` holds `limit`. */
export type AppendText = (ids: number[], text: string, limit: number) => void

/** Cuts texts into words as BERT does, and appends what `encodeWord` makes of each. */
export function createTextAppender(
  normalizer: TokenizerFile['normalizer'],
  encodeWord: (word: string) => readonly number[],
): AppendText {
  const normalize = createNormalizer(normalizer)
  const { handle_chinese_chars: ideographsAlone } = normalizer
  const classes = classTable(ideographsAlone)

  return (ids, text, limit) => {
    const normalized = normalize(text)
    let wordStart = -1
    const push = (start: number, end: number): void => {
      for (const id of encodeWord(normalized.slice(start, end))) ids.push(id)
    }
    for (let index = 0; index < normalized.length && ids.length < limit; index++) {
      const unit = normalized.charCodeAt(index)
      let width = 1
      let kind = classes[unit]
      if (unit >= 0xd800 && unit < 0xdc00) {
        const character = String.fromCodePoint(normalized.codePointAt(index) ?? unit)
        width = character.length
        kind = classOf(character, ideographsAlone)
      }
      if (kind === PART) {
        if (wordStart < 0) wordStart = index
      } else {
        if (wordStart >= 0) push(wordStart, index)
        wordStart = -1
        if (kind === ALONE) push(index, index + width)
      }
      index += width - 1
    }
    if (wordStart >= 0 && ids.length < limit) push(wordStart, normalized.length)
    if (ids.length > limit) ids.length = limit
  }
}
