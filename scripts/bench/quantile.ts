// Quantiles of what was timed. Apart from the measurements, because several take them and must count alike.

/** The value below which a `share` (0..1) of the values lies, one of them; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}
