import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Redis } from 'ioredis'
import { createMemoryCacheStore, type CacheStore } from '../../../src/pages/cache/memory-store.ts'
import { createRedisCacheStore } from '../../../src/pages/cache/redis-store.ts'
import { createPageCache, type CacheLimits, type PageCache } from '../../../src/pages/cache/page-cache.ts'
import { PageError, type Capture } from '../../../src/pages/capture.ts'
import { openEgress, type Egress } from '../../../src/pages/egress/egress.ts'
import { createHostLimiter } from '../../../src/pages/robots/host-limiter.ts'
import { decodeLongPage } from '../../../src/pages/fetch/decode-page.ts'
import { createStaticLoader, type StaticLoader } from '../../../src/pages/static-loader.ts'
import { drip, page, startPageServer, type PageServer, type Route } from '../../support/page-server.ts'
import { hasRedis, startRedis } from '../../support/redis.ts'

const never = new AbortController().signal
let egress: Egress
let loader: StaticLoader
const servers: PageServer[] = []
const storeErrors: unknown[] = []

beforeEach(() => {
  egress = openEgress({ allow: ['127.0.0.1'] })
  loader = createStaticLoader({
    egress,
    robots: null,
    hostLimiter: createHostLimiter(),
    userAgent: 'Verbatim/0.1',
    decodeLong: decodeLongPage,
  })
  storeErrors.length = 0
})
afterEach(async () => {
  await egress.close()
  for (const server of servers.splice(0)) await server.close()
})

async function serve(route: Route): Promise<PageServer> {
  const server = await startPageServer({ '/': route })
  servers.push(server)
  return server
}

const cacheWith = (
  limits: Partial<CacheLimits> = {},
  store: CacheStore = createMemoryCacheStore({ bytesMax: 10_000_000 }),
) => createPageCache({ store, limits, onStoreError: (error) => storeErrors.push(error) })

interface Asked {
  fresh?: boolean
  language?: string
  ms?: number
  signal?: AbortSignal
}

function ask(
  cache: PageCache,
  url: string,
  { fresh = false, language = 'en', ms = 20_000, signal = never }: Asked = {},
): Promise<Capture> {
  const budget = { deadlineMs: Date.now() + ms, fresh, language }
  return cache.load(url, budget, signal, (known, ended) => loader.load(url, budget, ended, known))
}

/** A page that counts its versions and answers conditional requests. */
function versioned(headers: Record<string, string> = {}): { route: Route; change: () => void } {
  let version = 1
  const route: Route = (request, response) => {
    const unchanged = request.headers['if-none-match'] === `"v${version}"`
    response.writeHead(unchanged ? 304 : 200, {
      'content-type': 'text/html',
      etag: `"v${version}"`,
      ...headers,
    })
    response.end(unchanged ? undefined : `<p>Version ${version}</p>`)
  }
  return { route, change: () => (version += 1) }
}

describe('a page that was read', () => {
  it('is used again without asking the site', async () => {
    const site = await serve(versioned().route)
    const cache = cacheWith()
    expect((await ask(cache, site.url('/'))).readBy).toBe('static')
    const again = await ask(cache, site.url('/'))
    expect(again).toMatchObject({ content: '<p>Version 1</p>', readBy: 'cache', url: site.url('/') })
    expect(site.requests).toHaveLength(1)
  })

  it('is asked for conditionally when it is no longer fresh, and kept when unchanged', async () => {
    const { route, change } = versioned({ 'cache-control': 'max-age=0' })
    const site = await serve(route)
    const cache = cacheWith()
    await ask(cache, site.url('/'))
    expect(await ask(cache, site.url('/'))).toMatchObject({ content: '<p>Version 1</p>', readBy: 'cache' })
    expect(site.requests[1]?.headers['if-none-match']).toBe('"v1"')
    change()
    expect(await ask(cache, site.url('/'))).toMatchObject({ content: '<p>Version 2</p>', readBy: 'static' })
  })

  it('is fetched anew for a request that asks for fresh pages, and kept for the others', async () => {
    const { route, change } = versioned()
    const site = await serve(route)
    const cache = cacheWith()
    await ask(cache, site.url('/'))
    change()
    expect((await ask(cache, site.url('/'))).content).toBe('<p>Version 1</p>')
    expect((await ask(cache, site.url('/'), { fresh: true })).content).toBe('<p>Version 2</p>')
    expect(site.requests[1]?.headers['if-none-match']).toBeUndefined()
    expect(await ask(cache, site.url('/'))).toMatchObject({ content: '<p>Version 2</p>', readBy: 'cache' })
  })

  it.each([
    ['no-store', 2],
    ['private', 2],
    ['private, max-age=600', 2],
    ['no-cache', 2],
    ['max-age=0, must-revalidate', 2],
    ['max-age=600', 1],
    ['public, s-maxage=600, max-age=0', 1],
    ['MAX-AGE="600"', 1],
    ['immutable', 1],
    ['NO-STORE', 2],
    ['max-age=600, must-revalidate', 1],
  ])('obeys Cache-Control: %s', async (cacheControl, requests) => {
    const site = await serve(page('Page', 'text'))
    const other = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': cacheControl }).end('x')
    })
    const cache = cacheWith()
    for (const server of [site, other]) for (const _ of [1, 2]) await ask(cache, server.url('/'))
    expect([site.requests.length, other.requests.length]).toEqual([1, requests])
  })

  it('is not used longer than the limit, whatever it says of itself', async () => {
    const site = await serve(versioned({ 'cache-control': 'max-age=31536000' }).route)
    const cache = cacheWith({ freshMaxMs: 0 })
    await ask(cache, site.url('/'))
    await ask(cache, site.url('/'))
    expect(site.requests).toHaveLength(2)
  })

  it('is not kept when it came incomplete, or not at all', async () => {
    const site = await serve(drip('<p>beginning</p>'))
    const cache = cacheWith()
    for (const _ of [1, 2])
      expect((await ask(cache, site.url('/'), { ms: 200 })).warning?.code).toBe('truncated')
    const broken = await serve((_request, response) => void response.writeHead(500).end())
    for (const _ of [1, 2]) await expect(ask(cache, broken.url('/'))).rejects.toBeInstanceOf(PageError)
    expect([site.requests.length, broken.requests.length]).toEqual([2, 2])
  })
})

describe('requests for the same page at the same time', () => {
  /** A page that is answered when the test says so. */
  async function held() {
    const answers: (() => void)[] = []
    const site = await serve((_request, response) => {
      answers.push(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Held</p>'))
    })
    return { site, url: site.url('/'), release: () => answers.forEach((answer) => answer()) }
  }

  it('are one request to the site', async () => {
    const { site, url, release } = await held()
    const cache = cacheWith()
    const all = Promise.all(Array.from({ length: 20 }, () => ask(cache, url)))
    await expect.poll(() => site.requests.length).toBe(1)
    release()
    expect(new Set((await all).map((capture) => capture.content))).toEqual(new Set(['<p>Held</p>']))
    expect(site.requests).toHaveLength(1)
  })

  it('are independent: one that is aborted does not end the others', async () => {
    const { site, url, release } = await held()
    const cache = cacheWith()
    const leaving = new AbortController()
    const first = ask(cache, url, { signal: leaving.signal }).catch((error: unknown) => error)
    const second = ask(cache, url)
    await expect.poll(() => site.requests.length).toBe(1)
    const reason = new Error('gone')
    leaving.abort(reason)
    expect(await first).toBe(reason)
    release()
    expect((await second).content).toBe('<p>Held</p>')
  })

  it('end the reading when the last of them has left, and the next one starts anew', async () => {
    const { site, url, release } = await held()
    const cache = cacheWith()
    const leaving = new AbortController()
    const both = [1, 2].map(() =>
      ask(cache, url, { signal: leaving.signal }).catch((error: unknown) => error),
    )
    await expect.poll(() => site.requests.length).toBe(1)
    leaving.abort(new Error('gone'))
    await Promise.all(both)
    const next = ask(cache, url)
    await expect.poll(() => site.requests.length).toBe(2)
    release()
    expect((await next).content).toBe('<p>Held</p>')
  })

  it('keep their own deadlines: a shorter one is a timeout, a longer one goes on', async () => {
    const { site, url, release } = await held()
    const cache = cacheWith()
    const long = ask(cache, url)
    await expect.poll(() => site.requests.length).toBe(1)
    await expect(ask(cache, url, { ms: 100 })).rejects.toMatchObject({ warning: { code: 'timeout' } })
    release()
    expect((await long).content).toBe('<p>Held</p>')
  })

  it('a caller with more time reads again what was cut short for another one’s deadline', async () => {
    const { site, url, release } = await held()
    const cache = cacheWith()
    const short = ask(cache, url, { ms: 200 }).catch((error: unknown) => error)
    const long = ask(cache, url)
    expect(await short).toMatchObject({ warning: { code: 'timeout' } })
    await expect.poll(() => site.requests.length).toBe(2)
    release()
    expect((await long).content).toBe('<p>Held</p>')
  })
})

describe('when the store fails', () => {
  it('pages are read as if nothing were kept, and that reading and keeping fail is reported once each', async () => {
    const site = await serve(versioned().route)
    const broken: CacheStore = {
      get: () => Promise.reject(new Error('reading')),
      set: () => Promise.reject(new Error('keeping')),
    }
    const cache = cacheWith({}, broken)
    for (const _ of [1, 2]) expect((await ask(cache, site.url('/'))).content).toBe('<p>Version 1</p>')
    expect(site.requests).toHaveLength(2)
    await new Promise(setImmediate)
    expect(storeErrors).toEqual([new Error('reading'), new Error('keeping')])
  })

  it.skipIf(!hasRedis)('a Redis that hangs or dies costs no page', async () => {
    const server = await startRedis()
    const redis = new Redis(server.url, { maxRetriesPerRequest: 1, retryStrategy: () => 50 })
    redis.on('error', () => undefined)
    const site = await serve(versioned().route)
    const cache = cacheWith({}, createRedisCacheStore({ redis }))
    await ask(cache, site.url('/'))
    await expect.poll(async () => (await ask(cache, site.url('/'))).readBy).toBe('cache')
    server.pause()
    expect((await ask(cache, site.url('/'))).readBy).toBe('static')
    server.resume()
    await server.kill()
    expect((await ask(cache, site.url('/'))).readBy).toBe('static')
    await server.start()
    await expect.poll(async () => (await ask(cache, site.url('/'))).readBy, { timeout: 10_000 }).toBe('cache')
    redis.disconnect()
    await server.stop()
  })
})

describe('languages', () => {
  it('keeps a page that varies by language apart for each, and one that does not for all', async () => {
    for (const [vary, requests] of [
      ['Accept-Encoding, accept-language', 2],
      [['Accept-Encoding', 'Accept-Language'], 2],
      ['*', 4],
      ['Accept-Encoding', 1],
    ] as const) {
      let asked = 0
      const server = await serve((request, response) => {
        asked += 1
        const language = String(request.headers['accept-language']).slice(0, 2)
        response.setHeader('vary', vary).writeHead(200, { 'content-type': 'text/html' }).end(`in ${language}`)
      })
      const cache = cacheWith()
      for (const language of ['de', 'fr', 'de', 'fr']) {
        const { content } = await ask(cache, server.url('/'), { language })
        if (requests > 1) expect(content).toBe(`in ${language}`)
      }
      expect([vary, asked]).toEqual([vary, requests])
    }
  })

  it('asks a site that does not say that it chooses by language once for each, unless nobody asks for one', async () => {
    const asked: string[] = []
    const server = await serve((request, response) => {
      const wanted = String(request.headers['accept-language']).slice(0, 2)
      asked.push(wanted)
      const language = wanted === 'de' ? 'de' : 'en'
      response
        .writeHead(200, { 'content-type': 'text/html', etag: '"same"' })
        .end(`<html lang="${language}"><p>in ${language}`)
    })
    const cache = cacheWith()
    const contents: string[] = []
    for (const language of ['de', 'en', 'fr', 'de', 'en', 'fr', 'de-AT']) {
      const { content } = await ask(cache, server.url('/'), { language })
      contents.push(String(content).slice(-2))
    }
    expect(contents).toEqual(['de', 'en', 'en', 'de', 'en', 'en', 'de'])
    expect(asked).toEqual(['de', 'en', 'fr'])
    const another = cacheWith()
    await ask(another, server.url('/'), { language: 'de' })
    const budget = { deadlineMs: Date.now() + 20_000, fresh: false }
    const read = () => Promise.reject(new Error('there is a copy'))
    expect((await another.load(server.url('/'), budget, never, read)).content).toContain('in de')
  })

  it('keeps a page of one language apart when it is read anew, too', async () => {
    const asked: string[] = []
    let version = 1
    const server = await serve((request, response) => {
      const language = String(request.headers['accept-language']).slice(0, 2)
      asked.push(language)
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<html lang="${language}"><p>${language} ${version}`)
    })
    const store = createMemoryCacheStore({ bytesMax: 10_000_000 })
    const [cache, later] = [cacheWith({}, store), cacheWith({ freshMs: 0, freshMaxMs: 0 }, store)]
    const read = async (language: string, from = cache, fresh = false) =>
      String((await ask(from, server.url('/'), { language, fresh })).content).slice(-4)
    await read('en')
    await read('de')
    version = 2
    expect(await read('de', cache, true)).toBe('de 2')
    expect(await read('de')).toBe('de 2')
    expect(await read('en')).toBe('en 1')
    version = 3
    expect(await read('de', later)).toBe('de 3')
    expect(await read('en')).toBe('en 1')
    expect(asked).toEqual(['en', 'de', 'de', 'de'])
  })

  it('does not share what a site says unchanged of with who asks for another language', async () => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    let requests = 0
    const server = await serve(async (request, response) => {
      requests += 1
      const language = String(request.headers['accept-language']).slice(0, 2)
      if (request.headers['if-none-match'] !== undefined) await released
      const unchanged = request.headers['if-none-match'] !== undefined
      response
        .writeHead(unchanged ? 304 : 200, { 'content-type': 'text/html', etag: '"one"' })
        .end(unchanged ? undefined : `<html lang="${language}"><p>in ${language}`)
    })
    const cache = cacheWith({ freshMs: 0, freshMaxMs: 0 })
    await ask(cache, server.url('/'), { language: 'de' })
    const budget = { deadlineMs: Date.now() + 20_000, fresh: false }
    const anyone = cache.load(server.url('/'), budget, never, (known, ended) =>
      loader.load(server.url('/'), budget, ended, known),
    )
    await expect.poll(() => requests).toBe(2)
    const english = ask(cache, server.url('/'), { language: 'en' })
    release()
    expect((await english).content).toContain('in en')
    expect((await anyone).content).toContain('in de')
  })

  it('keeps what a site redirected to apart for each language, too', async () => {
    const server = await startPageServer({
      '/': (request, response) => {
        const language = String(request.headers['accept-language']).slice(0, 2)
        response.writeHead(302, { location: `/${language}` }).end()
      },
      '/de': page('Deutsch', 'auf Deutsch'),
      '/fr': page('Français', 'en français'),
    })
    servers.push(server)
    const cache = cacheWith()
    expect((await ask(cache, server.url('/'), { language: 'de' })).url).toMatch(/\/de$/u)
    expect((await ask(cache, server.url('/'), { language: 'fr' })).url).toMatch(/\/fr$/u)
  })
})
