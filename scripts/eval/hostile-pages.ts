// Pages that stand in the way of reading, and pages that only look so: each served on loopback with its status and headers,
// opened and read as those of a search are.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { z } from 'zod'
import { assessRendering } from '../../src/extract/classify/rendering-need.ts'
import { whereSentOn } from '../../src/extract/classify/sent-on.ts'
import { OBSTACLE_SENTENCES } from '../../src/extract/obstacles/obstacle.ts'
import { createMemoryCacheStore } from '../../src/pages/cache/memory-store.ts'
import { decodeLongPage } from '../../src/pages/fetch/decode-page.ts'
import { openPages } from '../../src/pages/open-pages.ts'
import { DEPTHS } from '../../src/search/depth.ts'
import { gatherPage, type GatheredPage } from '../../src/search/gather-page.ts'
import { openReadingPool } from '../../src/search/reading/reading-pool.ts'
import { warningCodeOf } from '../../src/search/page-outcome.ts'
import { createLogger } from '../../src/telemetry/log.ts'

const expectationSchema = z.object({
  /** Null: a page like any other. */
  warning_code: z.string().nullable(),
  status: z.int().default(200),
  headers: z.record(z.string(), z.string()).default({}),
  /** Opened in Chromium where its markup is thin; otherwise never. */
  rendered: z.boolean().default(false),
  scroll: z.boolean().default(false),
  /** The caller's; a page with `page.LANGUAGE.html` beside it is served in the one that is asked for first. */
  language: z.string().default('en'),
  /** What must be in a passage. */
  readable: z.string().optional(),
  /** What must be in none. */
  absent: z.string().optional(),
})

export interface HostilePage extends z.output<typeof expectationSchema> {
  name: string
  bytes: Uint8Array
  /** Further files of its folder, by name: they are served beside it. */
  files: ReadonlyMap<string, Uint8Array>
}

export interface ReadHostilePage {
  page: HostilePage
  /** Null: nothing stands in the way. */
  found: string | null
  /** What else the answer is warned of by, too; null for no warning. */
  code: string | null
  texts: readonly string[]
}

/** A page without a folder, for what is made by a program. */
export const servedPage = (
  name: string,
  bytes: Uint8Array,
  expectation: unknown,
  files: HostilePage['files'] = new Map(),
): HostilePage => ({ ...expectationSchema.parse(expectation), name, bytes, files })

/** The pages of a folder: `NAME/page.html` or `NAME/page.pdf` beside `NAME/expectation.json`. */
export function readHostilePages(folder: string): HostilePage[] {
  return readdirSync(folder).map((name) => {
    const place = join(folder, name)
    const files = new Map(readdirSync(place).map((file) => [file, readFileSync(join(place, file))]))
    const expectation: unknown = JSON.parse(files.get('expectation.json')?.toString('utf8') ?? '')
    const bytes = files.get('page.html') ?? files.get('page.pdf') ?? Buffer.alloc(0)
    return servedPage(name, bytes, expectation, files)
  })
}

const PAGE_BUDGET_MS = 20_000
const TRIES_MAX = 4
const NEVER = new AbortController().signal

/** Codes that tell what stands in a page's place; others tell what became of a connection. */
const OBSTACLES: ReadonlySet<string> = new Set([
  ...Object.keys(OBSTACLE_SENTENCES),
  'no_text_layer',
  'not_text',
])

/** Serves all pages, opens each, one after the other, and says what was found. */
export async function readServed(pages: readonly HostilePage[]): Promise<ReadHostilePage[]> {
  const server = await serve(pages)
  const { port } = server.address() as AddressInfo
  const opened = await openPages({
    userAgent: 'Verbatim',
    product: 'Verbatim',
    respectRobots: false,
    egress: { allow: [`127.0.0.1:${port}`] },
    browser: { mode: pages.some(({ rendered }) => rendered) ? 'auto' : 'off', chromiumPath: null },
    cacheStore: createMemoryCacheStore({ bytesMax: 1 }),
    assessRendering: async (html, url, signal) => (await assessRendering(html, url, signal)).verdict,
    decodeLong: decodeLongPage,
    whereSentOn,
    logger: createLogger('silent'),
  })
  const reading = await openReadingPool()
  try {
    const read: ReadHostilePage[] = []
    for (const [position, page] of pages.entries()) {
      const url = `http://127.0.0.1:${port}/${page.name}/${position}`
      read.push(toReading(page, await openInTime(() => open(page, url, opened.load, reading.readPage))))
    }
    return read
  } finally {
    await Promise.all([reading.close(), opened.close()])
    server.closeAllConnections()
    server.close()
  }
}

type Load = Awaited<ReturnType<typeof openPages>>['load']
type Read = Awaited<ReturnType<typeof openReadingPool>>['readPage']

/** The process that reads PDF starts with the first of them, which takes long on a busy machine. */
async function openInTime(attempt: () => Promise<GatheredPage>): Promise<GatheredPage> {
  for (let tries = 1; ; tries++) {
    const gathered = await attempt()
    const isLate = gathered.outcome === 'timeout' || gathered.outcome === 'out_of_time'
    if (!isLate || tries === TRIES_MAX) return gathered
  }
}

function open(page: HostilePage, url: string, loadPage: Load, readPage: Read): Promise<GatheredPage> {
  const hit = { url, title: '', publishedAt: null, excerpt: null }
  const plan = {
    ...DEPTHS.balanced,
    rendering: page.rendered ? 'auto' : 'static',
    scroll: page.scroll,
    pageCount: 1,
    pageBudgetMs: PAGE_BUDGET_MS,
    deadlineMs: Date.now() + PAGE_BUDGET_MS,
    fresh: true,
    language: page.language,
  } as const
  const parts = { loadPage, readPage, judge: () => null, onFailure: () => undefined }
  return gatherPage(hit, 0, plan, parts, NEVER)
}

function toReading(page: HostilePage, { outcome, warning, passages }: GatheredPage): ReadHostilePage {
  const code = warning === null ? null : warningCodeOf(outcome)
  const found = code !== null && OBSTACLES.has(code) ? code : null
  return { page, found, code, texts: passages.map(({ text }) => text) }
}

const FILE_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
}

async function serve(pages: readonly HostilePage[]) {
  const byName = new Map(pages.map((page) => [page.name, page]))
  const server = createServer((request, response) => {
    const [, name = '', file = ''] = new URL(request.url ?? '/', 'http://page').pathname.split('/')
    const page = byName.get(name)
    const beside = page?.files.get(file)
    if (page === undefined) return response.writeHead(404).end()
    if (beside !== undefined)
      return response.writeHead(200, { 'content-type': FILE_TYPES[extname(file)] ?? '' }).end(beside)
    const headers = { 'content-type': 'text/html; charset=utf-8', ...page.headers }
    return response.writeHead(page.status, headers).end(inLanguage(page, request))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** The page in the language that is asked for first, where there is one. */
function inLanguage({ bytes, files }: HostilePage, { headers }: IncomingMessage): Uint8Array {
  const language = /^[a-z]+/u.exec(headers['accept-language'] ?? '')?.[0] ?? ''
  return files.get(`page.${language}.html`) ?? bytes
}
