// Quantiles of what was timed.

/** The least of the values that a `share` (0..1) of them does not exceed: the nearest rank; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
