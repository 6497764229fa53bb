// Opens the pages of a search side by side until there are as many as the answer wants, each text once.
import type { SearchHit } from '../providers/provider.ts'
import { areCopies, isOneText, isOriginalOf, type ComparedPage } from './copies/group-copies.ts'
import type { DropReason } from './filters.ts'
import { gatherPage, type PageParts, type PagePlan, type GatheredPage } from './gather-page.ts'
import { repeats } from './result-address.ts'

/** A page that is not shown although it was read. */
export interface DroppedPage {
  url: string
  reason: DropReason
}

export interface GatherPlan extends PagePlan {
  /** How many pages the answer wants; further hits are opened only in place of pages that the filters drop. */
  pageCount: number
}

export interface GatherParts extends PageParts {
  /** Judges a page that has been read; a reason drops it and opens the next hit instead. */
  judge(page: GatheredPage): DropReason | null
  /** Told of every page that is kept, as soon as it is read. */
  onPage?(page: GatheredPage): void
}

export interface Gathered {
  pages: GatheredPage[]
  dropped: DroppedPage[]
}

/**
 * Opens hits in order until `pageCount` pages are kept, the hits run out or time is up. Never rejects because of a page;
 * rejects only when `signal` aborts.
 */
export async function gatherPages(
  hits: readonly SearchHit[],
  plan: GatherPlan,
  parts: GatherParts,
  signal: AbortSignal,
): Promise<Gathered> {
  const gathered: Gathered = { pages: [], dropped: [] }
  const read: GatheredPage[] = []
  const droppedFor = (page: GatheredPage, shown: GatheredPage[]): DroppedPage | null => {
    if (page.page === null) return null
    const reason = parts.judge(page) ?? repetitionOf(page, read)
    return reason === null ? copyOf(page, shown) : { url: page.url, reason }
  }
  let next = 0
  const fillPlace = async (): Promise<void> => {
    while (next < hits.length && (next < plan.pageCount || Date.now() < plan.deadlineMs)) {
      const position = next
      next += 1
      const hit = hits[position]
      if (hit === undefined) return
      const page = await gatherPage(hit, position, plan, parts, signal)
      const dropped = droppedFor(page, gathered.pages)
      if (dropped === null) {
        gathered.pages.push(page)
        parts.onPage?.(page)
        return
      }
      gathered.dropped.push(dropped)
    }
  }
  await Promise.all(Array.from({ length: Math.min(plan.pageCount, hits.length) }, fillPlace))
  signal.throwIfAborted()
  return gathered
}

/** Hits that end at one page are one result: the first of them that is read. */
function repetitionOf(page: GatheredPage, read: GatheredPage[]): DropReason | null {
  if (read.some((other) => repeats(page, other, () => sayTheSame(page, other)))) return 'duplicate'
  read.push(page)
  return null
}

/** Sketches of short pages tell nothing; then the whole text has to. */
const sayTheSame = (page: GatheredPage, other: GatheredPage): boolean =>
  isOneText(page.sketch, other.sketch) || page.page?.text.trim() === other.page?.text.trim()

/** A page that prints what another does is named by it, or takes its place where it had the text first. */
function copyOf(page: GatheredPage, pages: GatheredPage[]): DroppedPage | null {
  const compared = comparedPage(page)
  const at = pages.findIndex((other) => areCopies(compared, comparedPage(other)))
  const shown = pages[at]
  if (shown === undefined) return null
  if (isOriginalOf(compared, comparedPage(shown))) {
    page.copies = [shown.url, ...shown.copies]
    pages[at] = page
    return { url: shown.url, reason: 'copy' }
  }
  shown.copies.push(page.url)
  return { url: page.url, reason: 'copy' }
}

const comparedPage = ({ url, canonicalUrl, position, page, sketch }: GatheredPage): ComparedPage => ({
  url,
  canonicalUrl,
  position,
  publishDate: page?.publishDate?.iso ?? null,
  sketch,
})
