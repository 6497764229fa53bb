// What a re-ranker says of each part of a passage: the mean of what it says of the part's tokens.

/** How many numbers a passage with so many parts is answered with: its logit, and one for each part. */
export const rankingWidth = (partCount: number): number => 1 + partCount

/** Of each of `count` parts the mean over its tokens, NaN for one without any; `partOf` tells which part a token is of. */
export function partMeans(
  values: Float32Array,
  partOf: Int32Array,
  count: number,
): Float32Array<ArrayBuffer> {
  const [sums, tokens] = [new Float64Array(count), new Int32Array(count)]
  for (const [token, part] of partOf.entries()) {
    if (part < 0 || part >= count) continue
    sums[part] = (sums[part] ?? 0) + (values[token] ?? Number.NaN)
    tokens[part] = (tokens[part] ?? 0) + 1
  }
  // Nought by nought is no number, and neither is what nobody read.
  return Float32Array.from(sums, (sum, part) => sum / (tokens[part] ?? 0))
}
