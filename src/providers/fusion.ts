// Several engines' lists as one.
import type { SearchHit } from './provider.ts'
import { urlKey, uniqueHits } from './hit-urls.ts'

/** Damps the first ranks, so that agreement of two engines outweighs one engine's favourite. */
const RANK_CONSTANT = 60

/**
 * Reciprocal rank fusion: a hit scores the sum of 1 / (60 + rank) over the lists that hold it (Cormack, Clarke and
 * Büttcher, SIGIR 2009). Ties keep the order of the lists. Missing dates and excerpts are taken from a later list.
 */
export function fuseByRank(lists: readonly (readonly SearchHit[])[]): SearchHit[] {
  const fused = new Map<string, { hit: SearchHit; score: number }>()
  for (const list of lists) {
    for (const [index, hit] of uniqueHits(list).entries()) {
      const key = urlKey(hit.url)
      const before = fused.get(key)
      fused.set(key, {
        hit: before === undefined ? hit : complete(before.hit, hit),
        score: (before?.score ?? 0) + 1 / (RANK_CONSTANT + index + 1),
      })
    }
  }
  return [...fused.values()].toSorted((left, right) => right.score - left.score).map(({ hit }) => hit)
}

const complete = (first: SearchHit, second: SearchHit): SearchHit => ({
  url: first.url,
  title: first.title || second.title,
  publishedAt: first.publishedAt ?? second.publishedAt,
  sitemapDate: first.sitemapDate ?? second.sitemapDate ?? null,
  excerpt: first.excerpt ?? second.excerpt,
})
