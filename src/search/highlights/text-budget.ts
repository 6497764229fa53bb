// How much of a text fits where only so much may be returned: in characters, or in tokens of a language model.

/** What a caller allows; null for no limit. */
export interface TextBudget {
  maxCharacters: number | null
  maxTokens: number | null
}

/**
 * Characters of Latin text for a token: the tokenizers of current language models need four in English prose, three in
 * other languages and code. Scripts without word breaks take about one token a character.
 */
const CHARACTERS_PER_TOKEN = 3
const isDense = (unit: number): boolean =>
  (unit >= 0x0e00 && unit <= 0x0e7f) ||
  (unit >= 0x3040 && unit <= 0x30ff) ||
  (unit >= 0x3400 && unit <= 0x4dbf) ||
  (unit >= 0x4e00 && unit <= 0x9fff) ||
  (unit >= 0xac00 && unit <= 0xd7af)

/** Tokens of a text, on the high side: an answer that is a little short harms nobody, one that is too long is refused. */
export function estimateTokens(text: string): number {
  // A page is counted on the thread that serves: a list of its matches would be a million strings.
  let dense = 0
  for (let at = 0; at < text.length; at += 1) if (isDense(text.charCodeAt(at))) dense += 1
  return dense + Math.ceil((text.length - dense) / CHARACTERS_PER_TOKEN)
}

/** What is left of a budget once `text` is spent; never below 0. */
export function budgetAfter({ maxCharacters, maxTokens }: TextBudget, text: string): TextBudget {
  return {
    maxCharacters: maxCharacters === null ? null : Math.max(0, maxCharacters - text.length),
    maxTokens: maxTokens === null ? null : Math.max(0, maxTokens - estimateTokens(text)),
  }
}

/** Whether a text fits as a whole. */
export const fits = (text: string, { maxCharacters, maxTokens }: TextBudget): boolean =>
  (maxCharacters === null || text.length <= maxCharacters) &&
  // No character is more than a token: what is short enough need not be looked at.
  (maxTokens === null || text.length <= maxTokens || isWithin(text, maxTokens))

/** What is certainly too long is not counted to its end. */
const isWithin = (text: string, tokens: number): boolean =>
  text.length <= tokens * CHARACTERS_PER_TOKEN && estimateTokens(text) <= tokens

/** Where a text may end: after a line, a sentence, a word. */
const ENDINGS = [/\n/gu, /[.!?](?=\s)|[。！？]/gu, /\s/gu]
/** What may be given up of a text for an end at one of them: a share of it, and no more than so many characters. */
const LOSS_SHARE_MAX = 0.3
const LOSS_CHARACTERS_MAX = 2_000

/** The beginning of `text` that fits, ended after a line, else a sentence, else a word, where that costs little. */
export function cutToFit(text: string, budget: TextBudget): string {
  if (fits(text, budget)) return text
  const { maxCharacters, maxTokens } = budget
  const byTokens = maxTokens === null ? text.length : charactersOfTokens(text, maxTokens)
  const end = Math.min(byTokens, maxCharacters ?? text.length)
  const loss = Math.ceil(Math.min(end * LOSS_SHARE_MAX, LOSS_CHARACTERS_MAX))
  const tail = text.slice(end - loss, end)
  for (const ending of ENDINGS) {
    const last = [...tail.matchAll(ending)].at(-1)
    if (last !== undefined) return text.slice(0, end - loss + last.index + last[0].length).trimEnd()
  }
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/u, '')
}

const CHUNK_CHARACTERS = 1_000

/** The longest beginning that is estimated at no more than `tokens`: chunk by chunk, the last one by halving. */
function charactersOfTokens(text: string, tokens: number): number {
  let left = tokens
  let start = 0
  for (; start < text.length; start += CHUNK_CHARACTERS) {
    const cost = estimateTokens(text.slice(start, start + CHUNK_CHARACTERS))
    if (cost > left) break
    left -= cost
  }
  let [low, high] = [0, Math.min(CHUNK_CHARACTERS, text.length - start)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (estimateTokens(text.slice(start, start + middle)) <= left) low = middle
    else high = middle - 1
  }
  return start + low
}
