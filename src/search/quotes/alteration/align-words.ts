// Lays the words of a quote beside those of a page: which stand there, which were changed, left out or put in.
// Semi-global alignment by dynamic programming (Needleman and Wunsch, 1970; free ends on the page).

/** Words as codes that are equal where the words are; `isSimilar` knows words that are nearly so, such as a slip. */
export interface AlignedInput {
  quote: Int32Array
  page: Int32Array
  isSimilar: (quoteWord: number, pageWord: number) => boolean
}

/** One step: a word of the quote beside one of the page, or alone, or one of the page alone; -1 for none. */
export interface AlignedPair {
  quote: number
  page: number
}

const SCORE = { equal: 4, similar: 1, changed: -2, alone: -2 } as const
const DIAGONAL = 1
const QUOTE_ALONE = 2
const PAGE_ALONE = 3

/**
 * The pairs in order, from the first word of the page that takes part to the last. Time and memory grow with both
 * lengths.
 */
export function alignWords({ quote, page, isSimilar }: AlignedInput): AlignedPair[] {
  const width = page.length + 1
  const steps = new Uint8Array((quote.length + 1) * width)
  let above = new Int32Array(width)
  for (let row = 1; row <= quote.length; row++) {
    const scores = new Int32Array(width)
    scores[0] = row * SCORE.alone
    steps[row * width] = QUOTE_ALONE
    for (let column = 1; column < width; column++) {
      const pair = pairScore(quote[row - 1] ?? 0, page[column - 1] ?? 0, row - 1, column - 1, isSimilar)
      const diagonal = (above[column - 1] ?? 0) + pair
      const quoteAlone = (above[column] ?? 0) + SCORE.alone
      const pageAlone = (scores[column - 1] ?? 0) + SCORE.alone
      const best = Math.max(diagonal, quoteAlone, pageAlone)
      scores[column] = best
      steps[row * width + column] =
        best === diagonal ? DIAGONAL : best === quoteAlone ? QUOTE_ALONE : PAGE_ALONE
    }
    above = scores
  }
  return traceBack(steps, quote.length, above)
}

function pairScore(
  quoteWord: number,
  pageWord: number,
  row: number,
  column: number,
  isSimilar: AlignedInput['isSimilar'],
): number {
  if (quoteWord === pageWord) return SCORE.equal
  return isSimilar(row, column) ? SCORE.similar : SCORE.changed
}

function traceBack(steps: Uint8Array, rows: number, last: Int32Array): AlignedPair[] {
  const width = last.length
  let column = last.indexOf(Math.max(...last))
  let row = rows
  const pairs: AlignedPair[] = []
  while (row > 0) {
    const step = steps[row * width + column]
    if (step === DIAGONAL) pairs.push({ quote: --row, page: --column })
    else if (step === PAGE_ALONE && column > 0) pairs.push({ quote: -1, page: --column })
    else pairs.push({ quote: --row, page: -1 })
  }
  return pairs.toReversed()
}
