// What a balancer is told, of the compiled service.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { article, startSearchSite } from '../../support/search-site.ts'
import { startServiceProcess } from '../../support/service-process.ts'

const KEY = /vbt_[0-9A-Za-z]{36}/u
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function start(environment: NodeJS.ProcessEnv = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'verbatim-ready-'))
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const service = await startServiceProcess({ DATA_DIR: dataDir, ...environment })
  closers.push(() => service.end('SIGKILL'))
  return service
}

const ready = async (url: string) => {
  const response = await fetch(`${url}/ready`)
  return { status: response.status, body: (await response.json()) as unknown }
}

describe('GET /ready', () => {
  test('is 200 without a key when all that a search needs is there', async () => {
    const service = await start()
    expect(await ready(service.url)).toEqual({ status: 200, body: { status: 'ready', reasons: [] } })
  })

  test('is 503 "closing" from SIGTERM on, while what is under way is answered', async () => {
    /** Where the page takes long, a browser asks for it too. */
    const held: (() => void)[] = []
    const site = await startSearchSite({
      '/held': {
        answer: (_request, response) => {
          held.push(() => void response.end(article('Held', ['A key can be revoked at any time.'])))
          response.writeHead(200, { 'Content-Type': 'text/html' }).write(' ')
        },
      },
    })
    closers.push(() => site.close())
    const service = await start({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
    const key = KEY.exec(service.output())?.[0] ?? ''
    const underWay = service.search(key, { query: 'revoke a key' })
    await expect.poll(() => held.length, { timeout: 10_000 }).toBeGreaterThan(0)
    service.child.kill('SIGTERM')
    await expect
      .poll(() => ready(service.url))
      .toEqual({ status: 503, body: { status: 'not_ready', reasons: ['closing'] } })
    for (const release of held) release()
    expect((await underWay).status).toBe(200)
    await expect.poll(() => service.child.exitCode, { timeout: 30_000 }).toBe(0)
  })

  test.skipIf(!hasPostgres)(
    'is 503 "store" while the database is away, and ready again when it is back',
    async () => {
      const postgres = await startPostgres()
      closers.push(() => postgres.stop())
      const service = await start({ DATABASE_URL: await postgres.createDatabase() })
      expect((await ready(service.url)).status).toBe(200)
      await postgres.kill()
      await expect
        .poll(() => ready(service.url), { timeout: 10_000 })
        .toEqual({ status: 503, body: { status: 'not_ready', reasons: ['store'] } })
      expect((await fetch(`${service.url}/health`)).status).toBe(200)
      await postgres.start()
      await expect.poll(async () => (await ready(service.url)).status, { timeout: 20_000 }).toBe(200)
    },
  )
})
