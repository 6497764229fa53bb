// What the service does while something around it is broken: each part is real, and each fault is really made. Faults of
// single parts are tested beside them (test/accounts, test/pages, test/providers, test/score); here the whole answers.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { endServer, listenOnLoopback } from '../support/loopback.ts'
import { hasPostgres, query, startPostgres } from '../support/postgres.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { article, startSearchSite } from '../support/search-site.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { startService, type TestService } from '../support/service.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})
const closing = <T extends { close(): Promise<void> }>(part: T): T => {
  closers.push(() => part.close())
  return part
}

const PAGE = article('Keys', ['An API key is revoked by deleting it on the keys page of the dashboard.'])
const QUESTION = { query: 'How is an API key revoked?' }

async function startSite() {
  return closing(await startSearchSite({ '/keys': { html: PAGE } }))
}

/** Makes the embedded engine know the page of a site of its own, and others: a word that all pages hold finds none. */
async function indexSite({ service: { library } }: TestService): Promise<void> {
  const { siteUrl } = await startSite()
  const facts = { text: PAGE, language: 'en', publishedAt: null, updatedAt: null }
  await library.putPage({ url: `${siteUrl}/keys`, title: 'Keys', ...facts }, siteUrl)
  for (const title of ['Ferries', 'Tides', 'Gardens']) {
    const text = `${title} have a page of their own.`
    await library.putPage({ url: `${siteUrl}/${title}`, title, ...facts, text }, siteUrl)
  }
}

const healthOf = async (service: TestService): Promise<number> =>
  (await fetch(`${service.url}/health`)).status

async function expectGood(service: TestService): Promise<void> {
  const response = await service.search(QUESTION)
  expect(response.status).toBe(200)
  const { results } = (await response.json()) as SearchResponse
  expect(results[0]?.snippets[0]?.text).toContain('revoked by deleting it')
}

/** A 5xx that tells the caller the public words and nothing of the cause. */
async function expectPlainFailure(response: Response, hidden: RegExp, status = 500): Promise<void> {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toContain('application/problem+json')
  expect(await response.text()).not.toMatch(hidden)
}

describe('a search engine that', () => {
  const ROUTES: readonly (readonly [string, RequestListener])[] = [
    ['never answers', () => undefined],
    [
      'cuts its answer off',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 9_000 })
        response.write('{"results":[', () => response.socket?.destroy())
      },
    ],
    [
      'answers garbage',
      (_, response) => response.setHeader('Content-Type', 'application/json').end('\u0000<html>'),
    ],
    [
      'answers JSON of another shape',
      (_, response) => response.setHeader('Content-Type', 'application/json').end('{"results":{"a":1}}'),
    ],
    ['drops every connection', (request) => request.socket.destroy()],
  ]

  test.each(ROUTES)(
    '%s costs a plain 500, /health stays up, and the next engine in line answers for it',
    async (_, route) => {
      const server = createServer(route)
      const broken = await listenOnLoopback(server)
      closers.push(() => endServer(server))
      const alone = closing(await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: broken }))
      const asked = alone.search(QUESTION)
      expect(await healthOf(alone)).toBe(200)
      await expectPlainFailure(await asked, /127\.0\.0\.1|searxng|ECONN|JSON/iu)

      const helped = closing(await startService({ SEARCH_PROVIDERS: 'searxng,library', SEARXNG_URL: broken }))
      await indexSite(helped)
      await expectGood(helped)
    },
  )
})

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  test('that hangs costs plain 503s within its time limit, never /health; it works on when it is back', async () => {
    const [server, site] = [await startPostgres(), await startSite()]
    closers.push(() => server.stop())
    const valve = closing(await startValve(server.port))
    const url = new URL(await server.createDatabase())
    url.port = String(valve.port)
    const environment = { DATABASE_URL: url.href, SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl }
    const service = closing(await startService(environment))
    await expectGood(service)
    valve.shut()
    const asked = service.search(QUESTION)
    expect(await healthOf(service)).toBe(200)
    await expectPlainFailure(await asked, /postgres|timeout|127\.0\.0\.1|5432/iu, 503)
    valve.open()
    await expectGood(service)
  })

  test('that hangs does not keep the service from ending in order when it is told to', async () => {
    const [server, site] = [await startPostgres(), await startSite()]
    closers.push(() => server.stop())
    const valve = closing(await startValve(server.port))
    const url = new URL(await server.createDatabase())
    url.port = String(valve.port)
    const folder = mkdtempSync(join(tmpdir(), 'verbatim-ending-'))
    closers.push(() => rmSync(folder, { recursive: true, force: true }))
    const service = await startServiceProcess({
      DATA_DIR: folder,
      DATABASE_URL: url.href,
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: site.engineUrl,
    })
    closers.push(() => service.end('SIGKILL'))
    const key = /vbt_[0-9A-Za-z]{36}/u.exec(service.output())?.[0] ?? ''
    expect((await service.search(key, QUESTION)).status).toBe(200)
    // What was counted is pending, and so is when the key was used.
    valve.shut()
    expect((await service.search(key, QUESTION)).status).toBe(503)
    expect(await service.end('SIGTERM')).toBe(0)
  })

  test('that is killed costs plain 503s, and its return needs no restart', async () => {
    const [server, site] = [await startPostgres(), await startSite()]
    closers.push(() => server.stop())
    const environment = {
      DATABASE_URL: await server.createDatabase(),
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: site.engineUrl,
    }
    const service = closing(await startService(environment))
    await expectGood(service)
    await server.kill()
    expect(await healthOf(service)).toBe(200)
    await expectPlainFailure(await service.search(QUESTION), /postgres|ECONN|127\.0\.0\.1/iu, 503)
    await server.start()
    await expectGood(service)
  })
})

describe.skipIf(!hasPostgres)('PostgreSQL that can only be read', () => {
  test('costs no search, stands on the overview, and needs no restart once it can be written', async () => {
    const [server, site] = [await startPostgres(), await startSite()]
    closers.push(() => server.stop())
    const url = await server.createDatabase()
    const environment = { DATABASE_URL: url, SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl }
    const service = closing(await startService(environment))
    const makeReadOnly = async (value: 'on' | 'off'): Promise<void> => {
      const name = new URL(url).pathname.slice(1)
      await query(
        url,
        `begin read write; alter database ${name} set default_transaction_read_only = ${value}; commit`,
      )
      await query(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
        and datname = current_database()`,
      )
    }
    const stateOf = async (): Promise<string | undefined> =>
      (await service.service.describe()).parts.find(({ name }) => name === 'PostgreSQL')?.state
    await makeReadOnly('on')
    await expectGood(service)
    await expect.poll(stateOf, { timeout: 10_000 }).toBe('failing')
    await expectGood(service)
    expect((await fetch(`${service.url}/ready`)).status).toBe(200)
    await makeReadOnly('off')
    await expectGood(service)
    await expect.poll(stateOf, { timeout: 10_000 }).toBe('ready')
  })
})

describe.skipIf(!hasRedis)('Redis', () => {
  test('that hangs, dies or comes back never fails a search', async () => {
    const [redis, site] = [await startRedis(), await startSite()]
    closers.push(() => redis.stop())
    const service = closing(
      await startService({ REDIS_URL: redis.url, SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl }),
    )
    await expectGood(service)
    redis.pause()
    await expectGood(service)
    redis.resume()
    await expectGood(service)
    await redis.kill()
    await expectGood(service)
    expect(await healthOf(service)).toBe(200)
    await redis.start()
    await expectGood(service)
  })
})

describe('a model in MODEL_DIR', () => {
  const CATALOG = join(import.meta.dirname, '..', '..', 'models', 'catalog.json')
  const BUNDLED = join(import.meta.dirname, '..', '..', 'models', 'bundled')

  test.each([
    ['is empty files', () => Buffer.alloc(0)],
    ['is random bytes', () => createHash('sha512').update('noise').digest()],
    ['is another model’s weights', () => readFileSync(join(BUNDLED, 'onnx', 'model_quantized.onnx'))],
  ])(
    'that %s never keeps the service from starting or answering, and is said to be missing',
    async (_, content) => {
      const folder = mkdtempSync(join(tmpdir(), 'verbatim-models-'))
      closers.push(() => rmSync(folder, { recursive: true, force: true }))
      const catalog = JSON.parse(readFileSync(CATALOG, 'utf8')) as {
        models: Record<string, { files: { path: string }[] }>
      }
      for (const [name, { files }] of Object.entries(catalog.models)) {
        for (const { path } of files) {
          const file = join(folder, name, path)
          mkdirSync(dirname(file), { recursive: true })
          if (/\.onnx(?:_data)?$/u.test(path)) writeFileSync(file, content())
          else cpSync(join(BUNDLED, path), file)
        }
      }
      const site = await startSite()
      const service = closing(
        await startService({
          MODEL_DIR: folder,
          HF_HUB_OFFLINE: 'on',
          SEARCH_PROVIDERS: 'searxng',
          SEARXNG_URL: site.engineUrl,
        }),
      )
      await expectGood(service)
      const { parts } = await service.service.describe()
      const models = parts.filter(({ kind }) => kind === 'model')
      // The models that ship lie elsewhere and go on serving.
      expect(models.some(({ state }) => state === 'limited')).toBe(true)
    },
  )
})

/** A TCP relay that can be shut: connections stay and are taken, but nothing passes any more, as with a hung server. */
async function startValve(port: number) {
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createTcpServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk: Buffer) => {
        if (isOpen) to.write(chunk)
        else held.push(() => to.write(chunk))
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const held: (() => unknown)[] = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    shut: () => void (isOpen = false),
    open(): void {
      isOpen = true
      for (const pass of held.splice(0)) pass()
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
