// How far a probability that was promised is from what was found.
import type { ReliabilityBin } from '../relevance/calibration.ts'

const BINS = 10

export interface JudgedScore {
  score: number
  isRelevant: boolean
}

/** Ten bins of equal width over 0..1, with what was promised and what was found in each. */
export function reliabilityOf(judged: readonly JudgedScore[]): ReliabilityBin[] {
  return Array.from({ length: BINS }, (_, bin) => {
    const inside = judged.filter(({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)) === bin)
    const count = inside.length
    const sum = inside.reduce((total, { score }) => total + score, 0)
    const relevant = inside.filter(({ isRelevant }) => isRelevant).length
    return {
      from: bin / BINS,
      to: (bin + 1) / BINS,
      count,
      meanScore: count > 0 ? sum / count : 0,
      relevantShare: count > 0 ? relevant / count : 0,
    }
  })
}

/** Mean distance between promise and finding, weighed by the number of passages (Naeini et al., AAAI 2015). */
export function expectedCalibrationError(bins: readonly ReliabilityBin[]): number {
  const total = bins.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return 0
  return bins.reduce((sum, bin) => sum + (bin.count / total) * Math.abs(bin.meanScore - bin.relevantShare), 0)
}
