// The web of the pictures: hand-written pages under made-up names, answered by this machine, and a SearXNG in front of them.
import type { LookupAllOptions } from 'node:dns'
import dns from 'node:dns/promises'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../../src/config.ts'

const FOLDER = join(PACKAGE_ROOT, 'test', 'fixtures', 'pictures')
const HOST = '127.0.0.1'
/** By host; the pages of the handbook have the same text under titles of their own. */
const PAGES = [
  { host: 'energy.example', path: '/heating/cold-winter', file: 'energy.html' },
  { host: 'forum.example', path: '/t/stopped-at-26/4411', file: 'forum.html' },
  { host: 'nordwind.example', path: '/ratgeber/frost', file: 'maker.html' },
  { host: 'bayt.example', path: '/heating/cold', file: 'bayt.html' },
  { host: 'nuan.example', path: '/faq/cold', file: 'nuan.html' },
  { host: 'shop.example', path: '/heat-pumps', file: 'shop.html' },
] as const
const HANDBOOK = { host: 'handbook.example', file: 'handbook.html' } as const
/** Found by the engine, and gone. */
const GONE = { host: 'gone.example', path: '/heat-pumps/a-page-that-was-moved' }
export const HOSTS: readonly string[] = [...PAGES, HANDBOOK, GONE].map(({ host }) => host)

export type PictureWeb = Awaited<ReturnType<typeof openPictureWeb>>

/** Listens on loopback and answers for its names within this process, from now on. */
export async function openPictureWeb() {
  answerNames()
  const texts = new Map<string, string>()
  for (const { host, file } of [...PAGES, HANDBOOK])
    texts.set(host, await readFile(join(FOLDER, file), 'utf8'))
  const pages = await listen(serverOf(texts))
  const addressOf = ({ host, path }: { host: string; path: string }): string =>
    `http://${host}${pages.port === 80 ? '' : `:${pages.port}`}${path}`
  const hits = [...PAGES, GONE].map((page) => ({
    url: addressOf(page),
    title: titleOf(texts.get(page.host) ?? '') || 'Heat pumps: a page that was moved',
    content: '',
    engine: 'loopback',
  }))
  let isBroken = false
  const engine = await listen(
    createServer((_request, response) => {
      if (isBroken) return response.writeHead(503).end()
      return response
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ query: '', number_of_results: 0, results: hits, unresponsive_engines: [] }))
    }),
  )
  return {
    engineUrl: `http://${HOST}:${engine.port}`,
    handbook: addressOf({ ...HANDBOOK, path: '/' }),
    forum: addressOf(PAGES[1]),
    /** Whether the engine answers from now on. */
    breakEngine(broken: boolean): void {
      isBroken = broken
    },
    async close(): Promise<void> {
      await Promise.all([pages.close(), engine.close()])
    },
  }
}

/** Names that nobody owns (RFC 2606) lead to this machine; every other one goes where it went. */
function answerNames(): void {
  const { lookup } = dns
  const here = { address: HOST, family: 4 }
  Object.assign(dns, {
    lookup: (name: string, options: LookupAllOptions) =>
      name.endsWith('.example') ? Promise.resolve([here]) : lookup(name, options),
  })
  syncBuiltinESMExports()
}

const serverOf = (texts: ReadonlyMap<string, string>): Server =>
  createServer((request, response) => {
    const host = (request.headers.host ?? '').split(':')[0] ?? ''
    const text = texts.get(host)
    const isThere =
      text !== undefined && !/^\/(?:robots\.txt|sitemap\.xml|old-rota)$/u.test(request.url ?? '')
    if (!isThere) response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found')
    else
      response
        .setHeader('Content-Type', 'text/html; charset=utf-8')
        .end(host === HANDBOOK.host ? titled(text, request.url ?? '/') : text)
  })

/** A page of the handbook under the title that its path names. */
function titled(html: string, path: string): string {
  const words = path.slice(1).replaceAll('-', ' ')
  const title = words === '' ? 'Handbook' : words.slice(0, 1).toUpperCase() + words.slice(1)
  return html.replace(/(?<=<title>)[^<]*/u, `${title} – Handbook`).replace(/(?<=<h1>)[^<]*/u, title)
}

const titleOf = (html: string): string => /<title>([^<]*)/u.exec(html)?.[1] ?? ''

/** On port 80 where that is allowed, so that addresses look as they do elsewhere. */
async function listen(server: Server): Promise<{ port: number; close: () => Promise<void> }> {
  const port = await bind(server, 80).catch(() => bind(server, 0))
  return {
    port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bind(server: Server, port: number): Promise<number> {
  server.listen(port, HOST)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
