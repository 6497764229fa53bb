// The links of a block that lie in a part of it, without a look at all others: a menu can hold a hundred thousand.
import type { Block, Link } from './document.ts'

/** Those of `block` that share a character with the text from `start` to `end`, in order. */
export function linksWithin({ links = [] }: Block, start: number, end: number): readonly Link[] {
  const first = firstBehind(links, start)
  let last = first
  while ((links[last]?.start ?? end) < end) last++
  return links.slice(first, last)
}

/** The number of the first link that ends behind `place`: they stand in order, none within another. */
function firstBehind(links: readonly Link[], place: number): number {
  let [low, high] = [0, links.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((links[middle]?.end ?? 0) <= place) low = middle + 1
    else high = middle
  }
  return low
}
