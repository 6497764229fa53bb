// A web site on loopback for tests: routes by path, ready-made kinds of bad behaviour, and a record of what was asked.
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import https from 'node:https'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createGzip, constants, gzipSync } from 'node:zlib'

export type Route = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

interface RecordedRequest {
  method: string
  path: string
  headers: http.IncomingHttpHeaders
}

export interface PageServerOptions {
  /** Loopback address to listen on; 127.0.0.1 unless given. */
  host?: string
  /** Serves https when given. */
  tls?: { key: string; cert: string }
}

/**
 * Serves `routes` by path ("*" for everything else, else 404). `requests` is everything asked so far, `openMax` the most
 * requests that were open at once, `connections` the sockets ever opened.
 */
export async function startPageServer(routes: Record<string, Route>, options: PageServerOptions = {}) {
  const host = options.host ?? '127.0.0.1'
  const requests: RecordedRequest[] = []
  const sockets = new Set<Socket>()
  const seen = { open: 0, openMax: 0, connections: 0 }

  const onRequest: RequestListener = (request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers })
    seen.open += 1
    seen.openMax = Math.max(seen.openMax, seen.open)
    response.once('close', () => (seen.open -= 1))
    const route = routes[path] ?? routes['*'] ?? reply(404, 'text/plain', 'not found')
    void Promise.resolve(route(request, response)).catch(() => response.destroy())
  }
  const server = options.tls ? https.createServer(options.tls, onRequest) : http.createServer(onRequest)
  server.on('connection', (socket: Socket) => {
    seen.connections += 1
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0

  return {
    port,
    origin: `${options.tls ? 'https' : 'http'}://${host}:${port}`,
    url: (path: string) => `${options.tls ? 'https' : 'http'}://${host}:${port}${path}`,
    requests,
    /** The paths asked for, in order. */
    paths: () => requests.map((request) => request.path),
    openMax: () => seen.openMax,
    connections: () => seen.connections,
    async close(): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

export type PageServer = Awaited<ReturnType<typeof startPageServer>>

/** Any answer. */
export function reply(
  status: number,
  contentType: string | null,
  body: string | Uint8Array,
  headers: http.OutgoingHttpHeaders = {},
): Route {
  return (_request, response) => {
    response
      .writeHead(status, { ...(contentType === null ? {} : { 'content-type': contentType }), ...headers })
      .end(body)
  }
}

/** A whole HTML document around `body`. */
/** Enough text for a page not to be thin. */
export const PROSE = 'Passages are cut on sentence borders and answered word for word. '.repeat(10)
export const main = (words: string): string => `<main><p>${words} ${PROSE}</p></main>`

export const document = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`

/** A page that is complete as it comes. */
export const page = (title: string, body: string, head = ''): Route =>
  reply(200, 'text/html; charset=utf-8', document(title, body, head))

export const redirect = (location: string, status = 302): Route => reply(status, null, '', { location })

/** Takes the request and never answers. */
export const hang = (): Route => () => undefined

/** Sends `first` at once, then `more` for ever, every `everyMs`. */
export const drip = (first: string, more = '<p>more</p>', everyMs = 50): Route => {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).write(first)
    const timer = setInterval(() => response.write(more), everyMs)
    response.once('close', () => clearInterval(timer))
  }
}

/** Promises more than it sends, and ends the connection after `first`. */
export const cutOff = (first: string): Route => {
  return (_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': first.length + 10_000,
    })
    response.write(first, () => response.socket?.destroy())
  }
}

/** `bytes` of HTML, chunked; with a Content-Length when `declared`. */
export const big = (bytes: number, declared = false): Route => {
  const paragraph = `<p>${'A sentence of a very long page. '.repeat(32)}</p>\n`
  return async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...(declared ? { 'content-length': bytes } : {}) })
    for (let sent = 0; sent < bytes && !response.destroyed; sent += paragraph.length) {
      const piece = paragraph.slice(0, bytes - sent)
      if (!response.write(piece)) await roomToWrite(response)
    }
    response.end()
  }
}

/** Settles when the response takes more, or is closed; leaves no listener behind. */
function roomToWrite(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      response.off('drain', end).off('close', end)
      resolve()
    }
    response.on('drain', end).on('close', end)
  })
}

/** `bytes` of one letter, compressed about a thousandfold. */
export const gzipBomb = (bytes: number): Route => {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
    const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION })
    gzip.on('error', () => response.destroy())
    gzip.pipe(response)
    response.once('close', () => gzip.destroy())
    const block = Buffer.alloc(1 << 20, 'a')
    for (let sent = 0; sent < bytes; sent += block.length) gzip.write(block)
    gzip.end()
  }
}

export const gzipped = (body: string): Route =>
  reply(200, 'text/html; charset=utf-8', gzipSync(body), { 'content-encoding': 'gzip' })

/**
 * The routes of a page whose text is fetched and rendered by JavaScript: the HTML at `path` holds none of `text`.
 * Spread them into the routes of a server.
 */
export function scriptedPage(path: string, title: string, text: string): Record<string, Route> {
  const source = `${path.replace(/\/$/u, '')}/text.json`
  const script = `fetch(${JSON.stringify(source)}).then((answer) => answer.json()).then((data) => {
    document.getElementById('root').innerHTML = '<main><h1>' + data.title + '</h1>' +
      data.paragraphs.map((paragraph) => '<p>' + paragraph + '</p>').join('') + '</main>' })`
  return {
    [path]: page(title, `<div id="root"></div><script>${script}</script>`),
    [source]: reply(200, 'application/json', JSON.stringify({ title, paragraphs: text.split('\n') })),
  }
}
