// Pages on loopback and one browser that reads them, for as long as the tests of a file run.
import { afterAll, beforeAll } from 'vitest'
import { openTestBrowser } from './browser.ts'
import { startPageServer, type PageServer, type Route } from './page-server.ts'

type TestBrowser = Awaited<ReturnType<typeof openTestBrowser>>
type ReadOptions = Parameters<TestBrowser['read']>[1]

/** To be called at the top of a test file; what it returns works within its tests. */
export function openSiteInBrowser(routes: Record<string, Route>) {
  let site: PageServer
  let browser: TestBrowser
  beforeAll(async () => {
    site = await startPageServer(routes)
    browser = await openTestBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })
  return {
    site: (): PageServer => site,
    browser: (): TestBrowser => browser,
    read: (path: string, options?: ReadOptions) => browser.read(site.url(path), options),
    outcome: (path: string, options?: ReadOptions) => browser.outcome(site.url(path), options),
  }
}
