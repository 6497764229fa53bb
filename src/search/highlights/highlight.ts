// Which parts of a snippet are shown as those that answer.
import type { ScoredPart, ScoredPassage } from '../rank.ts'

/** Parts are shown, likeliest first, until they hold so much of what the passage's parts hold together… */
const MASS = 0.65
/** …but none that is much less likely than the best one. */
const SHARE_OF_BEST = 0.3

/** In the order of the text; none for a passage that was not told part by part. */
export function highlightsOf({ parts }: Pick<ScoredPassage, 'parts'>): ScoredPart[] {
  if (parts === null) return []
  const total = parts.reduce((sum, { relevance }) => sum + relevance, 0)
  const shown: ScoredPart[] = []
  let mass = 0
  for (const part of parts.toSorted((left, right) => right.relevance - left.relevance)) {
    if (mass >= total * MASS || part.relevance < (shown[0]?.relevance ?? 0) * SHARE_OF_BEST) break
    shown.push(part)
    mass += part.relevance
  }
  return shown.toSorted((left, right) => left.start - right.start)
}
