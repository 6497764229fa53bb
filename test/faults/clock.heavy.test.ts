// What happens when the clock of the machine jumps under a running service: forward and back, by days.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { createVisitorClient } from '../dashboard/visitor-client.ts'
import { createClock, hasClock } from '../support/clock.ts'
import { waitUntil } from '../support/programs.ts'
import { article, startSearchSite } from '../support/search-site.ts'
import { startServiceProcess } from '../support/service-process.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'main.js')
const DAY_MS = 86_400_000
const QUESTION = { query: 'How is an API key revoked?' }
const PERSON = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery staple 9' }

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A service whose clock the test moves, over a site whose page says how often it was read. */
async function startClocked(environment: NodeJS.ProcessEnv = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'verbatim-clocked-'))
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }))
  let reads = 0
  const site = await startSearchSite({
    '/keys': {
      answer: (_, response) => {
        reads += 1
        response.setHeader('Content-Type', 'text/html')
        response.setHeader('Cache-Control', 'max-age=600')
        response.end(article('Keys', ['An API key is revoked by deleting it on the keys page.']))
      },
    },
  })
  closers.push(() => site.close())
  const clock = createClock()
  closers.push(() => clock.remove())
  const service = await startServiceProcess({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    SEARCH_PROVIDERS: 'searxng',
    SEARXNG_URL: site.engineUrl,
    ...clock.environment,
    ...environment,
  })
  closers.push(() => service.end('SIGTERM'))
  const key = /vbt_[0-9A-Za-z]{36}/u.exec(service.output())?.[0] ?? ''
  const invitation = /\/invitations\/\w+/u.exec(service.output())?.[0] ?? ''
  // Beside the test, not in its way: connections that the service closes meanwhile must be seen to be closed.
  const command = async (...words: string[]): Promise<string> => {
    const env = { ...process.env, DATA_DIR: dataDir, ...clock.environment }
    return (await promisify(execFile)(process.execPath, [MAIN, ...words], { env })).stdout
  }
  return {
    service,
    key,
    invitation,
    command,
    reads: () => reads,
    /** Returns when the service itself tells the new time. */
    jump: async (days: number): Promise<void> => {
      clock.set(`${days < 0 ? '' : '+'}${days}d`)
      await waitUntil(async () => {
        const told = Date.parse((await fetch(`${service.url}/health`)).headers.get('date') ?? '')
        if (Math.abs(told - Date.now() - days * DAY_MS) > DAY_MS / 2)
          throw new Error('the clock has not moved')
      })
    },
    snippets: async (): Promise<number> => {
      const response = await service.search(key, QUESTION)
      expect(response.status).toBe(200)
      const { results } = (await response.json()) as SearchResponse
      return results.flatMap((result) => result.snippets).length
    },
  }
}

describe.skipIf(!hasClock)('a clock that jumps', () => {
  let clocked: Awaited<ReturnType<typeof startClocked>>
  beforeAll(async () => {
    clocked = await startClocked()
  })

  test('by days, forward and back, costs no search, no key and no revocation', async () => {
    const { service, key, command, jump, snippets } = clocked
    const revoked = /vbt_[0-9A-Za-z]{36}/u.exec(await command('keys', 'create', 'short-lived'))?.[0] ?? ''
    expect((await service.search(revoked, QUESTION)).status).toBe(200)
    await command('keys', 'revoke', revoked)
    for (const days of [3, -3, 0]) {
      await jump(days)
      expect(await snippets()).toBeGreaterThan(0)
      expect((await service.search(revoked, QUESTION)).status).toBe(401)
    }
    expect((await service.search(key)).status).toBe(400)
  })

  test('makes no page of the cache live longer: back or forward, it is read anew', async () => {
    const { jump, snippets, reads } = clocked
    await snippets()
    const before = reads()
    await snippets()
    expect(reads()).toBe(before)
    await jump(-3)
    await snippets()
    expect(reads()).toBe(before + 1)
    await jump(3)
    await snippets()
    expect(reads()).toBe(before + 2)
    await jump(0)
  })

  test('back locks nobody out for longer than the limit lasts', async () => {
    const { service, key, jump } = await startClocked({
      RATE_LIMIT_POINTS: '2',
      RATE_LIMIT_DURATION_SECONDS: '3',
    })
    const statuses: number[] = []
    for (let count = 0; count < 3; count += 1) statuses.push((await service.search(key)).status)
    expect(statuses).toEqual([400, 400, 429])
    await jump(-3)
    await waitUntil(async () => {
      if ((await service.search(key)).status === 429) throw new Error('still locked out')
    }, 10_000)
  })

  test('forward ends sessions and keys whose time has come, as time itself would', async () => {
    const { service, invitation, command, jump } = clocked
    const visitor = createVisitorClient(service.url)
    await visitor.post(invitation, invitation, PERSON)
    expect((await visitor.get('/keys')).status).toBe(200)
    const inTwoDays = new Date(Date.now() + 2 * DAY_MS).toISOString()
    const created = await command('keys', 'create', 'limited', '--expires', inTwoDays)
    const limited = /vbt_[0-9A-Za-z]{36}/u.exec(created)?.[0] ?? ''
    expect((await service.search(limited)).status).toBe(400)
    await jump(3)
    expect((await visitor.get('/keys')).status).toBe(200)
    expect((await service.search(limited)).status).toBe(401)
    await jump(31)
    expect((await visitor.get('/keys')).status).toBe(303)
    expect((await service.search(limited)).status).toBe(401)
  })
})
