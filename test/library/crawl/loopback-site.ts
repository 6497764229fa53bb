// A web site on loopback for crawls: pages by path, and a record of every request with its time.
import { createServer } from 'node:http'
import { endServer } from '../../support/loopback.ts'
import { freePort } from '../../support/programs.ts'

export type SitePage =
  | string
  | { status: number; location?: string }
  /** The first answer, and all that follow. */
  | { once: SitePage; after: SitePage }
  | { type: string; body: string | Uint8Array; headers?: Record<string, string> }

/** A page whose subject is `title`, with links. */
export const html = (title: string, ...links: string[]): string =>
  `<!doctype html><html lang="en"><title>${title}</title><body><main><h1>${title}</h1>
   <p>This is the page about ${title}, and it says about ${title} what there is to say.</p>
   ${links.map((link) => `<a href="${link}">more</a>`).join(' ')}</main></body></html>`

/** A start page that links to `count` pages: /0, /1 … */
export const manyPages = (count: number): Record<string, SitePage> => ({
  '/': html('Start', ...Array.from({ length: count }, (_, index) => `/${index}`)),
  ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`/${index}`, html(`Quokka ${index}`)])),
})

function takeAnswer(pages: Record<string, SitePage>, path: string): Exclude<SitePage, { once: SitePage }> {
  const page = pages[path] ?? { status: 404 }
  if (typeof page === 'string' || !('once' in page)) return page
  pages[path] = page.after
  return takeAnswer({ [path]: page.once }, path)
}

export type LoopbackSite = Awaited<ReturnType<typeof openSite>>

/** Answers each request after `answerMs`. */
export async function openSite(pages: Record<string, SitePage>, answerMs = 0) {
  const requests: { path: string; agent: string; startMs: number; endMs: number }[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const entry = {
      path,
      agent: request.headers['user-agent'] ?? '',
      startMs: performance.now(),
      endMs: Infinity,
    }
    requests.push(entry)
    response.on('close', () => (entry.endMs = performance.now()))
    const page = takeAnswer(pages, path)
    setTimeout(() => {
      if (typeof page === 'string') response.writeHead(200, { 'content-type': 'text/html' }).end(page)
      else if ('type' in page)
        response.writeHead(200, { 'content-type': page.type, ...page.headers }).end(page.body)
      else response.writeHead(page.status, { location: page.location ?? '' }).end()
    }, answerMs)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    /** The pages asked for, in order, without robots.txt and sitemaps. */
    pagePaths: () => requests.map(({ path }) => path).filter((path) => !/robots|sitemap/u.test(path)),
    close: () => endServer(server),
  }
}

/** The shortest time from the end of a request to the start of the next; negative when two ran at once. */
export function shortestPauseMs(requests: LoopbackSite['requests']): number {
  const inOrder = requests.toSorted((left, right) => left.startMs - right.startMs)
  return Math.min(...inOrder.slice(1).map(({ startMs }, index) => startMs - (inOrder[index]?.endMs ?? 0)))
}
