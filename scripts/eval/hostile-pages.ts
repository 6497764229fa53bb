// Pages that stand in the way of reading, and pages that only look so: each served on loopback with its status and headers,
// opened and read as those of a search are.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { assessRendering } from '../../src/extract/classify/rendering-need.ts'
import { OBSTACLE_SENTENCES } from '../../src/extract/obstacles/obstacle.ts'
import { createMemoryCacheStore } from '../../src/pages/cache/memory-store.ts'
import { openPages } from '../../src/pages/open-pages.ts'
import { DEPTHS } from '../../src/search/depth.ts'
import { gatherPage, type GatheredPage } from '../../src/search/gather.ts'
import { openReadingPool } from '../../src/search/reading/reading-pool.ts'
import { warningCodeOf } from '../../src/search/page-outcome.ts'
import { createLogger } from '../../src/telemetry/log.ts'

const expectationSchema = z.object({
  /** Null: a page like any other. */
  warning_code: z.string().nullable(),
  status: z.int().default(200),
  headers: z.record(z.string(), z.string()).default({}),
  /** What must be in a passage. */
  readable: z.string().optional(),
  /** What must be in none. */
  absent: z.string().optional(),
})

export interface HostilePage extends z.output<typeof expectationSchema> {
  name: string
  bytes: Uint8Array
}

export interface ReadHostilePage {
  page: HostilePage
  /** Null: nothing stands in the way. */
  found: string | null
  texts: readonly string[]
}

/** The pages of a folder: `NAME/page.html` or `NAME/page.pdf` beside `NAME/expectation.json`. */
export function readHostilePages(folder: string): HostilePage[] {
  return readdirSync(folder).map((name) => {
    const place = join(folder, name)
    const expectation: unknown = JSON.parse(readFileSync(join(place, 'expectation.json'), 'utf8'))
    const file = ['page.html', 'page.pdf'].find((one) => existsSync(join(place, one))) ?? 'page.html'
    return Object.assign(expectationSchema.parse(expectation), {
      name,
      bytes: readFileSync(join(place, file)),
    })
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

/** Serves all pages, opens each without a browser, one after the other, and says what was found. */
export async function readServed(pages: readonly HostilePage[]): Promise<ReadHostilePage[]> {
  const server = await serve(pages)
  const { port } = server.address() as AddressInfo
  const opened = await openPages({
    userAgent: 'Verbatim',
    product: 'Verbatim',
    respectRobots: false,
    egress: { allow: [`127.0.0.1:${port}`] },
    browser: { mode: 'off', chromiumPath: null },
    cacheStore: createMemoryCacheStore({ bytesMax: 1 }),
    assessRendering: async (html, url) => assessRendering(html, url).verdict,
    logger: createLogger('silent'),
  })
  const reading = await openReadingPool()
  try {
    const read: ReadHostilePage[] = []
    for (const [position, page] of pages.entries()) {
      const url = `http://127.0.0.1:${port}/${basename(page.name)}/${position}`
      read.push(toReading(page, await openInTime(() => open(url, position, opened.load, reading.readPage))))
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

function open(url: string, position: number, loadPage: Load, readPage: Read): Promise<GatheredPage> {
  const hit = { url, title: '', publishedAt: null, excerpt: null }
  const plan = {
    ...DEPTHS.balanced,
    rendering: 'static',
    pageCount: 1,
    pageBudgetMs: PAGE_BUDGET_MS,
    deadlineMs: Date.now() + PAGE_BUDGET_MS,
    fresh: true,
    language: 'en',
  } as const
  const parts = { loadPage, readPage, judge: () => null, onFailure: () => undefined }
  return gatherPage(hit, position, plan, parts, NEVER)
}

function toReading(page: HostilePage, { outcome, warning, passages }: GatheredPage): ReadHostilePage {
  const code = warning === null ? null : warningCodeOf(outcome)
  const found = code !== null && OBSTACLES.has(code) ? code : null
  return { page, found, texts: passages.map(({ text }) => text) }
}

async function serve(pages: readonly HostilePage[]) {
  const server = createServer((request, response) => {
    const page = pages[Number(request.url?.split('/').at(-1))]
    if (page === undefined) return response.writeHead(404).end()
    const headers = { 'content-type': 'text/html; charset=utf-8', ...page.headers }
    return response.writeHead(page.status, headers).end(page.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
