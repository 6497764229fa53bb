// Which parts of a page kept their order when it was edited, so that it is known between what a quote stood: what moved
// is the smaller part of what changed places.
import type { TextSpan } from '../../score/passage.ts'

/** A sentence or line that stands once in each text; offsets into both. */
interface KeptPart {
  before: TextSpan
  now: TextSpan
}

/** Letters and digits of a part that is told from others; shorter ones stand on many pages and in many places. */
const PART_LETTERS_MIN = 12
const PART = /[^.!?。！？\n]+/gu

/**
 * Compares two states of a page, in time that grows with n log n of their sentences. The function it returns says
 * whether `now`, a span of the later text, stands between the same parts as `before` did in the earlier one; null where
 * neither side of it kept anything to tell that by.
 */
export function createKeptOrder(before: string, now: string) {
  const kept = heaviestInOrder(sharedParts(before, now))
  return function isInOrder(stood: TextSpan, stands: TextSpan): boolean | null {
    const earlier = kept.findLast((part) => part.before.end <= stood.start)
    const later = kept.find((part) => part.before.start >= stood.end)
    if (earlier === undefined && later === undefined) return null
    const isBehind = earlier === undefined || earlier.now.end <= stands.start
    return isBehind && (later === undefined || stands.end <= later.now.start)
  }
}

/** In the order of `before`. */
function sharedParts(before: string, now: string): KeptPart[] {
  const [earlier, later] = [partsOf(before), partsOf(now)]
  return [...earlier].flatMap(([key, span]) => {
    const other = later.get(key)
    return span === null || other === undefined || other === null ? [] : [{ before: span, now: other }]
  })
}

/** Parts by their letters; null for those that stand there more than once. */
function partsOf(text: string): Map<string, TextSpan | null> {
  const parts = new Map<string, TextSpan | null>()
  for (const { 0: part, index } of text.matchAll(PART)) {
    const key = part.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
    if (key.length < PART_LETTERS_MIN) continue
    parts.set(key, parts.has(key) ? null : { start: index, end: index + part.length })
  }
  return parts
}

/**
 * The heaviest run of parts whose places in the later text increase; a part weighs as much as it is long (heaviest
 * increasing subsequence, with a Fenwick tree of maxima: Fredman 1975, Fenwick 1994).
 */
function heaviestInOrder(parts: readonly KeptPart[]): KeptPart[] {
  const ranks = new Int32Array(parts.length)
  const byNow = [...parts.keys()].toSorted((left, right) => startNow(parts, left) - startNow(parts, right))
  for (const [rank, index] of byNow.entries()) ranks[index] = rank + 1
  const weights = new Float64Array(parts.length)
  const previous = new Int32Array(parts.length).fill(-1)
  const tree = new Int32Array(parts.length + 1).fill(-1)
  const weightOf = (index: number): number => (index < 0 ? 0 : (weights[index] ?? 0))
  let best = -1
  for (const [index, { before }] of parts.entries()) {
    const rank = ranks[index] ?? 0
    let heaviest = -1
    for (let node = rank - 1; node > 0; node -= node & -node) {
      const candidate = tree[node] ?? -1
      if (weightOf(candidate) > weightOf(heaviest)) heaviest = candidate
    }
    weights[index] = weightOf(heaviest) + before.end - before.start
    previous[index] = heaviest
    for (let node = rank; node <= parts.length; node += node & -node)
      if (weightOf(index) > weightOf(tree[node] ?? -1)) tree[node] = index
    if (weightOf(index) > weightOf(best)) best = index
  }
  const kept: KeptPart[] = []
  for (let index = best; index >= 0; index = previous[index] ?? -1) {
    const part = parts[index]
    if (part !== undefined) kept.push(part)
  }
  return kept.toReversed()
}

const startNow = (parts: readonly KeptPart[], index: number): number => parts[index]?.now.start ?? 0
