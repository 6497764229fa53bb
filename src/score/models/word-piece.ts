// BERT's WordPiece tokenizer, exact and about ten times as fast as the general one: words already seen are remembered.
import { createTextAppender, createWordEncoder, type AppendText, largest } from './tokens/word-encoder.ts'
import { specialIds, tokenizerSchema } from './tokens/word-piece-file.ts'

export type WordPiece = ReturnType<typeof loadWordPiece>

/** As "[Q]" and "[unused0]" before the texts of late-interaction models. */
const MARKER = /(\[[^\s[\]]+\])/u

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
  const encodeWord = createWordEncoder(file.model, vocabulary, unknownId)
  // No function below names the file: it would keep its vocabulary beside the map, 2 MB on each thread.
  const append = createTextAppender(file.normalizer, encodeWord)
  const special = specialIds(file)
  const addedIds = new Map(file.added_tokens.map(({ content, id }) => [content, id]))

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

    /** See `encodeParts`. */
    encodeParts: (asked: PromptedText, parts: readonly string[], maxTokens: number): EncodedParts =>
      encodeParts({ append, appendPrompt, special }, asked, parts, maxTokens),

    /**
     * Ids of a pair for a cross-encoder, `maxTokens` in all. `first` (the query) keeps at most half; `second`, which may
     * come in parts, gets what is left. `secondStart` is where token type 1 begins; `partOf` tells which part each id is of.
     */
    encodePair(first: string, second: readonly string[], maxTokens: number): EncodedPair {
      const ids = [...special.pairBefore]
      append(ids, first, Math.max(ids.length, Math.floor(maxTokens / 2)))
      ids.push(...special.between)
      const secondStart = ids.length
      append(ids, second.join(''), Math.max(secondStart, maxTokens - special.pairAfter.length))
      const partOf = new Int32Array(ids.length + special.pairAfter.length).fill(-1)
      partOf.set(partsOf(append, ids.slice(secondStart), second), secondStart)
      return { ids: Int32Array.from([...ids, ...special.pairAfter]), secondStart, partOf }
    },
  }
}

/**
 * Which of `parts` each of the `ids` is of that the text got as a whole. -1 for all where one of them begins inside a word,
 * which has other pieces than both its halves.
 */
function partsOf(append: AppendText, ids: readonly number[], parts: readonly string[]): Int32Array {
  const partOf = new Int32Array(ids.length)
  if (parts.length < 2) return partOf
  const read: number[] = []
  for (const [part, text] of parts.entries()) {
    const from = read.length
    append(read, text, ids.length)
    partOf.fill(part, from, read.length)
  }
  return read.every((id, at) => id === ids[at]) ? partOf : partOf.fill(-1)
}

interface PromptedText {
  prompt: string
  head: string
}

interface EncodedPair {
  ids: Int32Array
  secondStart: number
  partOf: Int32Array
}

interface EncodedParts {
  ids: Int32Array
  /** Which part each id is of. */
  partOf: Int32Array
  promptEnd: number
}

interface Appending {
  append: AppendText
  appendPrompt: AppendText
  special: ReturnType<typeof specialIds>
}

/**
 * Ids of the prompt, of `head` and then of each of `parts`, with the special tokens around them, `maxTokens` in all;
 * `partOf` tells for every id which part it is of, -1 for what stands before and after; `promptEnd` where the prompt
 * ends. Parts that end at white space give the same ids as one text would.
 */
function encodeParts(
  { append, appendPrompt, special }: Appending,
  { prompt, head }: PromptedText,
  parts: readonly string[],
  maxTokens: number,
): EncodedParts {
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
}
