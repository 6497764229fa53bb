// A page loader and reader for crawls of loopback sites.
import { readPage } from '../../../src/extract/read-page.ts'
import { type Capture, PageError } from '../../../src/pages/capture.ts'
import { statusWarning } from '../../../src/pages/page-failure.ts'

/** What pages/ does, without its guard: this site is on loopback. */
export const loadPage = (url: string, signal: AbortSignal): Promise<Capture> =>
  loadPageAs('Verbatim', url, signal)

/** `agent` tells a site's record who asked. */
export async function loadPageAs(agent: string, url: string, signal: AbortSignal): Promise<Capture> {
  const response = await fetch(url, { signal, headers: { 'user-agent': agent } }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new PageError(url, { code: 'unreachable', message: 'The site could not be reached.' }, error)
  })
  if (!response.ok) throw new PageError(url, statusWarning(response.status))
  return {
    id: url,
    requestedUrl: url,
    url: response.url,
    mediaType: response.headers.get('content-type') ?? '',
    content: await response.text(),
    lastModified: null,
    contentLanguage: null,
    fetchedAt: new Date().toISOString(),
    readBy: 'static',
    warning: null,
  }
}

/** As a crawl of the command line reads: on this thread. */
export const readText = (capture: Capture, signal: AbortSignal) =>
  readPage({ ...capture, now: new Date() }, signal)
