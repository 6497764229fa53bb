// How much of a query's spelling stands in a text, by runs of three letters: meets compounds, endings no stemmer knows,
// and slips of the keyboard.

/** Slots of the filter; a query has some hundred trigrams, so that few texts meet one by chance. */
const SLOTS = 1 << 14
const SPACE = 32

/** A place in the filter for three UTF-16 units (multiplicative hashing, Knuth, TAOCP vol. 3, 6.4). */
const slotOf = (first: number, second: number, third: number): number =>
  (Math.imul(Math.imul(first, 31) + second, 0x9e3779b1) + Math.imul(third, 0x85ebca6b)) >>> 18

/**
 * Prepares the trigrams of the query's words, each weighed by its word. Returns the share of that weight which stands in
 * a normalized text, 0..1.
 */
export function createTrigramCoverage(
  words: readonly { word: string; weight: number }[],
): (text: string) => number {
  const weights = new Float64Array(SLOTS)
  const seen = new Uint32Array(SLOTS)
  let [total, turn] = [0, 0]
  for (const { word, weight } of words) {
    if (word.length < 3 || weight <= 0) continue
    const share = weight / (word.length - 2)
    for (let at = 0; at + 2 < word.length; at++) {
      const slot = slotOf(word.charCodeAt(at), word.charCodeAt(at + 1), word.charCodeAt(at + 2))
      if ((weights[slot] ?? 0) === 0) total += share
      weights[slot] = Math.max(weights[slot] ?? 0, share)
    }
  }
  return (text) => {
    if (total === 0) return 0
    turn += 1
    let [covered, first, second] = [0, SPACE, SPACE]
    for (let at = 0; at < text.length; at++) {
      const third = text.charCodeAt(at)
      const slot = slotOf(first, second, third)
      const weight = weights[slot] ?? 0
      if (weight > 0 && seen[slot] !== turn) {
        covered += weight
        seen[slot] = turn
      }
      first = second
      second = third
    }
    return Math.min(1, covered / total)
  }
}
