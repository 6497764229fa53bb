// Measures how fast pages are read over loopback, by plain HTTP and by the browser: pages a second, latency, memory.
// The pages are the repository's own documentation, as plain HTML and built by script.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { marked } from 'marked'
import { assessRendering } from '../../src/extract/classify/rendering-need.ts'
import { whereSentOn } from '../../src/extract/classify/sent-on.ts'
import { createMemoryCacheStore } from '../../src/pages/cache/memory-store.ts'
import type { LoadOptions } from '../../src/pages/capture.ts'
import { decodeLongPage } from '../../src/pages/fetch/decode-page.ts'
import { openPages, type Pages } from '../../src/pages/open-pages.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { childProcesses, residentBytes } from '../../test/support/browser.ts'
import { page, startPageServer, type PageServer, type Route } from '../../test/support/page-server.ts'
import { quantile } from './quantile.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MEBIBYTE = 2 ** 20

export interface PagesMeasurement {
  design: string
  pages: number
  /** Pages under way at once. */
  concurrency: number
  pagesPerSecond: number
  p50Ms: number
  p95Ms: number
  /** Memory of this process, and of the browser with all its processes, after the run. */
  residentMegabytes: number
  browserMegabytes: number
}

/** Prints the table. Takes about half a minute on two cores; without a browser only plain HTTP is measured. */
export async function benchPages(): Promise<void> {
  const site = await startDocumentationSite()
  const pages = await openPages({
    userAgent: 'VerbatimBench/1.0',
    product: 'Verbatim',
    respectRobots: true,
    egress: { allow: [`127.0.0.1:${site.server.port}`] },
    browser: { mode: 'auto', chromiumPath: null },
    cacheStore: createMemoryCacheStore({ bytesMax: 64 * MEBIBYTE }),
    assessRendering: async (html, url, signal) => (await assessRendering(html, url, signal)).verdict,
    decodeLong: decodeLongPage,
    whereSentOn,
    logger: createLogger('warn'),
  })
  try {
    const measurements = [
      await measure('plain HTTP', pages, repeat(site.plain, 400), { rendering: 'static', concurrency: 8 }),
    ]
    if (pages.describe().found) {
      await measure('warm-up', pages, repeat(site.scripted, 6), { rendering: 'browser', concurrency: 3 })
      measurements.push(
        await measure('browser, plain pages', pages, repeat(site.plain, 60), {
          rendering: 'browser',
          concurrency: 3,
        }),
        await measure('browser, pages built by script', pages, repeat(site.scripted, 60), {
          rendering: 'auto',
          concurrency: 3,
        }),
      )
    }
    console.log(pages.describe().summary)
    console.table(measurements)
  } finally {
    await pages.close()
    await site.server.close()
  }
}

async function startDocumentationSite(): Promise<{
  server: PageServer
  plain: string[]
  scripted: string[]
}> {
  const names = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md')).toSorted()
  const routes: Record<string, Route> = {}
  for (const name of names) {
    const html = await marked.parse(await readFile(join(ROOT, 'docs', name), 'utf8'))
    const data = JSON.stringify(html).replace(/</gu, '\\u003c')
    routes[`/plain/${name}`] = page(name, `<main>${html}</main>`)
    routes[`/scripted/${name}`] = page(
      name,
      `<div id="root"></div><script>setTimeout(() => { root.innerHTML = ${data} }, 50)</script>`,
    )
  }
  const server = await startPageServer(routes)
  const urls = (kind: string) => names.map((name) => server.url(`/${kind}/${name}`))
  return { server, plain: urls('plain'), scripted: urls('scripted') }
}

const repeat = (urls: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_none, index) => urls[index % urls.length] ?? '')

async function measure(
  design: string,
  pages: Pages,
  urls: readonly string[],
  { rendering, concurrency }: Pick<LoadOptions, 'rendering'> & { concurrency: number },
): Promise<PagesMeasurement> {
  const elapsedMs: number[] = []
  const queue = [...urls]
  const startedAt = performance.now()
  const work = async () => {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const begunAt = performance.now()
      const options: LoadOptions = { deadlineMs: Date.now() + 15_000, rendering, scroll: false, fresh: true }
      await pages.load(url, options, new AbortController().signal)
      elapsedMs.push(performance.now() - begunAt)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const seconds = (performance.now() - startedAt) / 1_000
  const browserBytes = childProcesses(/chrom/iu).reduce((sum, pid) => sum + residentBytes(pid), 0)
  return {
    design,
    pages: urls.length,
    concurrency,
    pagesPerSecond: Math.round((urls.length / seconds) * 10) / 10,
    p50Ms: Math.round(quantile(elapsedMs, 0.5)),
    p95Ms: Math.round(quantile(elapsedMs, 0.95)),
    residentMegabytes: Math.round(process.memoryUsage.rss() / MEBIBYTE),
    browserMegabytes: Math.round(browserBytes / MEBIBYTE),
  }
}
