// What the machine can do to a running service: DNS that fails in every way, a disk that fills. Both need a mount
// namespace of the service's own; where none may be made the tests are skipped, aloud.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { createVisitorClient } from '../dashboard/visitor-client.ts'
import { startNameServer } from '../support/name-server.ts'
import { article, startSearchSite } from '../support/search-site.ts'
import { startServiceProcess } from '../support/service-process.ts'

const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
if (!canMount)
  process.stderr.write('\nSKIPPED: nothing may be mounted here; no tests of DNS and of full disks.\n')

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-machine-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const PERSON = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery staple 9' }
const QUESTION = { query: 'How is an API key revoked?' }
const PAGE = article('Keys', ['An API key is revoked by deleting it on the keys page of the dashboard.'])

async function startSite() {
  const site = await startSearchSite({ '/keys': { html: PAGE } })
  closers.push(() => site.close())
  return site
}

/** The service in a mount namespace in which `mount` was run first; returns it with its first key. */
async function startMounted(mount: string, environment: NodeJS.ProcessEnv) {
  const service = await startServiceProcess(environment, [
    'unshare',
    '-m',
    'sh',
    '-c',
    `${mount} && exec "$@"`,
    'sh',
  ])
  closers.push(() => service.end('SIGTERM'))
  const key = /vbt_[0-9A-Za-z]{36}/u.exec(service.output())?.[0] ?? ''
  return { service, key }
}

describe.skipIf(!canMount)('DNS', () => {
  const startWith = async (nameServer: string, engineUrl: string) => {
    const folder = newFolder()
    const resolvConf = join(folder, 'resolv.conf')
    // The port after the address is understood by c-ares, which resolves the names of pages, and by nothing else.
    writeFileSync(resolvConf, `nameserver ${nameServer}\n`)
    return startMounted(`mount --bind ${resolvConf} /etc/resolv.conf`, {
      DATA_DIR: join(folder, 'data'),
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: engineUrl,
      LOG_LEVEL: 'warn',
    })
  }

  test('that fails, denies or is silent costs the pages of those names alone', async () => {
    const names = await startNameServer({ 'fails.example': 'SERVFAIL', 'silent.example': 'silent' })
    closers.push(() => names.close())
    const site = await startSite()
    const lost = ['fails', 'denied', 'silent'].map((name) => `http://${name}.example/`)
    site.find('/keys', ...lost)
    const { service, key } = await startWith(names.address, site.engineUrl)
    const asked = service.search(key, QUESTION)
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
    const answer = await asked
    expect(answer.status).toBe(200)
    const { results } = (await answer.json()) as SearchResponse
    const byUrl = new Map(results.map((result) => [result.url, result]))
    expect(byUrl.get(`${site.siteUrl}/keys`)?.snippets[0]?.text).toContain('revoked by deleting it')
    for (const url of lost) {
      expect([url, byUrl.get(url)?.snippets]).toEqual([url, []])
      expect(byUrl.get(url)?.warning).toMatch(/could not be reached|did not answer/iu)
    }
    for (const name of ['fails', 'denied', 'silent']) expect(names.questions).toContain(`A ${name}.example`)
  })

  test('that does not know the search engine costs a plain 500', async () => {
    const { service, key } = await startWith('127.0.0.1', 'http://engine.example:8080')
    const refused = await service.search(key, QUESTION)
    expect(refused.status).toBe(500)
    expect(await refused.text()).not.toMatch(/engine\.example|ENOTFOUND|EAI_AGAIN|getaddrinfo/iu)
  })
})

describe.skipIf(!canMount)('a disk that fills while the service runs', () => {
  test('costs no search, makes changes fail plainly, and needs no restart once there is room', async () => {
    const folder = newFolder()
    const site = await startSite()
    const { service, key } = await startMounted(`mount -t tmpfs -o size=24m none ${folder}`, {
      DATA_DIR: folder,
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: site.engineUrl,
      LOG_LEVEL: 'warn',
    })
    const search = () => service.search(key, QUESTION)
    expect((await search()).status).toBe(200)
    // The service's own view of its file system, which nobody else has.
    const filler = join(`/proc/${service.child.pid}/root`, folder, 'filler')
    const filled = spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'], { encoding: 'utf8' })
    expect(filled.stderr).toMatch(/No space left/u)
    spawnSync('sh', ['-c', `while head -c 4096 /dev/zero >> ${filler}; do :; done`])

    for (let count = 0; count < 3; count += 1) {
      const answer = await search()
      expect(answer.status).toBe(200)
      expect(((await answer.json()) as SearchResponse).results[0]?.snippets.length).toBeGreaterThan(0)
    }
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
    const invitation = /\/invitations\/\w+/u.exec(service.output())?.[0] ?? ''
    const visitor = createVisitorClient(service.url)
    const accept = () => visitor.post(invitation, invitation, PERSON)
    const full = await accept()
    expect([303, 500, 503]).toContain(full.status)
    expect(await full.text()).not.toMatch(/SQLITE|ENOSPC|disk/u)

    rmSync(filler)
    if (full.status !== 303) expect((await accept()).status).toBe(303)
    expect((await visitor.get('/keys')).status).toBe(200)
    expect((await search()).status).toBe(200)
    expect(await service.end('SIGTERM')).toBe(0)
  })
})
