import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createCrawledSites } from '../../../src/library/crawl/crawled-sites.ts'
import { createFrontier } from '../../../src/library/crawl/frontier.ts'
import { openSqliteLibrary } from '../../../src/library/sqlite/sqlite.ts'

const SITE = 'https://a.example/'
const BOUNDS = { pageLimit: 5, depthLimit: 2, delayMs: 100 }

const dataDir = mkdtempSync(join(tmpdir(), 'verbatim-sites-'))
const library = openSqliteLibrary({ dataDir })
afterAll(async () => {
  await library.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a crawl goes on only where it has settled an address and not ended, with the bounds that were named last', async () => {
  const sites = createCrawledSites(library)
  const frontier = createFrontier(library)
  expect(await sites.openSite(SITE, BOUNDS)).toBe(false)
  expect(await sites.openSite(SITE, BOUNDS)).toBe(false)
  await frontier.settle(SITE, [SITE], 0, { state: 'read', reason: null })
  expect(await sites.openSite(SITE, { ...BOUNDS, pageLimit: 9 })).toBe(true)
  expect(await sites.getSite(SITE)).toMatchObject({ pageLimit: 9, finishedAt: null, counts: { read: 1 } })
  expect(await sites.end(SITE, 'busy')).toBe(true)
  expect(await sites.openSite(SITE, BOUNDS)).toBe(true)
  expect(await sites.end(SITE, 'limit')).toBe(true)
  expect(await sites.getSite(SITE)).toMatchObject({ lastEnd: { end: 'limit' } })
  expect(await sites.openSite(SITE, BOUNDS)).toBe(false)
  expect(await frontier.next(SITE)).toEqual({ url: SITE, depth: 0, sitemapDate: null })
  expect(await sites.getSite(SITE)).toMatchObject({ counts: { waiting: 1, read: 0 } })
})

test('a site that was removed is told to whoever still crawls it', async () => {
  const sites = createCrawledSites(library)
  await sites.openSite(SITE, BOUNDS)
  expect(await sites.removeSite(SITE)).toBe(true)
  expect(await sites.removeSite(SITE)).toBe(false)
  expect(await sites.end(SITE, 'complete')).toBe(false)
  expect(await sites.listSites()).toEqual([])
})
