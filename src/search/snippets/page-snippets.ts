// The snippets of one page: neighbours joined, then the best picked.
import type { ScoredPassage } from '../rank.ts'
import { joinNeighbours } from './join-neighbours.ts'
import { pickSnippets } from './pick-snippets.ts'

/** Of the passages at or above `threshold` at most `count` snippets, likeliest first; `text` is the page's whole text. */
export const pageSnippets = (
  passages: readonly ScoredPassage[],
  { text, threshold, count }: { text: string; threshold: number; count: number },
): ScoredPassage[] => pickSnippets(joinNeighbours(passages, { text, threshold }), { threshold, count })
