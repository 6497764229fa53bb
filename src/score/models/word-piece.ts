// BERT's WordPiece tokenizer, exact and about ten times as fast as the general one: words already seen are remembered.
import { ALONE, classOf, classTable, createNormalizer, PART } from './tokens/bert-characters.ts'
import { specialIds, type TokenizerFile, tokenizerSchema } from './tokens/word-piece-file.ts'

/** Words whose pieces are remembered; at about 150 bytes each this stays near 15 MB. When full it starts afresh. */
const MEMO_WORDS = 100_000

export type WordPiece = ReturnType<typeof loadWordPiece>

/** As "[Q]" and "[unused0]" before the texts of late-interaction models. */
const MARKER = /(\[[^\s[\]]+\])/u

/** A copy of its own: a slice of more than a dozen characters would keep the whole text it was cut from in memory. */
function detached(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, 'utf16le').toString('utf16le')
}

const largest = (numbers: Iterable<number>): number => {
  let result = 0
  for (const number of numbers) result = Math.max(result, number)
  return result
}

/** Greedy longest match from the left (Wu et al. 2016, "Google's Neural Machine Translation System", section 4.1). */
function createWordEncoder(
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

/**
 * Reads a `tokenizer.json` (Hugging Face format, model WordPiece) into an encoder of token ids.
 *
 * Ids equal those of the reference (the Rust `tokenizers`) with one intended difference: special tokens written out
 * in a text ("[SEP]") are plain text, so that no page can end its own sequence. Truncation and padding settings in
 * the file are ignored: every call names its own limit.
 *
 * @throws {z.ZodError} when the file is no WordPiece tokenizer with BERT's normalizer and word splitter.
 * @throws {Error} when its unknown token is not in its vocabulary.
 */
export function loadWordPiece(tokenizerJson: unknown) {
  const file = tokenizerSchema.parse(tokenizerJson)
  const vocabulary: ReadonlyMap<string, number> = new Map(Object.entries(file.model.vocab))
  const unknownId = vocabulary.get(file.model.unk_token)
  if (unknownId === undefined)
    throw new Error(`The unknown token ${file.model.unk_token} is not in the vocabulary.`)
  const normalize = createNormalizer(file.normalizer)
  const encodeWord = createWordEncoder(file.model, vocabulary, unknownId)
  // By their own names: a function below that named the file would keep its vocabulary beside the map, 2 MB on each thread.
  const { handle_chinese_chars: ideographsAlone } = file.normalizer
  const classes = classTable(ideographsAlone)
  const special = specialIds(file)
  const addedIds = new Map(file.added_tokens.map(({ content, id }) => [content, id]))

  /** Appends the ids of `text` until `ids` holds `limit`. */
  function append(ids: number[], text: string, limit: number): void {
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

  /** As `append`; a marker in brackets that is a piece stays whole, for the operator and the model's maker wrote it. */
  function appendPrompt(ids: number[], prompt: string, limit: number): void {
    for (const stretch of prompt.split(MARKER)) {
      const marker = addedIds.get(stretch) ?? vocabulary.get(stretch)
      if (marker === undefined || !stretch.startsWith('[')) append(ids, stretch, limit)
      else if (ids.length < limit) ids.push(marker)
    }
  }

  return {
    /** Number of ids: every id is below it. */
    vocabularySize: largest(vocabulary.values()) + 1,
    unknownId,

    /** Ids of `text` alone, without special tokens, cut to `maxTokens`. */
    tokens(text: string, maxTokens: number): Int32Array {
      const ids: number[] = []
      append(ids, text, maxTokens)
      return Int32Array.from(ids)
    },

    /** Ids of `text` with the special tokens around it, `maxTokens` in all (at least as many as there are special ones). */
    encode(text: string, maxTokens: number): Int32Array {
      const ids = [...special.before]
      append(ids, text, Math.max(ids.length, maxTokens - special.after.length))
      return Int32Array.from([...ids, ...special.after])
    },

    /** The id of one piece, special ones included; null when it is none. */
    idOf: (piece: string): number | null => addedIds.get(piece) ?? vocabulary.get(piece) ?? null,

    /**
     * Ids of the prompt, of `head` and then of each of `parts`, with the special tokens around them, `maxTokens` in all;
     * `partOf` tells for every id which part it is of, -1 for what stands before and after; `promptEnd` where the prompt
     * ends. Parts that end at white space give the same ids as one text would.
     */
    encodeParts(
      { prompt, head }: { prompt: string; head: string },
      parts: readonly string[],
      maxTokens: number,
    ): { ids: Int32Array; partOf: Int32Array; promptEnd: number } {
      const limit = Math.max(special.before.length, maxTokens - special.after.length)
      const ids = [...special.before]
      appendPrompt(ids, prompt, limit)
      const promptEnd = ids.length
      append(ids, head, limit)
      const partOf = ids.map(() => -1)
      for (const [part, text] of parts.entries()) {
        append(ids, text, limit)
        while (partOf.length < ids.length) partOf.push(part)
      }
      ids.push(...special.after)
      while (partOf.length < ids.length) partOf.push(-1)
      return { ids: Int32Array.from(ids), partOf: Int32Array.from(partOf), promptEnd }
    },

    /**
     * Ids of a pair for a cross-encoder, `maxTokens` in all. `first` (the query) keeps at most half; `second` gets
     * what is left. `secondStart` is where token type 1 begins.
     */
    encodePair(first: string, second: string, maxTokens: number): { ids: Int32Array; secondStart: number } {
      const ids = [...special.pairBefore]
      append(ids, first, Math.max(ids.length, Math.floor(maxTokens / 2)))
      ids.push(...special.between)
      const secondStart = ids.length
      append(ids, second, Math.max(secondStart, maxTokens - special.pairAfter.length))
      return { ids: Int32Array.from([...ids, ...special.pairAfter]), secondStart }
    },
  }
}
