// A page loader for crawls of loopback sites.
import { type Capture, PageError } from '../../src/pages/capture.ts'

/** What pages/ does, without its guard: this site is on loopback. */
export async function loadPage(url: string, signal: AbortSignal): Promise<Capture> {
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new PageError(url, { code: 'unreachable', message: 'The site could not be reached.' }, error)
  })
  if (!response.ok)
    throw new PageError(url, { code: 'http_status', message: `The site answered ${response.status}.` })
  return {
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
