// Which passages of which pages make the answer, and in what order. Pure: everything random, slow or external has
// happened before.

import type { TextSpan } from '../score/passage.ts'
import type { ScoreAnswer, ScoredBy } from '../score/scorer.ts'
import type { SearchRequest } from '../contract.ts'
import type { DepthBudget } from './depth.ts'

/** A sentence, list item, row or line: offsets into the passage's text, and how likely it answers. */
export interface ScoredPart extends TextSpan {
  /** 0..1. */
  relevance: number
}

export interface ScoredPassage {
  /** UTF-16 offsets into the page's text. */
  start: number
  end: number
  text: string
  /** What stands above it: headings, outermost first, and for rows of a table the headers of their cells. */
  headings: readonly string[]
  /** Calibrated probability of relevance, 0..1. */
  relevance: number
  /** The last stage that judged it. */
  scoredBy: ScoredBy
  /** Null where it was not told part by part. */
  parts: readonly ScoredPart[] | null
}

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
    .toSorted((a, b) => b.relevance - a.relevance || a.start - b.start)
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

/**
 * The least score of a snippet that is returned, by the depth and by what the caller asks beyond it: 0..1, or infinite
 * when no passage keeps the error that the caller allows: then nothing is returned, which is the promise.
 */
export function leastScoreOf(
  { request, budget }: { request: SearchRequest; budget: DepthBudget },
  { promises }: Pick<ScoreAnswer, 'promises'>,
): number {
  const least = Math.max(budget.threshold, request.min_score ?? 0)
  const maxError = request.max_error ?? null
  if (maxError === null) return least
  const keeping = promises.filter((promise) => promise.maxError <= maxError).map((promise) => promise.least)
  return Math.max(least, Math.min(Number.POSITIVE_INFINITY, ...keeping))
}

/** Four decimals: finer differences mean nothing, and shorter numbers are easier to read and compare. */
export function roundScore(relevance: number): number {
  return Math.round(Math.min(1, Math.max(0, relevance)) * 10_000) / 10_000
}

export interface RankablePage {
  /** Place in the provider's list, from 0. */
  position: number
  /** Its best snippet's relevance; null when it has none. */
  bestRelevance: number | null
  /** True when the page could not be read: it keeps its place in the answer, without snippets. */
  failed: boolean
}

/**
 * The pages of the answer in order, at most `count`. Pages with snippets come first, best first; then the others in
 * the provider's order. A page among the provider's first `count` is never pushed out for having failed.
 */
export function rankPages<T extends RankablePage>(pages: readonly T[], count: number): T[] {
  const first = pages.toSorted((a, b) => a.position - b.position).slice(0, count)
  const kept = new Set(first.filter((page) => page.failed))
  for (const page of pages.toSorted(byRelevance)) {
    if (kept.size === count) break
    kept.add(page)
  }
  return [...kept].toSorted(byRelevance)
}

function byRelevance(left: RankablePage, right: RankablePage): number {
  return (right.bestRelevance ?? -1) - (left.bestRelevance ?? -1) || left.position - right.position
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
