// The snippets of one page: neighbours joined, then the best picked.
import type { ScoredPassage } from '../rank.ts'
import { joinNeighbours, type JoinOptions } from './join-neighbours.ts'
import { pickSnippets } from './pick-snippets.ts'

/** Of the passages at or above the threshold at most `count` snippets, likeliest first. */
export const pageSnippets = (
  passages: readonly ScoredPassage[],
  { count, ...options }: JoinOptions & { count: number },
): ScoredPassage[] => pickSnippets(joinNeighbours(passages, options), { threshold: options.threshold, count })
