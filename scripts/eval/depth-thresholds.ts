// What the thresholds of the depths let through: true passages kept, and noise where nothing is relevant.
import { DEPTHS } from '../../src/search/depth.ts'
import type { MethodResult } from './ranking.ts'

/** One line a depth: shares over all shown passages and over the queries that nothing answers. */
export function thresholdLines({ judged }: MethodResult): string[] {
  const sets = Array.from(judged)
  const answerable = sets.filter(([, list]) => list.some(({ isRelevant }) => isRelevant))
  const shown = answerable.flatMap(([, list]) => list)
  const unanswerable = sets.filter(([, list]) => !list.some(({ isRelevant }) => isRelevant))
  return Object.entries(DEPTHS).map(([depth, { threshold }]) => {
    const returned = shown.filter(({ score }) => score >= threshold)
    const relevant = shown.filter(({ isRelevant }) => isRelevant)
    const kept = relevant.filter(({ score }) => score >= threshold).length / Math.max(1, relevant.length)
    const right = returned.filter(({ isRelevant }) => isRelevant).length / Math.max(1, returned.length)
    const noise = unanswerable.flatMap(([, list]) => list)
    const noiseKept = noise.filter(({ score }) => score >= threshold).length / Math.max(1, noise.length)
    const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
    return `| ${depth} | ${threshold} | ${percent(kept)} | ${percent(right)} | ${percent(noiseKept)} |`
  })
}

export const THRESHOLD_HEAD =
  '| depth | threshold | relevant passages kept | of those returned, relevant | passages returned where nothing is relevant |\n| --- | ---: | ---: | ---: | ---: |'
