// Needs a Chromium: what is quoted of our own documentation does not hang on how it was read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assessRendering } from '../../../src/extract/classify/rendering-need.ts'
import { whereSentOn } from '../../../src/extract/classify/sent-on.ts'
import { readPage } from '../../../src/extract/read-page.ts'
import { createMemoryCacheStore } from '../../../src/pages/cache/memory-store.ts'
import { decodeLongPage } from '../../../src/pages/fetch/decode-page.ts'
import { openPages } from '../../../src/pages/open-pages.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'
import { openDashboardSite, type DashboardSite } from '../dashboard-site.ts'

describeInBrowser('a page of the documentation', () => {
  let site: DashboardSite
  let pages: Awaited<ReturnType<typeof openPages>>
  beforeAll(async () => {
    site = await openDashboardSite()
    pages = await openPages({
      userAgent: 'VerbatimTest/1.0',
      product: 'Verbatim',
      respectRobots: false,
      egress: { allow: [], ownPages: [`${site.url}/docs`, `${site.url}/robots.txt`] },
      browser: { mode: 'auto', chromiumPath: null },
      cacheStore: createMemoryCacheStore({ bytesMax: 1_000_000 }),
      assessRendering: async (html, url, signal) => (await assessRendering(html, url, signal)).verdict,
      decodeLong: decodeLongPage,
      whereSentOn,
      logger: createLogger('silent'),
    })
  })
  afterAll(async () => {
    await pages.close()
    await site.close()
  })

  async function readBy(rendering: 'static' | 'browser'): Promise<string> {
    const { signal } = new AbortController()
    const options = { deadlineMs: Date.now() + 60_000, rendering, scroll: false, fresh: true } as const
    const capture = await pages.load(`${site.url}/docs/api-keys`, options, signal)
    return (await readPage({ ...capture, now: new Date() }, signal)).text
  }

  test('has the same text, to the letter, fetched and rendered: quotes and digests are the same', async () => {
    const fetched = await readBy('static')
    expect(fetched).toContain('To revoke an API key')
    expect(await readBy('browser')).toBe(fetched)
  })
})
