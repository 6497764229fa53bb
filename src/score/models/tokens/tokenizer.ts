// What every tokenizer gives, ours and the library's: tokens, and whose they are.

export interface Tokenizer {
  /** The id of one piece, special ones included; null when it is none. */
  idOf(piece: string): number | null
  /** What a short query is lengthened with; null where there is none. */
  mask: string | null
  /**
   * Ids of the prompt, of `head` and of `parts`, special tokens around them, `maxTokens` in all; `partOf` tells for every
   * id which part it is of, -1 for what stands before and after; `promptEnd` where the prompt ends.
   */
  encodeParts(
    before: { prompt: string; head: string },
    parts: readonly string[],
    maxTokens: number,
  ): { ids: Int32Array; partOf: Int32Array; promptEnd: number }
  /**
   * Ids of two texts, of which the first keeps at most half of `maxTokens`; where token type 1 begins; and for every id
   * which of the parts of the second text it is of, -1 for what is of none or of nobody knows which.
   */
  encodePair(
    first: string,
    second: readonly string[],
    maxTokens: number,
  ): { ids: Int32Array; secondStart: number; partOf: Int32Array }
}
