// One page that a caller names, opened and read like those of a search, with what it was read from.
import type { SearchHit } from '../../providers/provider.ts'
import type { Capture } from '../../pages/capture.ts'
import type { Logger } from '../../telemetry/log.ts'
import { hostOf } from '../answer.ts'
import { DEPTHS } from '../depth.ts'
import { type PageParts, gatherPage, type GatheredPage, type PageNotation } from '../gather-page.ts'

export interface NamedPageParts extends Pick<PageParts, 'loadPage' | 'readPage'> {
  log: Logger
}

export interface OpenedPage {
  gathered: GatheredPage
  /** What the server sent or the browser showed, where it is text. */
  source: string | null
}

interface PageLimits {
  /** Epoch milliseconds. */
  deadlineMs: number
  fresh: boolean
  /** How old a kept copy may be; null for as old as the cache lets it get. */
  maxAgeMs: number | null
  /** Write the page so, too; null for its text alone. */
  notation: PageNotation | null
  /** Selectors of what is left out of HTML. */
  without: readonly string[]
}

/** Never rejects because of the page; rejects when `signal` aborts. */
export async function openNamedPage(
  { url, position }: { url: string; position: number },
  { deadlineMs, fresh, maxAgeMs, notation, without }: PageLimits,
  { loadPage, readPage, log }: NamedPageParts,
  signal: AbortSignal,
): Promise<OpenedPage> {
  let source: string | null = null
  const hit: SearchHit = { url, title: '', publishedAt: null, excerpt: null }
  const { rendering, scroll, overlap, passagesPerPage } = DEPTHS.balanced
  const plan = {
    rendering,
    scroll,
    overlap,
    passagesPerPage,
    pageBudgetMs: deadlineMs - Date.now(),
    deadlineMs,
    fresh,
    ...(maxAgeMs === null ? {} : { maxAgeMs }),
    ...(notation === null ? {} : { notation }),
  }
  const parts: PageParts = {
    async loadPage(...asked) {
      const capture = await loadPage(...asked)
      source = typeof capture.content === 'string' ? capture.content : null
      return leaveOut(without, capture)
    },
    readPage,
    onFailure(failedUrl, error) {
      log.warn({ host: hostOf(failedUrl), err: error }, 'a page could not be read')
    },
  }
  const gathered = await gatherPage(hit, position, plan, parts, signal)
  return { source, gathered }
}

const HTML_TYPE = /html(?:\+xml)?$/u
/** What may stand in a selector: the caller's words become part of the page's markup. */
const SELECTOR = /^[\w.#-]{1,100}$/u

/** The page with a style of our own before it, which hides what the selectors name as the page's own styles would. */
function leaveOut(without: readonly string[], capture: Capture): Capture {
  const { content, mediaType } = capture
  const selectors = without.filter((selector) => SELECTOR.test(selector))
  if (selectors.length === 0 || typeof content !== 'string' || !HTML_TYPE.test(mediaType)) return capture
  const style = `<style>${selectors.join(',')}{display:none!important}</style>`
  // Another page to whoever remembers what was made of this one.
  return { ...capture, id: [capture.id, ...selectors].join(' '), content: `${style}${content}` }
}
