// A row of the classifier's features while it is filled.

/** A row being filled, left to right. */
export interface Row {
  values: Float32Array
  at: number
}

/** The next feature. */
export const put = (row: Row, value: number): void => {
  row.values[row.at++] = value
}

const TABLED_LOGARITHMS = 4_096
const LOGARITHMS = Float64Array.from({ length: TABLED_LOGARITHMS }, (_, count) => Math.log1p(count))

/** log(1 + count): most of a row's features are such, most counts small. */
export const logOf = (count: number): number => LOGARITHMS[count] ?? Math.log1p(count)
