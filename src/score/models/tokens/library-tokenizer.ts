// Unigram, byte-pair and other tokenizers: the library's, with what it does not tell, which token is whose.
import type { PreTrainedTokenizer } from '@xenova/transformers'
import type { Tokenizer } from './tokenizer.ts'

/** Texts whose tokens are looked for among special ones, to learn where these stand. */
const PROBES = ['a', 'b'] as const

/** Where `ids` stand in `among`, from `from` on; -1 when they do not. */
function findIds(among: readonly number[], ids: readonly number[], from: number): number {
  for (let start = from; start + ids.length <= among.length; start++)
    if (ids.every((id, at) => among[start + at] === id)) return start
  return -1
}

/** Special tokens before, between and after texts, and the first of the second text's. */
function framesOf(tokenizer: PreTrainedTokenizer, bare: (text: string) => number[]) {
  const [first, second] = PROBES
  const framed = tokenizer.encode(first)
  const start = findIds(framed, bare(first), 0)
  const both: number[] = tokenizer.encode(first, { text_pair: second })
  const firstStart = findIds(both, bare(first), 0)
  const firstEnd = firstStart + bare(first).length
  const secondStart = findIds(both, bare(second), firstEnd)
  if (Math.min(start, firstStart, secondStart) < 0)
    throw new Error('The tokenizer does not keep a text among its special tokens.')
  const { token_type_ids: types } = tokenizer(first, {
    text_pair: second,
    return_tensor: false,
    return_token_type_ids: true,
  })
  return {
    before: framed.slice(0, start),
    after: framed.slice(start + bare(first).length),
    pairBefore: both.slice(0, firstStart),
    between: both.slice(firstEnd, secondStart),
    pairAfter: both.slice(secondStart + bare(second).length),
    /** Tokens of type 1 begin so many before the second text; null where there are none. */
    typedBefore: types?.includes(1) === true ? secondStart - types.indexOf(1) : null,
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/gu, String.raw`\$&`)

/** Special tokens written out in a page are plain text, so that no page can end its own sequence. */
function createDefuser(special: readonly string[]): (text: string) => string {
  if (special.length === 0) return (text) => text
  const longestFirst = special.toSorted((a, b) => b.length - a.length)
  const written = new RegExp(longestFirst.map(escaped).join('|'), 'gu')
  return (text) => text.replace(written, (token) => `${token.slice(0, 1)} ${token.slice(1)}`)
}

/**
 * Reads a `tokenizer.json` of any kind that the library knows.
 * @throws {Error} when it does not know it.
 */
export async function loadLibraryTokenizer(
  tokenizerJson: object,
  tokenizerConfig: object,
): Promise<Tokenizer> {
  // Forty megabytes, which the models that ship do without.
  const { PreTrainedTokenizer: Library } = await import('@xenova/transformers')
  const tokenizer = new Library(tokenizerJson, tokenizerConfig)
  const bare = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false })
  const frames = framesOf(tokenizer, bare)
  const defuse = createDefuser(tokenizer.all_special_tokens)

  /** Writes from `at` on which of `parts` each of `count` tokens is of; `above` stands before the first. */
  function markParts(
    partOf: Int32Array,
    { at, count, above }: { at: number; count: number; above: string },
    parts: readonly string[],
  ): void {
    // The tokens of a part are those that the text up to its end has more than up to its start.
    let from = above === '' ? 0 : bare(above).length
    let seen = above
    for (const [part, stretch] of parts.entries()) {
      if (from >= count) break
      seen += defuse(stretch)
      const to = part === parts.length - 1 ? count : Math.min(count, bare(seen).length)
      partOf.fill(part, at + from, at + Math.max(from, to))
      from = Math.max(from, to)
    }
  }

  return {
    idOf: (token) => tokenizer.convert_tokens_to_ids(token) ?? null,
    mask: tokenizer.mask_token ?? tokenizer.eos_token ?? null,

    encodeParts({ prompt, head }, parts, maxTokens) {
      const { before, after } = frames
      const above = `${prompt}${defuse(head === '' ? '' : `${head}\n`)}`
      const text = defuse(parts.join(''))
      const room = Math.max(0, maxTokens - before.length - after.length)
      const own = bare(`${above}${text}`).slice(0, room)
      const partOf = new Int32Array(before.length + own.length + after.length).fill(-1)
      markParts(partOf, { at: before.length, count: own.length, above }, parts)
      const promptEnd = before.length + Math.min(own.length, prompt === '' ? 0 : bare(prompt).length)
      return { ids: Int32Array.from([...before, ...own, ...after]), partOf, promptEnd }
    },

    encodePair(first, parts, maxTokens) {
      const { pairBefore, between, pairAfter, typedBefore } = frames
      const room = Math.max(0, maxTokens - pairBefore.length - between.length - pairAfter.length)
      const asked = bare(defuse(first)).slice(0, Math.floor(room / 2))
      const told = bare(defuse(parts.join(''))).slice(0, room - asked.length)
      const ids = Int32Array.from([...pairBefore, ...asked, ...between, ...told, ...pairAfter])
      const start = pairBefore.length + asked.length + between.length
      const partOf = new Int32Array(ids.length).fill(-1)
      markParts(partOf, { at: start, count: told.length, above: '' }, parts)
      return { ids, secondStart: typedBefore === null ? ids.length : start - typedBefore, partOf }
    },
  }
}
