// A web in miniature on loopback: pages that a test writes, and a SearXNG in front of them that finds them in order.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { endServer, listenOnLoopback } from './loopback.ts'

export interface SitePage {
  html?: string
  title?: string
  /** Instead of `html`: answers the request by hand. */
  answer?: (request: IncomingMessage, response: ServerResponse) => void
  publishedDate?: string
}

export type SearchSite = Awaited<ReturnType<typeof startSearchSite>>

/** Pages by path. Every query finds all pages that `find` names, in that order; by default all of them. */
export async function startSearchSite(pages: Readonly<Record<string, SitePage>>) {
  let found = Object.keys(pages)
  let hitsAtOnce = Number.POSITIVE_INFINITY
  let outage: number | null = null
  const asked: URLSearchParams[] = []
  const site = createServer((request, response) => {
    const page = pages[new URL(request.url ?? '/', 'http://site').pathname]
    if (page?.answer !== undefined) page.answer(request, response)
    else if (page?.html !== undefined)
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page.html)
    else response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>Nothing here.</p>')
  })
  const engine = createServer((request, response) => {
    const parameters = new URL(request.url ?? '/', 'http://engine').searchParams
    asked.push(parameters)
    if (outage !== null) response.writeHead(outage).end('out of order')
    else response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer(parameters)))
  })
  const [siteUrl, engineUrl] = await Promise.all([listenOnLoopback(site), listenOnLoopback(engine)])
  const onPage = (page: number): string[] =>
    Number.isFinite(hitsAtOnce) ? found.slice((page - 1) * hitsAtOnce, page * hitsAtOnce) : found
  const answer = (parameters: URLSearchParams) => ({
    query: 'q',
    number_of_results: 0,
    results: onPage(Number(parameters.get('pageno'))).map((path) => ({
      url: URL.canParse(path) ? path : `${siteUrl}${path}`,
      title: pages[path]?.title ?? `Found: ${path}`,
      content: '',
      engine: 'loopback',
      publishedDate: pages[path]?.publishedDate ?? null,
    })),
    unresponsive_engines: [],
  })
  return {
    siteUrl,
    engineUrl,
    /** The parameters of every question the engine was asked. */
    asked,
    /** From now on the engine finds these, by path or by full address. */
    find(...paths: string[]): void {
      found = paths
    },
    /** From now on the engine gives no more than so many hits for one question, and further ones by `pageno`. */
    giveAtOnce(count: number): void {
      hitsAtOnce = count
    },
    /** From now on the engine answers this status; null mends it. */
    breakEngine(status: number | null): void {
      outage = status
    },
    async close(): Promise<void> {
      await Promise.all([endServer(site), endServer(engine)])
    },
  }
}

/** A page that never answers; `counts` tells how often it was asked for and given up. */
export function hangingPage(counts: { asked: number; closed: number }): SitePage {
  return {
    answer(request) {
      counts.asked += 1
      request.socket.once('close', () => (counts.closed += 1))
    },
  }
}

/** A page of prose: a title, and paragraphs under one heading. */
export function article(title: string, paragraphs: readonly string[], head = ''): string {
  const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head>
<body><main><article><h1>${title}</h1>${body}</article></main></body></html>`
}
