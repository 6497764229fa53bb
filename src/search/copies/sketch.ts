// A page's content as the smallest hashes of its runs of three words: enough to tell how much of it another page repeats
// (bottom-k sketches: Cohen and Kaplan, "Summarizing data using bottom-k sketches", PODC 2007).
import type { PageText } from '../../extract/document.ts'

/** Ascending and different, at most SKETCH_SIZE; fewer for a page with fewer runs. */
export type Sketch = Uint32Array

const SKETCH_SIZE = 256
/** Blocks less likely content are the site's own, which differs where the same text is printed twice. */
const CONTENT_WEIGHT_MIN = 0.5
/** Pages of fewer runs say too little to be told from others. */
const RUNS_MIN = 40
const WORD = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[\p{L}\p{N}]+/gu

/** Empty for a page with little text. Time in proportion to the page. */
export function sketchOf({ text, blocks }: Pick<PageText, 'text' | 'blocks'>): Sketch {
  const hashes = new Set<number>()
  let [before, last] = [0, 0]
  for (const { start, end, contentWeight } of blocks) {
    if (contentWeight < CONTENT_WEIGHT_MIN) continue
    for (const [word] of text.slice(start, end).toLowerCase().matchAll(WORD)) {
      const own = hashOf(word)
      if (before !== 0) hashes.add(mix(before, last, own))
      ;[before, last] = [last, own]
    }
  }
  if (hashes.size < RUNS_MIN) return new Uint32Array(0)
  return Uint32Array.from(hashes).toSorted().slice(0, SKETCH_SIZE)
}

/** FNV-1a over UTF-16 units; never 0, which stands for no word. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0 || 1
}

/** Three words as one hash, spread evenly (the finalizer of MurmurHash3). */
function mix(first: number, second: number, third: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77) ^ third
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Share of the runs of both that both have (Jaccard), 0..1, within some hundredths; 0 where either says too little. */
export function sharedShare(left: Sketch, right: Sketch): number {
  const size = Math.min(SKETCH_SIZE, left.length, right.length)
  let [at, to, seen, shared] = [0, 0, 0, 0]
  while (seen < size && at < left.length && to < right.length) {
    const [a, b] = [left[at] ?? 0, right[to] ?? 0]
    if (a === b) shared += 1
    if (a <= b) at += 1
    if (b <= a) to += 1
    seen += 1
  }
  return seen === 0 ? 0 : shared / seen
}

/** How many runs a page has, from its sketch: exact for a short one, within some hundredths for a long one. */
function runCount(sketch: Sketch): number {
  const greatest = sketch.at(-1) ?? 0
  return sketch.length < SKETCH_SIZE ? sketch.length : ((SKETCH_SIZE - 1) / greatest) * 2 ** 32
}

/** Share of the runs of the shorter page that the longer one has, 0..1, from what both share of all; as exact as that is. */
export function containedShare(left: Sketch, right: Sketch): number {
  const shared = sharedShare(left, right)
  if (shared === 0) return 0
  const [one, other] = [runCount(left), runCount(right)]
  return Math.min(1, (shared / (1 + shared)) * ((one + other) / Math.min(one, other)))
}
