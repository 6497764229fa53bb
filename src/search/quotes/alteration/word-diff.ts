// How an altered quote differs from what stands on the page, word by word and by the signs between the words.
import type { AlignedPair } from './align-words.ts'
import type { PageWords } from '../page-words.ts'

/** A run of words that both have, that the page alone has, or the quote alone. */
export interface DiffPart {
  op: 'same' | 'page' | 'quote'
  text: string
}

/** A text with its words. */
interface Side {
  text: string
  words: PageWords
}

/** The differences as runs, in the spelling of their side. `equal` tells of each pair whether its words are the same. */
export function diffOf(
  quote: Side,
  page: Side,
  pairs: readonly AlignedPair[],
  equal: readonly boolean[],
): DiffPart[] {
  const parts: DiffPart[] = []
  let at = 0
  while (at < pairs.length) {
    const same = equal[at] === true
    let end = at
    while (end < pairs.length && (equal[end] === true) === same) end += 1
    const run = pairs.slice(at, end)
    if (same) parts.push(...agreedParts(quote, page, run))
    else {
      const [missing, added] = [
        textOf(
          page,
          run.map((pair) => pair.page),
        ),
        textOf(
          quote,
          run.map((pair) => pair.quote),
        ),
      ]
      if (missing !== '') parts.push({ op: 'page', text: missing })
      if (added !== '') parts.push({ op: 'quote', text: added })
    }
    at = end
  }
  return parts
}

/** Words that agree, parted where the signs beside them do not: "$5" is not "€5". */
function agreedParts(quote: Side, page: Side, run: readonly AlignedPair[]): DiffPart[] {
  const parts: DiffPart[] = []
  let from = 0
  for (let at = 0; at <= run.length; at++) {
    const signs = differingSigns(quote, page, run[at - 1], run[at])
    if (signs.length === 0 && at < run.length) continue
    const text = textOf(
      page,
      run.slice(from, at).map((pair) => pair.page),
    )
    parts.push(...(text === '' ? [] : [{ op: 'same' as const, text }]), ...signs)
    from = at
  }
  return parts
}

/** What stands between two words that agree, or beside the quote's first or last one, where it is not the same. */
function differingSigns(quote: Side, page: Side, left?: AlignedPair, right?: AlignedPair): DiffPart[] {
  const isWithin = left !== undefined && right !== undefined
  if (left === undefined && right?.quote !== 0) return []
  if (right === undefined && left?.quote !== quote.words.count - 1) return []
  const quoted = signsBetween(quote, left?.quote, right?.quote)
  const found = signsBetween(page, left?.page, right?.page)
  // The page goes on where the quote ends, and the quote may close with a sign of its own sentence.
  const isEndAlike =
    left === undefined ? found.plain.endsWith(quoted.plain) : found.plain.startsWith(quoted.plain)
  const isOwnSign = right === undefined && /^[.,;:]$/u.test(quoted.plain)
  if (quoted.plain === found.plain || (!isWithin && (isEndAlike || isOwnSign))) return []
  const parts: DiffPart[] = [
    { op: 'page', text: found.text },
    { op: 'quote', text: quoted.text },
  ]
  return parts.filter(({ text }) => text !== '')
}

const SIGNS_MAX = 4
const SIGNS_BEFORE = /[^\s\p{L}\p{N}]{0,4}$/u
const SIGNS_BEHIND = /^[^\s\p{L}\p{N}]{0,4}/u

/** The signs between two neighbouring words, or those that touch the one that is given; `plain` as they are compared. */
function signsBetween({ text, words }: Side, left?: number, right?: number): { plain: string; text: string } {
  const { folded, starts, ends } = words
  let [start, end] = [ends[left ?? -1] ?? 0, starts[right ?? -1] ?? folded.text.length]
  if (left === undefined)
    start = end - (SIGNS_BEFORE.exec(folded.text.slice(Math.max(0, end - SIGNS_MAX), end))?.[0].length ?? 0)
  if (right === undefined)
    end = start + (SIGNS_BEHIND.exec(folded.text.slice(start, start + SIGNS_MAX))?.[0].length ?? 0)
  const plain = folded.text.slice(start, end).replace(/\s/gu, '')
  const span = folded.originalOf(start, end)
  return { plain, text: plain === '' ? '' : text.slice(span.start, span.end).trim() }
}

/** The text from the first to the last of these words. */
function textOf({ text, words }: Side, indexes: readonly number[]): string {
  const known = indexes.filter((index) => index >= 0)
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return ''
  const { start, end } = words.folded.originalOf(words.starts[first] ?? 0, words.ends[last] ?? 0)
  return text.slice(start, end)
}
