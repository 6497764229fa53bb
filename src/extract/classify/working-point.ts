// From which weight on a block of a page counts as content, where a yes or no is needed.
import type { Block } from '../document.ts'

/** Above it the passages lost would weigh more than the doubtful ones let in (measured: models/extraction/README.md). */
const HIGHEST = 0.3

/**
 * The least weight of blocks that count as content, 0..0.3; 0 for a page without blocks. It is chosen for each page: the
 * one at which the expected F1 over its characters is highest, taking every weight for the probability that it is. A
 * list of headlines, of which no line is certain, is then kept; of an article, which is, the doubtful lines beside it
 * are not.
 */
export function contentWeightLeast(
  blocks: readonly Pick<Block, 'contentWeight' | 'start' | 'end'>[],
): number {
  const byWeight = blocks.toSorted((left, right) => right.contentWeight - left.contentWeight)
  const expected = byWeight.reduce((sum, block) => sum + expectedOf(block), 0)
  let [kept, keptContent, best, least] = [0, 0, 0, 0]
  for (const block of byWeight) {
    kept += block.end - block.start
    keptContent += expectedOf(block)
    const f1 = (2 * keptContent) / (kept + expected)
    if (f1 <= best) continue
    best = f1
    least = block.contentWeight
  }
  return Math.min(HIGHEST, least)
}

const expectedOf = ({ contentWeight, start, end }: Pick<Block, 'contentWeight' | 'start' | 'end'>): number =>
  contentWeight * (end - start)
