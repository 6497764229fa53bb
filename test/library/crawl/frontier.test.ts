import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFrontier } from '../../../src/library/crawl/frontier.ts'
import { openSqliteLibrary } from '../../../src/library/sqlite/sqlite.ts'

const SITE = 'https://a.example/'

test('a sitemap as long as sitemaps may be keeps nobody waiting while its addresses are noted, each once, up to the limit', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'verbatim-frontier-'))
  const library = openSqliteLibrary({ dataDir })
  try {
    const frontier = createFrontier(library)
    await frontier.openSite(SITE, { pageLimit: 5_000, depthLimit: 1, delayMs: 0 })
    const found = Array.from({ length: 50_000 }, (_, page) => ({ url: `${SITE}${page}`, sitemapDate: null }))
    let [turns, isNoted] = [0, false]
    const turn = (): void => {
      turns += 1
      if (!isNoted) setImmediate(turn)
    }
    setImmediate(turn)
    await frontier.enqueue(SITE, [...found.slice(0, 10), ...found], 1, 40_000)
    isNoted = true
    expect(turns).toBeGreaterThan(20)
    expect((await frontier.getSite(SITE))?.counts.waiting).toBe(40_000)
    expect(await frontier.next(SITE)).toMatchObject({ url: SITE, depth: 0 })
  } finally {
    await library.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
