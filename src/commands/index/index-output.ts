// What `verbatim index` tells: each page as it is read, how a crawl ended, and what there is.
import type { CrawlProgress } from '../../library/crawl/crawl.ts'
import type { SiteSummary } from '../../library/crawl/crawled-sites.ts'
import type { CrawlSummary } from '../../library/crawl/crawler.ts'
import type { FileSummary } from '../../library/files/file-indexer.ts'
import type { FolderSummary } from '../../library/page-index.ts'
import { countOf, formatMoment, formatTable } from '../with-accounts.ts'

/** How reading a file or folder ended. */
export function formatFiles({ url, filesRead, filesFailed, end }: FileSummary): string {
  const failed = filesFailed === 0 ? '' : `, ${filesFailed} could not be read`
  const rest = end === 'limit' ? ' The limit is reached; --limit raises it.' : ''
  return `${url}: ${countOf(filesRead, 'file')}${failed}.${rest}`
}

/** One line for a page or file, as it is read. */
export function formatProgress(
  { url, outcome, reason, pagesRead }: Pick<CrawlProgress, 'url' | 'outcome' | 'reason' | 'pagesRead'>,
  limit: number,
): string {
  const why = reason === null ? '' : ` (${reason})`
  return `${String(pagesRead).padStart(String(limit).length)}/${limit}  ${outcome.padEnd(7)}  ${url}${why}\n`
}

const ENDS: Readonly<Record<CrawlSummary['end'], string>> = {
  complete: 'All of it is read.',
  limit: 'The page limit is reached; --limit raises it.',
  unreachable: 'The site stopped answering; the same command goes on from here.',
  busy: 'This service was too busy to read on; the same command goes on from here.',
  removed: 'It was removed while it was being read.',
}

/** How a crawl ended, and what to do where it did not come to its end. */
export function formatSummary({ siteUrl, pagesRead, isResumed, unread, end }: CrawlSummary): string {
  const read = `${siteUrl}: ${countOf(pagesRead, 'page')}${isResumed ? ' (an interrupted crawl went on)' : ''}.`
  if (end !== 'complete' || (unread === 0 && pagesRead > 0)) return `${read} ${ENDS[end]}`
  if (unread === 0) return `${read} There is nothing to read.`
  const unreadable = pagesRead === 0 ? 'Nothing' : 'Not all'
  return `${read} ${unreadable} of it could be read; what was known of it is kept.`
}

/** A table of the sites and how far they are read, then of the files and folders. */
export function formatSites(sites: readonly SiteSummary[], folders: readonly FolderSummary[]): string {
  const rows = sites.map(({ url, counts, pageLimit, depthLimit, finishedAt }) => [
    url,
    `${counts.read}/${pageLimit}`,
    String(depthLimit),
    String(counts.waiting),
    String(counts.failed),
    formatMoment(finishedAt === null ? null : new Date(finishedAt), 'not finished'),
  ])
  for (const { url, files } of folders) rows.push([url, String(files), '', '', '', ''])
  return formatTable(['SITE', 'READ', 'DEPTH', 'WAITING', 'FAILED', 'FINISHED (UTC)'], rows)
}
