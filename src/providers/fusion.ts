// Several engines' lists as one.
import type { SearchHit } from './provider.ts'
import { urlKey, uniqueHits } from './hit-urls.ts'

/** Damps the first ranks, so that agreement of two engines outweighs one engine's favourite. */
const RANK_CONSTANT = 60

/**
 * Reciprocal rank fusion: a hit scores the sum of 1 / (60 + rank) over the lists that hold it (Cormack, Clarke and
 * Büttcher, SIGIR 2009). Ties keep the order of the lists. Missing dates and excerpts are taken from a later list. What
 * the engines' first requests brought comes before what their second ones did: whoever asks for more finds the same hits
 * first, in the same order.
 */
export function fuseByRank(lists: readonly (readonly SearchHit[])[]): SearchHit[] {
  const fused = new Map<string, SearchHit>()
  const ranked = lists.map((list) => uniqueHits(list).map((hit, index) => ({ hit, rank: index + 1 })))
  const requests = new Set(ranked.flat().map(({ hit }) => requestOf(hit)))
  for (const request of [...requests].toSorted((left, right) => left - right)) {
    const brought = ranked.map((list) => list.filter(({ hit }) => requestOf(hit) === request))
    for (const hit of fuseRequest(brought)) {
      const key = urlKey(hit.url)
      const before = fused.get(key)
      fused.set(key, before === undefined ? hit : complete(before, hit))
    }
  }
  return [...fused.values()]
}

const requestOf = ({ requestsBefore = 0 }: SearchHit): number => requestsBefore

/** Best first. */
function fuseRequest(lists: readonly (readonly { hit: SearchHit; rank: number }[])[]): SearchHit[] {
  const fused = new Map<string, { hit: SearchHit; score: number }>()
  for (const { hit, rank } of lists.flat()) {
    const key = urlKey(hit.url)
    const before = fused.get(key)
    fused.set(key, {
      hit: before === undefined ? hit : complete(before.hit, hit),
      score: (before?.score ?? 0) + 1 / (RANK_CONSTANT + rank),
    })
  }
  return [...fused.values()].toSorted((left, right) => right.score - left.score).map(({ hit }) => hit)
}

/** The first one's place: which request brought it, too. */
const complete = (first: SearchHit, second: SearchHit): SearchHit => ({
  ...first,
  title: first.title || second.title,
  publishedAt: first.publishedAt ?? second.publishedAt,
  sitemapDate: first.sitemapDate ?? second.sitemapDate ?? null,
  excerpt: first.excerpt ?? second.excerpt,
})
