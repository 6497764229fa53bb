import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import * as zlib from 'node:zlib'
import iconv from 'iconv-lite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultOf, PageError, type Capture, type LoadOptions } from '../../src/pages/capture.ts'
import { openEgress, type Egress } from '../../src/pages/egress/egress.ts'
import { createHostLimiter } from '../../src/pages/robots/host-limiter.ts'
import { decodeLongPage } from '../../src/pages/fetch/decode-page.ts'
import { createStaticLoader, type StaticLimits } from '../../src/pages/static-loader.ts'
import {
  big,
  cutOff,
  document,
  drip,
  gzipBomb,
  gzipped,
  hang,
  page,
  redirect,
  reply,
  startPageServer,
  type PageServer,
  type Route,
} from '../support/page-server.ts'

const USER_AGENT = 'Verbatim/0.1 (+https://verbatim.example/about)'
const never = new AbortController().signal
let egress: Egress
const servers: PageServer[] = []

beforeEach(() => {
  egress = openEgress({ allow: ['127.0.0.1'] })
})
afterEach(async () => {
  await egress.close()
  for (const server of servers.splice(0)) await server.close()
})

async function serve(routes: Record<string, Route>, host = '127.0.0.1'): Promise<PageServer> {
  const server = await startPageServer(routes, { host })
  servers.push(server)
  return server
}

const within = (ms: number, fresh = false): Pick<LoadOptions, 'deadlineMs' | 'fresh'> => ({
  deadlineMs: Date.now() + ms,
  fresh,
})

const loaderWith = (limits: Partial<StaticLimits> = {}, decodeLong = decodeLongPage) =>
  createStaticLoader({
    egress,
    robots: null,
    hostLimiter: createHostLimiter(),
    userAgent: USER_AGENT,
    decodeLong,
    limits,
  })

async function capture(url: string, limits: Partial<StaticLimits> = {}, ms = 20_000): Promise<Capture> {
  const found = await loaderWith(limits).load(url, within(ms), never)
  if (found.capture === null) throw new Error('unexpected 304')
  return found.capture
}

async function failureOf(work: Promise<unknown>): Promise<PageError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof PageError) return error
  throw new Error('expected a PageError', { cause: error })
}

const served = async (route: Route, limits: Partial<StaticLimits> = {}, ms = 20_000) =>
  capture((await serve({ '/': route })).url('/'), limits, ms)
const refusal = async (route: Route, limits: Partial<StaticLimits> = {}, ms = 20_000) =>
  (await failureOf(served(route, limits, ms))).warning

describe('a page is read as it stands', () => {
  it('text, addresses, dates and language come from the answer', async () => {
    const headers = { 'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT', 'content-language': 'de' }
    const site = await serve({
      '/a': redirect('/b'),
      '/b': reply(200, 'text/html; charset=utf-8', '<p>Grüße</p>', headers),
    })
    expect(await capture(site.url('/a'))).toEqual({
      id: expect.any(String),
      requestedUrl: site.url('/a'),
      url: site.url('/b'),
      mediaType: 'text/html',
      content: '<p>Grüße</p>',
      lastModified: '2015-10-21T07:28:00.000Z',
      contentLanguage: 'de',
      fetchedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/u),
      readBy: 'static',
      warning: null,
    })
  })

  it('the request says honestly who asks, and carries no cookie', async () => {
    const site = await serve({
      '/': reply(302, null, '', { location: '/b', 'set-cookie': 'id=1' }),
      '/b': page('B', 'b'),
    })
    await capture(site.url('/'))
    for (const { headers } of site.requests) {
      expect(headers['user-agent']).toBe(USER_AGENT)
      expect(headers['cookie']).toBeUndefined()
    }
  })

  it('a date that is none is no date', async () => {
    expect(
      (await served(reply(200, 'text/plain', 'x', { 'last-modified': 'yesterday' }))).lastModified,
    ).toBeNull()
  })

  it('a text that is kept packed is read as what is in it, within the same limits', async () => {
    const packed = (body: string) => reply(200, 'application/x-gzip', gzipSync(body))
    const found = await served(packed('<?xml version="1.0"?><urlset></urlset>'))
    expect(found).toMatchObject({ mediaType: 'text/xml', content: '<?xml version="1.0"?><urlset></urlset>' })
    expect((await refusal(packed('a'.repeat(64 << 20)))).code).toBe('too_large')
    expect((await refusal(packed('\u007FELF'))).code).toBe('not_text')
  })

  it('a PDF stays bytes', async () => {
    const bytes = Buffer.from('%PDF-1.4\n\u00ff\u0000', 'latin1')
    const found = await served(reply(200, 'application/octet-stream', bytes))
    expect(found.mediaType).toBe('application/pdf')
    expect(Buffer.from(found.content)).toEqual(bytes)
  })
})

describe('compressed pages are read in every usual compression', () => {
  const html = document('Packed', `<p>${'All is well. '.repeat(500)}</p>`)
  it.each([
    ['gzip', gzipSync(html)],
    ['x-gzip', gzipSync(html)],
    ['GZIP', gzipSync(html)],
    ['br', brotliCompressSync(html)],
    ['deflate', deflateSync(html)],
    ['deflate', deflateRawSync(html)],
    ['identity', Buffer.from(html)],
    ['none', Buffer.from(html)],
    ['UTF-8', Buffer.from(html)],
    ['gzip, none', gzipSync(html)],
  ])('%s', async (encoding, body) => {
    const found = await served(reply(200, 'text/html', body, { 'content-encoding': encoding }))
    expect(found.content).toBe(html)
    expect(found.warning).toBeNull()
  })

  it.skipIf(!('zstdCompressSync' in zlib))('zstd, where this Node.js knows it', async () => {
    const compress: unknown = Reflect.get(zlib, 'zstdCompressSync')
    const body: unknown = typeof compress === 'function' ? compress(Buffer.from(html)) : null
    if (!(body instanceof Uint8Array)) throw new Error('zstdCompressSync gave no bytes')
    expect((await served(reply(200, 'text/html', body, { 'content-encoding': 'zstd' }))).content).toBe(html)
  })

  it.each(['gzip, gzip', 'compress', 'aes128gcm', 'br, gzip'])(
    '%s is refused as unreadable',
    async (encoding) => {
      const warning = await refusal(
        reply(200, 'text/html', gzipSync(gzipSync(html)), { 'content-encoding': encoding }),
      )
      expect(warning.code).toBe('not_text')
    },
  )

  it('an empty body is an empty page, compressed or not', async () => {
    expect((await served(reply(200, 'text/html', ''))).content).toBe('')
    expect(
      (await served(reply(200, 'text/html', gzipSync(''), { 'content-encoding': 'gzip' }))).content,
    ).toBe('')
  })

  it.each(['gzip', 'deflate', 'br'])(
    'data that is not %s as it says is told for what it is, and never as a site out of reach',
    async (encoding) => {
      const answer = reply(200, 'text/html', '<p>plain words</p>', { 'content-encoding': encoding })
      expect(await refusal(answer)).toEqual({
        code: 'damaged',
        message: 'The site says that the page is compressed, and what it sent is not.',
      })
    },
  )

  it.each([20, 4_000, 40_000])(
    'a page by gzip with other bytes behind it is read whole, of %i sentences',
    async (sentences) => {
      const whole = Array.from({ length: sentences }, (_, index) => `<p>Sentence ${index * 7919}.</p>`).join(
        '',
      )
      const named = gzipSync(whole)
      named[3] = 8
      const bodies = [
        Buffer.concat([gzipSync(whole), Buffer.from('<!-- served in 3 ms -->')]),
        Buffer.concat([
          named.subarray(0, 10),
          Buffer.from('page.html\0'),
          named.subarray(10),
          Buffer.from('\r\n'),
        ]),
        Buffer.concat([gzipSync(whole.slice(0, 99)), gzipSync(whole.slice(99))]),
      ]
      for (const body of bodies) {
        const found = await served(reply(200, 'text/html', body, { 'content-encoding': 'gzip' }))
        expect(found.content).toBe(whole)
        expect(found.warning).toBeNull()
      }
    },
  )

  it('a compressed page that is cut off keeps its beginning, with a warning', async () => {
    const noise = Array.from({ length: 4_000 }, (_, index) => `<p>Sentence ${index * 7919}.</p>`).join('')
    const whole = gzipSync(noise)
    const found = await served(
      reply(200, 'text/html', whole.subarray(0, whole.length / 2), { 'content-encoding': 'gzip' }),
    )
    expect(found.warning?.code).toBe('truncated')
    expect(noise.startsWith(String(found.content))).toBe(true)
    expect(found.content.length).toBeGreaterThan(1_000)
  })
})

describe('answers that are none of the usual', () => {
  it('an empty page is empty, and not out of reach, also where it is said to be compressed', async () => {
    for (const encoding of ['gzip', 'br', 'deflate']) {
      const found = await served(reply(200, 'text/html', '', { 'content-encoding': encoding }))
      expect(found).toMatchObject({ content: '', warning: null })
    }
  })

  it('a site that does not speak HTTP was reached, and the warning says so', async () => {
    const odd: Route = (request) => void request.socket.end('SSH-2.0-OpenSSH_9.6\r\n')
    expect(await refusal(odd)).toEqual({
      code: 'unreachable',
      message: 'What the site answered is not HTTP as this service reads it.',
    })
  })

  it('a refresh in the headers leads on at once, as in a browser, and one for later does not', async () => {
    const wait = (refresh: string) => reply(200, 'text/html', '<p>Please wait.</p>', { refresh })
    const site = await serve({
      '/now': wait('0; url=/there'),
      '/quoted': wait('1;URL="/there"'),
      '/later': wait('300; url=/there'),
      '/again': wait('2'),
      '/there': reply(200, 'text/html', '<p>There.</p>'),
    })
    const read = async (path: string) => (await capture(site.url(path))).content
    for (const path of ['/now', '/quoted']) expect(await read(path)).toBe('<p>There.</p>')
    for (const path of ['/later', '/again']) expect(await read(path)).toBe('<p>Please wait.</p>')
  })
})

describe('bodies are bounded', () => {
  const bytesMax = 100_000

  it('a file that declares to be larger than the limit is refused unread when it is no text', async () => {
    const declared: Route = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 1_000_000 })
      response.flushHeaders()
    }
    expect(await refusal(declared, { bytesMax })).toEqual({
      code: 'too_large',
      message: 'The page is larger than this service reads.',
    })
  })

  it('a page that declares to be larger keeps its beginning, with a warning', async () => {
    const found = await served(big(1_000_000, true), { bytesMax })
    expect(found.content.length).toBe(bytesMax)
    expect(found.warning?.code).toBe('truncated')
  })

  it('a page that turns out to be larger keeps its beginning, with a warning', async () => {
    const found = await served(big(1_000_000), { bytesMax })
    expect(found.content.length).toBe(bytesMax)
    expect(found.warning).toEqual({
      code: 'truncated',
      message: expect.stringContaining('only its beginning'),
    })
  })

  it('a long page is decoded where it keeps nobody waiting, and a short one at once', async () => {
    const decoded: number[] = []
    const decodeLong: typeof decodeLongPage = (asked, signal) => {
      decoded.push(asked.bytes.length)
      return decodeLongPage(asked, signal)
    }
    for (const characters of [1 << 20, (1 << 20) + 1]) {
      const site = await serve({ '/': reply(200, 'text/html; charset=utf-8', 'a'.repeat(characters)) })
      const { capture: found } = await loaderWith({}, decodeLong).load(site.url('/'), within(20_000), never)
      expect(found?.content).toHaveLength(characters)
    }
    expect(decoded).toEqual([(1 << 20) + 1])
  })

  it('a long page that is decoded too late is late through us, and not through its site', async () => {
    const site = await serve({ '/': reply(200, 'text/html; charset=utf-8', 'a'.repeat(1 << 21)) })
    const forever = (): Promise<string> => new Promise(() => undefined)
    const failure = await failureOf(loaderWith({}, forever).load(site.url('/'), within(1_500), never))
    expect(failure.warning.code).toBe('out_of_time')
  })

  it('of a page of megabytes the text of scripts is left out, and what stands behind it is read', async () => {
    const script = `<script>${'x = "<p>no</p>";\n'.repeat(150_000)}</script>`
    const data = '<script type="application/ld+json">{"name":"data"}</script>'
    const found = await served((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<p>before</p>${script}${data}${script}<p>behind</p>`)
    })
    expect(found.warning).toBeNull()
    expect(found.content.length).toBeLessThan(300_000)
    expect(found.content).toContain(`</script>${data}<script></script><p>behind</p>`)
  })

  it('the limit holds after decompression', async () => {
    const found = await served(gzipped('<p>words and more words</p>'.repeat(20_000)), { bytesMax })
    expect(found.content.length).toBe(bytesMax)
    expect(found.warning?.code).toBe('truncated')
  })

  it('a file that is no text is refused when it turns out too large', async () => {
    const endless: Route = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' })
      response.write('%PDF-1.7\n')
      response.end(Buffer.alloc(bytesMax * 3, 'x'))
    }
    expect((await refusal(endless, { bytesMax })).code).toBe('too_large')
  })

  it('a compression bomb is refused', async () => {
    expect((await refusal(gzipBomb(64 << 20))).code).toBe('too_large')
  })
})

describe('every way to fail has its warning', () => {
  it.each([
    [400, 'refused'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'gone'],
    [410, 'gone'],
    [429, 'later'],
    [451, 'refused'],
    [500, 'later'],
    [502, 'later'],
    [503, 'later'],
  ])('status %i says what it means for the next attempt: %s', async (status, fault) => {
    const warning = await refusal(reply(status, 'text/html', document('Error', '<p>Sorry</p>')))
    expect(faultOf(warning.code)).toBe(fault)
    expect(warning.message).toContain(`status ${status}`)
  })

  it.each([
    [401, {}, 'Log in', 'login'],
    [402, {}, 'Pay', 'paywall'],
    [403, {}, 'Forbidden', 'blocked'],
    [403, { 'cf-mitigated': 'challenge' }, 'Wait', 'challenge'],
    [405, { 'x-amzn-waf-action': 'captcha' }, '', 'challenge'],
    [429, {}, '<script>KPSDK.start=1</script>', 'challenge'],
    [429, {}, 'Too many', 'site_busy'],
    [503, {}, '<div class="cf-browser-verification">', 'challenge'],
    [503, {}, '<p>Generated by Wordfence</p>', 'blocked'],
    [503, {}, 'Maintenance', 'site_busy'],
    [404, {}, '<div class="g-recaptcha"></div>', 'gone'],
  ])('status %i with %o and "%s" is %s', async (status, headers, body, code) => {
    const warning = await refusal(reply(status, 'text/html', document('Error', body), headers))
    expect(warning.code).toBe(code)
    expect(warning.message).toContain(`status ${status}`)
  })

  it.each([204, 205, 304, 300, 418, 599])('status %i, which brings no page', async (status) => {
    expect((await refusal(reply(status, null, ''))).message).toContain(`status ${status}`)
  })

  it('a redirect without a target', async () => {
    expect((await refusal(reply(302, null, ''))).message).toContain('status 302')
  })

  it('more redirects than five; five are followed', async () => {
    const chain = Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`/${n}`, redirect(`/${n + 1}`)]))
    const site = await serve({ ...chain, '/7': page('End', 'end') })
    expect((await capture(site.url('/2'))).url).toBe(site.url('/7'))
    const error = await failureOf(capture(site.url('/1')))
    expect(error.warning.code).toBe('too_many_redirects')
    expect(error.url).toBe(site.url('/7'))
  })

  it('a redirect whose address is sent unescaped is followed, and one with a fragment or query', async () => {
    const site = await serve({
      '/a': reply(302, null, '', { location: Buffer.from('/grüße?x=1#y').toString('latin1') }),
      '/gr%C3%BC%C3%9Fe': page('End', 'end'),
    })
    expect((await capture(site.url('/a'))).url).toBe(site.url('/gr%C3%BC%C3%9Fe?x=1#y'))
  })

  it('a redirect to itself', async () => {
    expect((await refusal(redirect('/'))).code).toBe('too_many_redirects')
  })

  it.each([
    'http://127.0.0.2/',
    'http://localhost.localdomain/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    '//192.168.1.1/',
    'http://[::1]:9/',
    'http://0xa9fea9fe/',
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1:6379/_x',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://user@127.0.0.1/',
    'http://[bad',
    'http://redis:6379/',
    'http://example.com:22/',
  ])('a redirect to %s', async (target) => {
    const site = await serve({ '/': redirect(target) })
    const error = await failureOf(capture(site.url('/')))
    expect(error.warning).toEqual({
      code: 'address_refused',
      message: 'The page leads to an address that this service does not open.',
    })
    expect(site.requests).toHaveLength(1)
  })

  it('a private address behind three harmless redirects', async () => {
    const inner = await serve({ '/': page('Secret', 'secret') }, '127.0.0.9')
    const site = await serve({
      '/1': redirect('/2', 301),
      '/2': redirect('/3', 307),
      '/3': redirect(inner.url('/'), 308),
    })
    expect((await failureOf(capture(site.url('/1')))).warning.code).toBe('address_refused')
    expect(inner.connections()).toBe(0)
  })

  it('a port on which nothing listens', async () => {
    const site = await startPageServer({})
    await site.close()
    expect((await failureOf(capture(site.url('/')))).warning.code).toBe('unreachable')
  })

  it('an answer that is no HTTP', async () => {
    const rude: Route = (request) => void request.socket.end('SSH-2.0-OpenSSH_9.2\r\n')
    expect((await refusal(rude)).code).toBe('unreachable')
  })

  it('a connection that closes without an answer', async () => {
    expect((await refusal((request) => void request.socket.destroy())).code).toBe('unreachable')
  })

  it('headers without end', async () => {
    const endless: Route = (request) => {
      const { socket } = request
      socket.write('HTTP/1.1 200 OK\r\n')
      const more = () => void (socket.destroyed || socket.write(`X-${'a'.repeat(60_000)}: b\r\n`, more))
      more()
    }
    expect((await refusal(endless)).code).toBe('unreachable')
  })

  it('a page that never answers', async () => {
    expect(await refusal(hang(), {}, 200)).toEqual({
      code: 'timeout',
      message: 'The site did not answer in time.',
    })
  })

  it('a page that sends headers and then nothing', async () => {
    const silent: Route = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.flushHeaders()
    }
    expect((await refusal(silent, {}, 200)).code).toBe('timeout')
  })

  it.each([
    ['an image', 'image/png', '\u0089PNG\r\n\u001A\n'],
    ['an archive', 'application/zip', 'PK\u0003\u0004'],
    ['an archive that says it is HTML', 'text/html', 'PK\u0003\u0004'],
    ['an image that says it is text', 'text/plain', '\u00FF\u00D8\u00FF\u00E0'],
    ['sound', 'audio/mpeg', 'ID3\u0003'],
    ['a video', 'video/mp4', 'xxxxftypisom'],
    ['bytes without a type', 'application/octet-stream', '\u0000\u0001\u0002\u0003'],
    ['bytes that say they are text', 'text/plain', 'abc\u0000\u0001\u0002'],
    ['an SVG', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a word document', 'application/msword', 'abc'],
  ])('%s', async (_name, type, start) => {
    const warning = await refusal(reply(200, type, Buffer.from(start.padEnd(64, '\u0000'), 'latin1')))
    expect(warning).toEqual({ code: 'not_text', message: expect.any(String) })
  })
})

describe('what has come by the deadline is kept', () => {
  it('a page that drips for ever gives its beginning, with a warning', async () => {
    const found = await served(drip('<p>Here is the beginning.</p>'), {}, 400)
    expect(found.content).toContain('Here is the beginning.')
    expect(found.warning?.code).toBe('truncated')
  })

  it('a page whose connection is lost gives its beginning, with a warning', async () => {
    const found = await served(cutOff('<p>Here is the beginning.</p>'))
    expect(found.content).toBe('<p>Here is the beginning.</p>')
    expect(found.warning?.code).toBe('truncated')
  })

  it('a character that was cut in two is left out', async () => {
    const found = await served(reply(200, 'text/html; charset=utf-8', 'é'.repeat(60)), { bytesMax: 61 })
    expect(found.content).toBe('é'.repeat(30))
  })
})

describe('the caller rules', () => {
  it('an abort ends the load with the reason that was given', async () => {
    const site = await serve({ '/': hang() })
    const controller = new AbortController()
    const loading = loaderWith().load(site.url('/'), within(60_000), controller.signal)
    const reason = new Error('the client went away')
    const outcome = loading.catch((error: unknown) => error)
    await expect.poll(() => site.requests.length).toBe(1)
    controller.abort(reason)
    expect(await outcome).toBe(reason)
  })

  it('an abort before the load sends nothing', async () => {
    const site = await serve({ '/': page('A', 'a') })
    await expect(
      loaderWith().load(site.url('/'), within(60_000), AbortSignal.abort(new Error('no'))),
    ).rejects.toThrow('no')
    expect(site.connections()).toBe(0)
  })

  it('a deadline that has passed is a timeout', async () => {
    const site = await serve({ '/': page('A', 'a') })
    expect((await failureOf(loaderWith().load(site.url('/'), within(-1), never))).warning.code).toBe(
      'timeout',
    )
  })

  it('no public message holds an internal detail', async () => {
    const site = await serve({ '/': redirect('http://10.1.2.3:6379/secret-path') })
    const error = await failureOf(capture(site.url('/')))
    expect(error.warning.message).not.toMatch(/10\.1\.2\.3|6379|secret|ECONN|undici|node:/u)
    expect(String(error.cause)).toContain('10.1.2.3')
  })
})

describe('a page that is known is asked for conditionally', () => {
  const etagged: Route = (request, response) => {
    const known =
      request.headers['if-none-match'] === '"v1"' || request.headers['if-modified-since'] !== undefined
    response.writeHead(known ? 304 : 200, {
      etag: '"v1"',
      'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT',
      'cache-control': 'max-age=60',
      'content-type': 'text/html',
    })
    response.end(known ? undefined : '<p>One</p>')
  }

  it('304 says that it is unchanged, and gives the validators again', async () => {
    const site = await serve({ '/': etagged, '/old': redirect('/') })
    const loader = loaderWith()
    const first = await loader.load(site.url('/old'), within(5_000), never)
    expect(first.validators).toEqual({
      url: site.url('/'),
      etag: '"v1"',
      lastModified: 'Wed, 21 Oct 2015 07:28:00 GMT',
    })
    expect(first.caching).toMatchObject({ 'cache-control': 'max-age=60' })
    const second = await loader.load(site.url('/old'), within(5_000), never, first.validators)
    expect(second).toMatchObject({
      capture: null,
      validators: first.validators,
      caching: { 'cache-control': 'max-age=60' },
    })
    expect(site.requests[2]?.headers['if-none-match']).toBeUndefined()
  })

  it('fresh tells caches on the way that none of them may answer', async () => {
    const site = await serve({ '/': page('A', 'a') })
    await loaderWith().load(site.url('/'), within(5_000, true), never)
    expect(site.requests[0]?.headers['cache-control']).toBe('no-cache')
  })
})

describe('text in any encoding is read', () => {
  it.each([
    ['shift_jis', 'これは日本語の文章です。'],
    ['windows-1251', 'Это предложение на русском языке.'],
  ])('%s, named by the header, by the page, or not at all', async (charset, sentence) => {
    const body = (head: string) =>
      iconv.encode(
        document('t', `<p>${sentence.repeat(5)}</p>`).replace('<meta charset="utf-8">', head),
        charset,
      )
    for (const route of [
      reply(200, `text/html; charset=${charset}`, body('')),
      reply(200, 'text/html', body(`<meta charset="${charset}">`)),
      reply(200, 'text/html', body('')),
    ]) {
      expect((await served(route)).content).toContain(sentence)
    }
  })
})
