// Which passages of one page are its snippets: the likeliest, none of which overlaps or repeats another.
import { likeliestFirst, type ScoredPassage } from '../rank.ts'

/** Two passages that share this much of the smaller one's wording say the same. */
const SAME_WORDING_SHARE = 0.7
const SHINGLE_WORDS = 3
/**
 * Passages of a page that are compared with those picked: a page of thousands that say the same would keep the serving
 * thread for seconds. What comes after them is left out.
 */
const COMPARED_MAX = 200

/**
 * The best passages of one page, most relevant first: at or above `threshold`, at most `count`, none overlapping and
 * no two saying the same.
 */
export function pickSnippets(
  passages: readonly ScoredPassage[],
  options: { threshold: number; count: number },
): ScoredPassage[] {
  const candidates = passages
    .filter((passage) => passage.relevance >= options.threshold)
    .toSorted(likeliestFirst)
  const picked: { passage: ScoredPassage; shingles: Set<number> }[] = []
  let compared = 0
  for (const passage of candidates) {
    if (picked.length === options.count || compared === COMPARED_MAX) break
    if (picked.some((earlier) => overlaps(earlier.passage, passage))) continue
    compared += 1
    const shingles = wordShingles(passage.text)
    const isRepeated = picked.some((earlier) => sharedShare(earlier.shingles, shingles) >= SAME_WORDING_SHARE)
    if (!isRepeated) picked.push({ passage, shingles })
  }
  return picked.map(({ passage }) => passage)
}

function overlaps(left: ScoredPassage, right: ScoredPassage): boolean {
  return left.start < right.end && right.start < left.end
}

/** Word triples of the normalised text, as numbers; for text without word breaks (CJK, Thai) character triples. */
function wordShingles(text: string): Set<number> {
  const normalised = text.normalize('NFKC').toLowerCase()
  const words = normalised.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.reduce((sum, word) => sum + word.length, 0)
  const isUnspaced = words.length > 0 && letters / words.length > 12
  const units = isUnspaced
    ? Array.from(words.join(''), (character) => character.codePointAt(0) ?? 0)
    : words.map((word) => mixed(FIRST_STATE, word))
  const last = Math.max(1, units.length - SHINGLE_WORDS + 1)
  const shingles = new Set<number>()
  for (let at = 0; at < last; at += 1) {
    let state = FIRST_STATE
    for (let unit = at; unit < Math.min(units.length, at + SHINGLE_WORDS); unit += 1)
      state = mixedIn(state, units[unit] ?? 0)
    shingles.add(state)
  }
  return shingles
}

/** FNV-1a: two of the few hundred triples of a page's snippets meet by chance once in tens of thousands of pages. */
const FIRST_STATE = 0x811c9dc5
const mixedIn = (state: number, unit: number): number => Math.imul(state ^ unit, 0x01000193) >>> 0

function mixed(state: number, word: string): number {
  let result = state
  for (let at = 0; at < word.length; at += 1) result = mixedIn(result, word.charCodeAt(at))
  return result
}

function sharedShare(left: ReadonlySet<number>, right: ReadonlySet<number>): number {
  const [small, large] = left.size <= right.size ? [left, right] : [right, left]
  let shared = 0
  for (const shingle of small) if (large.has(shingle)) shared += 1
  return shared / small.size
}
