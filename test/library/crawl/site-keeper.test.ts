import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createCrawler } from '../../../src/library/crawl/crawler.ts'
import { openSiteKeeper, type KeptSite } from '../../../src/library/crawl/site-keeper.ts'
import { createSiteSchedule } from '../../../src/library/crawl/site-schedule.ts'
import { openSqliteLibrary } from '../../../src/library/sqlite/sqlite.ts'
import { waitUntil } from '../../support/programs.ts'
import { loadPage, readText } from './load-page.ts'
import { html, manyPages, openSite, type SitePage } from './loopback-site.ts'

const root = mkdtempSync(join(tmpdir(), 'verbatim-sites-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const WISH = { pageLimit: 50, depthLimit: 4, delayMs: 0, refreshHours: null }

function openLibrary() {
  const library = openSqliteLibrary({ dataDir: join(root, String((folders += 1))) })
  closers.push(() => library.close())
  return library
}

function openKeeper(library = openLibrary(), load = loadPage) {
  const errors: unknown[] = []
  const crawler = createCrawler({ library, loadPage: load, readPage: readText, product: 'Verbatim' })
  const storeChanges: unknown[] = []
  const keeper = openSiteKeeper({
    library,
    crawler,
    lookMs: 20,
    onError: (error) => errors.push(error),
    onStoreChange: (error) => storeChanges.push(error),
  })
  closers.push(() => keeper.close())
  return { library, keeper, errors, storeChanges }
}

async function openWeb(pages: Record<string, SitePage>, answerMs = 0) {
  const web = await openSite(pages, answerMs)
  closers.push(() => web.close())
  return Object.assign(web, { url: `${web.origin}/` })
}

type Keeper = ReturnType<typeof openKeeper>['keeper']
const siteOf = async (keeper: Keeper): Promise<KeptSite | undefined> => (await keeper.list())[0]
const untilEnded = (keeper: Keeper): Promise<void> =>
  waitUntil(async () =>
    expect(await siteOf(keeper)).toMatchObject({ isRunning: false, lastEnd: expect.anything() }),
  )

describe('the keeper of sites', () => {
  test('reads a site that was added, and tells what could not be read and why', async () => {
    const web = await openWeb({ '/': html('Start', '/a', '/gone'), '/a': html('A') })
    const { keeper, errors } = openKeeper()
    expect(await keeper.add(web.url, WISH)).toEqual({ url: web.url, isNew: true })
    await untilEnded(keeper)
    expect(await siteOf(keeper)).toMatchObject({
      counts: { read: 2, failed: 1, waiting: 0 },
      lastEnd: { end: 'complete' },
      dueAt: null,
    })
    expect(await keeper.listFailures(web.url, 10)).toEqual([
      { url: `${web.origin}/gone`, outcome: 'failed', reason: expect.stringMatching(/\S/u) },
    ])
    expect(errors).toEqual([])
  })

  test('tells once that the database does not answer and once that it does, however often it looks for due sites', async () => {
    const dataDir = join(root, String((folders += 1)))
    const library = openSqliteLibrary({ dataDir })
    closers.push(() => library.close())
    const { errors, storeChanges } = openKeeper(library)
    const other = new SqliteDatabase(join(dataDir, 'library.sqlite'))
    const rename = (from: string, to: string) => other.exec(`alter table ${from} rename to ${to}`)
    rename('site', 'hidden')
    await waitUntil(() => expect(storeChanges).toHaveLength(1))
    await sleep(200)
    rename('hidden', 'site')
    await waitUntil(() => expect(storeChanges).toHaveLength(2))
    other.close()
    expect(storeChanges).toEqual([expect.any(Error), null])
    expect(errors).toEqual([])
  })

  test('reads it again when it is due, and forgets pages that are not there any more', async () => {
    const pages: Record<string, SitePage> = { '/': html('Start', '/a'), '/a': html('A') }
    const web = await openWeb(pages)
    const { keeper, library } = openKeeper()
    await keeper.add(web.url, { ...WISH, refreshHours: 24 })
    await untilEnded(keeper)
    const first = await siteOf(keeper)
    expect(Date.parse(first?.dueAt ?? '') - Date.parse(first?.lastEnd?.at ?? '')).toBeGreaterThan(
      23.9 * 3_600_000,
    )
    pages['/'] = html('Start', '/b')
    pages['/b'] = html('B')
    expect(await keeper.readAgain(web.url)).toBe(true)
    await waitUntil(async () => {
      const listed = await library.listPages(web.url, { after: '', limit: 10 })
      expect(listed.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/b'])
    })
  })

  test('goes on after a restart with what it was reading, and asks for no page twice', async () => {
    const web = await openWeb(manyPages(20), 5)
    const library = openLibrary()
    const before = openKeeper(library)
    await before.keeper.add(web.url, WISH)
    await waitUntil(() => expect(web.pagePaths().length).toBeGreaterThan(3))
    await before.keeper.close()
    expect(await siteOf(before.keeper)).toMatchObject({ isRunning: false, finishedAt: null })
    const { keeper } = openKeeper(library)
    await untilEnded(keeper)
    // The one request that was under way when the first one ended may have been answered to nobody.
    expect(web.pagePaths().length).toBeLessThanOrEqual(22)
    expect(new Set(web.pagePaths()).size).toBe(21)
  })

  test('of two over one database one reads the site', async () => {
    const web = await openWeb(manyPages(10))
    const library = openLibrary()
    const [first, second] = [openKeeper(library), openKeeper(library)]
    await Promise.all([first.keeper.add(web.url, WISH), second.keeper.readAgain(web.url)])
    await untilEnded(first.keeper)
    expect(web.pagePaths()).toHaveLength(11)
  })

  test('a site that is removed while it is read leaves nothing behind', async () => {
    const web = await openWeb(manyPages(30), 5)
    const { keeper, library } = openKeeper()
    await keeper.add(web.url, WISH)
    await waitUntil(() => expect(web.pagePaths().length).toBeGreaterThan(3))
    expect(await keeper.remove(web.url)).toBeGreaterThan(0)
    expect(await keeper.list()).toEqual([])
    expect(await library.countPages()).toBe(0)
    expect(await keeper.remove(web.url)).toBeNull()
  })

  test('a crawl that breaks is told of and tried again later, not at once', async () => {
    const web = await openWeb(manyPages(3))
    const broken = () => Promise.reject(new Error('out of memory'))
    const { keeper, errors } = openKeeper(openLibrary(), broken)
    await keeper.add(web.url, WISH)
    await waitUntil(() => expect(errors).toHaveLength(1))
    await waitUntil(async () => {
      const site = await siteOf(keeper)
      expect(site?.isRunning).toBe(false)
      expect(Date.parse(site?.dueAt ?? '')).toBeGreaterThan(Date.now() + 60_000)
    })
    expect(errors).toHaveLength(1)
  })
})

describe('the schedule of sites', () => {
  test('how often a site is read counts from its last crawl, and never puts off one that is due', async () => {
    const library = openLibrary()
    const schedule = createSiteSchedule(library)
    await schedule.add('https://example.org/', { ...WISH, refreshHours: 24 })
    const due = (await schedule.list())[0]?.dueAt
    expect(await schedule.setRefresh('https://example.org/', 168)).toBe(true)
    expect((await schedule.list())[0]).toMatchObject({ dueAt: due, refreshHours: 168 })
    expect(await schedule.claim(60_000)).toMatchObject({ url: 'https://example.org/' })
    expect(await schedule.claim(60_000)).toBeNull()
    await schedule.settle('https://example.org/', null)
    expect(await schedule.claim(60_000)).toBeNull()
    expect(await schedule.setRefresh('https://unknown.example/', 24)).toBe(false)
  })
})
