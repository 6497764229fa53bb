import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { OperatorError } from '../../../src/errors.ts'
import { createCrawledSites } from '../../../src/library/crawl/crawled-sites.ts'
import { openSqliteLibrary } from '../../../src/library/sqlite/sqlite.ts'
import { QUESTION } from '../../providers/engines/provider-contract.ts'
import { describeLibrary } from '../library-contract.ts'

const root = mkdtempSync(join(tmpdir(), 'verbatim-library-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
const freshFolder = (): string => join(root, String((folders += 1)))

describeLibrary('SQLite', async () => openSqliteLibrary({ dataDir: freshFolder() }))

const PAGE = {
  url: 'https://example.org/',
  title: 'Quokka',
  text: 'Smiles',
  language: null,
  publishedAt: null,
  updatedAt: null,
}
const QUOKKA = { ...QUESTION, text: 'quokka' }

test('what was indexed is there after a restart', async () => {
  const dataDir = freshFolder()
  const first = openSqliteLibrary({ dataDir })
  await first.putPage(PAGE, 'https://example.org/')
  await first.close()
  const second = openSqliteLibrary({ dataDir })
  expect(await second.search(QUOKKA, AbortSignal.timeout(60_000))).toHaveLength(1)
  await second.close()
})

test('two processes may have it open: what one adds the other finds', async () => {
  const dataDir = freshFolder()
  const [writer, reader] = [openSqliteLibrary({ dataDir }), openSqliteLibrary({ dataDir })]
  await writer.putPage(PAGE, 'https://example.org/')
  expect(await reader.search(QUOKKA, AbortSignal.timeout(60_000))).toHaveLength(1)
  await Promise.all([writer.close(), reader.close()])
})

test('an index that a newer build wrote is refused in a sentence and stays as it is: an update that is taken back loses nothing', async () => {
  const dataDir = freshFolder()
  const newer = openSqliteLibrary({ dataDir })
  await newer.putPage(PAGE, 'https://example.org/')
  await newer.close()
  const file = new SqliteDatabase(join(dataDir, 'library.sqlite'))
  const version = Number(file.pragma('user_version', { simple: true }))
  file.pragma(`user_version = ${version + 1}`)
  expect(() => openSqliteLibrary({ dataDir })).toThrow(OperatorError)
  expect(() => openSqliteLibrary({ dataDir })).toThrow(/has version \d+, .*Run a newer Verbatim/u)
  file.pragma(`user_version = ${version}`)
  file.close()
  const reopened = openSqliteLibrary({ dataDir })
  expect(await reopened.countPages()).toBe(1)
  await reopened.close()
})

/** The tables of version 1, as the build of that time made them. */
const VERSION_1 = `
  create table page (
    id integer primary key, url text not null unique, origin text not null, host_key text not null, language text,
    dated_on text, published_at text, updated_at text, title text not null, digest text not null, text text not null
  );
  create index page_filter on page (id, host_key, language, dated_on);
  create index page_origin on page (origin);
  create virtual table page_words using fts5 (
    title, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
  );
  create table site (
    url text primary key, page_limit integer not null, depth_limit integer not null, finished_at text
  );
  create table frontier (
    site_url text not null, url text not null, depth integer not null, position integer not null, state text not null,
    primary key (site_url, url)
  ) without rowid;
  create index frontier_next on frontier (site_url, state, depth, position);
  pragma user_version = 1;
  insert into page values (7, 'https://example.org/', 'https://example.org/', 'org.example.', null, null, null, null,
    'Quokka', 'digest', 'Smiles');
  insert into page_words (rowid, title, body) values (7, 'Quokka', 'Smiles');
  insert into site values ('https://example.org/', 40, 3, '2026-11-20T10:00:00.000Z');
  insert into frontier values ('https://example.org/', 'https://example.org/', 0, 0, 'read');
`

test('an index of an earlier version keeps its sites and pages, which somebody added', async () => {
  const dataDir = freshFolder()
  mkdirSync(dataDir)
  const file = new SqliteDatabase(join(dataDir, 'library.sqlite'))
  file.exec(VERSION_1)
  file.close()
  // The second time as one of this version.
  for (const _ of [1, 2]) {
    const library = openSqliteLibrary({ dataDir })
    const sites = createCrawledSites(library)
    expect(await sites.listSites()).toMatchObject([
      { url: 'https://example.org/', pageLimit: 40, depthLimit: 3, delayMs: 500, counts: { read: 1 } },
    ])
    const [hit] = await library.search(QUOKKA, AbortSignal.timeout(60_000))
    expect(hit).toMatchObject({ url: 'https://example.org/', title: 'Quokka', excerpt: 'Smiles' })
    await library.putPage({ ...PAGE, url: 'https://example.org/new', sitemapDate: '2026-11-01' }, 'local')
    expect(await library.countPages()).toBe(2)
    await library.close()
  }
})

test('its pages are for its owner alone to read, also in a folder that others may, and where an earlier build let them', async () => {
  const dataDir = freshFolder()
  const path = join(dataDir, 'library.sqlite')
  await openSqliteLibrary({ dataDir }).close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  chmodSync(path, 0o644)
  const library = openSqliteLibrary({ dataDir })
  await library.putPage(PAGE, 'https://example.org/')
  for (const name of readdirSync(dataDir)) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
  await library.close()
})

test('an index that another process keeps locked is told in a sentence, also when it was open before', async () => {
  const dataDir = freshFolder()
  const library = openSqliteLibrary({ dataDir })
  const other = new SqliteDatabase(join(dataDir, 'library.sqlite'))
  other.exec('begin immediate')
  await expect(library.addLocalPages([PAGE])).rejects.toThrow(
    new OperatorError(
      `The search index ${join(dataDir, 'library.sqlite')} cannot be used: another process keeps it locked. End that process.`,
    ),
  )
  other.close()
  await library.close()
})

test('a damaged file is set aside and said so, and the engine starts empty', async () => {
  const dataDir = freshFolder()
  const before = openSqliteLibrary({ dataDir })
  await before.close()
  writeFileSync(join(dataDir, 'library.sqlite'), 'this is no database '.repeat(500))
  const told: string[] = []
  const library = openSqliteLibrary({ dataDir, onDamaged: (path) => told.push(path) })
  expect(await library.countPages()).toBe(0)
  expect(told).toHaveLength(1)
  expect(readdirSync(dataDir).filter((name) => name.includes('.damaged-'))).toHaveLength(1)
  await library.close()
})

test('searches do not hold the thread that serves requests', async () => {
  const library = openSqliteLibrary({ dataDir: freshFolder() })
  await library.putPage(PAGE, 'https://example.org/')
  library.warmUp()
  const searches = Array.from({ length: 50 }, () => library.search(QUOKKA, AbortSignal.timeout(20_000)))
  // Were they done here, they would be done before this thread gets round to anything else.
  const first = await Promise.race([
    Promise.all(searches).then(() => 'searches'),
    new Promise((resolve) => setImmediate(() => resolve('this thread'))),
  ])
  expect(first).toBe('this thread')
  expect((await Promise.all(searches)).flat()).toHaveLength(50)
  await library.close()
})

test('a search that is under way when the library is closed fails and does not hang', async () => {
  const library = openSqliteLibrary({ dataDir: freshFolder() })
  const search = library.search(QUOKKA, AbortSignal.timeout(20_000))
  await library.close()
  await expect(search).rejects.toThrow('the search thread ended')
})

test('forgetting a page costs no more in a library of forty times the pages', async () => {
  const library = openSqliteLibrary({ dataDir: freshFolder() })
  const addUpTo = async (from: number, to: number): Promise<void> => {
    await sql`
      with recursive numbers(n) as (select cast(${from} as integer) union all select n + 1 from numbers where n < ${to})
      insert into page (url, origin, host_key, title, digest, text)
      select 'https://many.example/' || n, 'many', 'example.many.', 'One', 'one', 'One' from numbers
    `.execute(library.database)
  }
  const forgetTwenty = async (from: number): Promise<number> => {
    const before = process.cpuUsage()
    for (let number = from; number < from + 20; number += 1)
      expect(await library.removePage(`https://many.example/${number}`)).toBe(true)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  await addUpTo(1, 1_000)
  const few = [await forgetTwenty(1), await forgetTwenty(21), await forgetTwenty(41)]
  await addUpTo(1_001, 40_000)
  const many = [await forgetTwenty(2_001), await forgetTwenty(2_021), await forgetTwenty(2_041)]
  expect(Math.min(...many)).toBeLessThan(6 * Math.min(...few))
  await library.close()
})
