// Which reader opens a page, and what a page costs when one of them fails: cache, plain HTTP and browser together.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assessRendering } from '../../src/extract/classify/rendering-need.ts'
import { whereSentOn } from '../../src/extract/classify/sent-on.ts'
import { createMemoryCacheStore } from '../../src/pages/cache/memory-store.ts'
import { PageError, type Capture, type LoadOptions } from '../../src/pages/capture.ts'
import { decodeLongPage } from '../../src/pages/fetch/decode-page.ts'
import { openPages, type Pages, type PagesOptions } from '../../src/pages/open-pages.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { browserPids } from '../support/browser.ts'
import {
  document,
  hang,
  page,
  redirect,
  reply,
  scriptedPage,
  startPageServer,
  type PageServer,
  type Route,
} from '../support/page-server.ts'

const PROSE = 'Passages are cut on sentence borders and answered word for word. '.repeat(20)

/** Answers plain HTTP late, the browser (which sends client hints of the fetch) at once. */
const slowForPlainHttp = (afterMs: number, html: string): Route => {
  return async (request, response) => {
    if (request.headers['sec-fetch-mode'] === undefined) await sleep(afterMs)
    response.setHeader('content-type', 'text/html').end(html)
  }
}

const routes: Record<string, Route> = {
  ...scriptedPage('/scripted/', 'Scripted', `Fetched by script.\n${PROSE}`),
  '/plain/': page('Plain', `<main><p>Plain HTML. ${PROSE}</p></main>`),
  '/notes.txt': reply(200, 'text/plain', 'Notes in plain text.'),
  '/paper.pdf': reply(200, 'application/pdf', '%PDF-1.4\n%%EOF'),
  '/slow/': slowForPlainHttp(4_000, document('Slow', `<main><p>Slow by HTTP. ${PROSE}</p></main>`)),
  '/rather-slow/': async (_request, response) => {
    await sleep(900)
    response.setHeader('content-type', 'text/html').end(document('Rather', `<p>Rather slow. ${PROSE}</p>`))
  },
  '/unending/': async (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.write(`<!doctype html><title>Unending</title><p>The beginning. ${PROSE}</p>`)
    await once(response, 'close')
  },
  '/hang': hang(),
  '/thin-hang/': page('Thin', `<div id="root"></div><p>A little text.</p><script src="/hang"></script>`),
  '/thin-crash/': page(
    'Thin',
    `<div id="root"></div><p>A little text.</p>
     <script>const kept = []; for (let i = 0; i < 100; i++) kept.push(new Float64Array(500000).fill(i))</script>`,
  ),
  '/missing/': reply(404, 'text/html', '<p>Gone</p>'),
  '/cookie/': (request, response) => {
    if (request.headers.cookie?.includes('seen=1') === true) {
      response
        .setHeader('content-type', 'text/html')
        .end(document('Cookie', `<p>Behind a cookie. ${PROSE}</p>`))
    } else response.writeHead(302, { location: '/cookie/', 'set-cookie': 'seen=1; Path=/' }).end()
  },
  '/to-blank/': page('Way', '<div id="root"></div><script>location = "about:blank"</script>'),
  '/to-blob/': page(
    'Way',
    `<div id="root"></div><script>location = URL.createObjectURL(new Blob(
      ['<p>Made by script. ${PROSE}</p>'], { type: 'text/html' }))</script>`,
  ),
  '/sent-on/': page('Moved', '<p>Moved.</p>', '<meta http-equiv="refresh" content="0; url=../plain/">'),
  '/sent-round/': page('Round', '<p>Again.</p>', '<meta http-equiv="refresh" content="0; url=/sent-back/">'),
  '/sent-back/': page('Back', '<p>Back.</p>', '<meta http-equiv="refresh" content="0; url=/sent-round/">'),
  '/sent-inside/': page(
    'In',
    '<p>In.</p>',
    '<meta http-equiv="refresh" content="0; url=http://127.0.0.2:8080/">',
  ),
  '/sent-to-closed/': page('In', '<p>In.</p>', '<meta http-equiv="refresh" content="0; url=/closed/secret">'),
  '/forwarded/': reply(200, 'text/html', '<frameset rows="100%,*"><frame src="/plain/"><frame></frameset>'),
  '/frameset/': reply(
    200,
    'text/html',
    '<frameset cols="20%,*"><frame src="/a"><frame src="/plain/"></frameset>',
  ),
  '/framed/': page('Framed', '<iframe src="/plain/"></iframe>'),
  '/closed/secret': page(
    'Secret',
    `<div id="root"></div><script>root.textContent = 'Not for robots.'</script>`,
  ),
  '/to-closed/': page('Way', '<div id="root"></div><script>location.replace("/closed/secret")</script>'),
  '/to-inner/': page(
    'Way',
    '<div id="root"></div><script>location.replace("http://127.0.0.2:8080/")</script>',
  ),
  '/away/': redirect('/plain/'),
  '/spoken/': (request, response) => {
    const asked = `asked for ${String(request.headers['accept-language'])}`
    const told = '<script>root.textContent = "scripts see " + navigator.language</script>'
    const html = document('Spoken', `<p>${asked}. ${PROSE}</p><div id="root"></div>${told}`)
    response.setHeader('content-type', 'text/html').end(html)
  },
  '/robots.txt': reply(200, 'text/plain', 'User-agent: *\nDisallow: /closed/\n'),
}

let site: PageServer
let pages: Pages
const opened: Pages[] = []

async function open(overrides: Partial<PagesOptions> = {}): Promise<Pages> {
  const opening = await openPages({
    userAgent: 'VerbatimTest/1.0',
    product: 'Verbatim',
    respectRobots: true,
    egress: { allow: [`127.0.0.1:${site.port}`] },
    browser: { mode: 'auto', chromiumPath: null },
    cacheStore: createMemoryCacheStore({ bytesMax: 10_000_000 }),
    assessRendering: async (html, url, signal) => (await assessRendering(html, url, signal)).verdict,
    decodeLong: decodeLongPage,
    whereSentOn,
    logger: createLogger('silent'),
    ...overrides,
  })
  opened.push(opening)
  return opening
}

beforeAll(async () => {
  site = await startPageServer(routes)
  pages = await open()
})
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()))
  await site.close()
})

const ask = (from: Pages, path: string, options: Partial<LoadOptions> & { withinMs?: number } = {}) => {
  const { withinMs = 30_000, ...rest } = options
  const load: LoadOptions = {
    deadlineMs: Date.now() + withinMs,
    rendering: 'auto',
    scroll: false,
    fresh: true,
    ...rest,
  }
  return from.load(site.url(path), load, new AbortController().signal)
}
const load = (path: string, options: Parameters<typeof ask>[2] = {}) => ask(pages, path, options)
const codeOf = (work: Promise<Capture>): Promise<string> =>
  work.then(
    ({ warning }) => warning?.code ?? 'read',
    (error: unknown) => (error instanceof PageError ? error.warning.code : String(error)),
  )

describe('choosing the reader', () => {
  it('a page whose markup holds its text is read by plain HTTP alone', async () => {
    expect(await load('/plain/')).toMatchObject({ readBy: 'static', warning: null })
  })

  it('a page built by script is read by the browser', async () => {
    const capture = await load('/scripted/')
    expect(capture).toMatchObject({ readBy: 'browser', mediaType: 'text/html', warning: null })
    expect(capture.content).toContain('Fetched by script.')
  })

  it('a page is never opened in the browser when only plain HTTP is allowed', async () => {
    const capture = await load('/scripted/', { rendering: 'static' })
    expect(capture).toMatchObject({ readBy: 'static', warning: null })
  })

  it('every page of HTML is opened in the browser when that is asked for', async () => {
    expect(await load('/plain/', { rendering: 'browser' })).toMatchObject({ readBy: 'browser' })
  })

  it.each(['auto', 'off'] as const)(
    'a page that has come is not lost when it cannot be judged in time for the browser (%s)',
    async (mode) => {
      const busy = await open({
        browser: { mode, chromiumPath: null },
        assessRendering: async (_html, _url, signal) => {
          await once(signal, 'abort')
          throw signal.reason
        },
      })
      expect(await ask(busy, '/plain/', { withinMs: 1_500 })).toMatchObject({
        readBy: 'static',
        warning: null,
      })
    },
  )

  it('a site is asked in the caller’s language, by plain HTTP and by the browser, whose scripts see it', async () => {
    const fetched = await load('/spoken/', { rendering: 'static', language: 'de-AT' })
    expect(fetched.content).toContain('asked for de-AT,de;q=0.9,en;q=0.5,*;q=0.3')
    const shown = await load('/spoken/', { rendering: 'browser', language: 'de-AT' })
    expect(shown.content).toMatch(/asked for de-AT/u)
    expect(shown.content).toContain('scripts see de-AT')
  })

  it.each(['/notes.txt', '/paper.pdf'])('%s is never opened in the browser', async (path) => {
    expect(await load(path, { rendering: 'browser' })).toMatchObject({ readBy: 'static' })
  })

  it('a page that plain HTTP is slow with is read by the browser beside it, without waiting for the other', async () => {
    const capture = await load('/slow/')
    expect(capture).toMatchObject({ readBy: 'browser' })
    expect(capture.content).toContain('Slow by HTTP.')
  })

  it('a page that does not end is read as far as it came, says so and is not kept', async () => {
    for (const capture of [
      await load('/unending/', { fresh: false }),
      await load('/unending/', { fresh: false }),
    ]) {
      expect(capture).toMatchObject({ readBy: 'browser', warning: { code: 'truncated' } })
      expect(capture.warning?.message).toContain('still loading')
      expect(capture.content).toContain('The beginning.')
    }
  })

  it('a page that is as slow for both is read by whichever is first, once', async () => {
    expect((await load('/rather-slow/')).content).toContain('Rather slow.')
  })

  it.each(['/to-blank/', '/to-blob/'])(
    'a page that goes on to one of its own making, which no site has, is not told to be out of reach: %s',
    async (path) => {
      const { url, content, warning } = await load(path)
      expect({ url, warning }).toEqual({ url: site.url(path), warning: null })
      expect(String(content).includes('Made by script.')).toBe(path === '/to-blob/')
    },
  )

  it('a page that redirects until its cookie comes back is read by the browser', async () => {
    expect((await load('/cookie/')).content).toContain('Behind a cookie.')
  })
})

describe('when a reader fails', () => {
  it.each([
    ['/missing/', 'gone'],
    ['/closed/secret', 'robots_disallowed'],
    ['/to-closed/', 'robots_disallowed'],
    ['/to-inner/', 'address_refused'],
  ])('%s ends as %s', async (path, code) => {
    expect(await codeOf(load(path))).toBe(code)
  })

  it('a page that never answers ends as timeout, by its deadline', async () => {
    const startedAt = Date.now()
    expect(await codeOf(load('/hang', { withinMs: 1_500 }))).toBe('timeout')
    expect(Date.now() - startedAt).toBeLessThan(2_000)
  })

  it('the plain text stands in, with a warning, when the browser crashes over the page', async () => {
    const strict = await open({
      browser: { mode: 'auto', chromiumPath: null, limits: { rendererMemoryBytes: 150 * 2 ** 20 } },
    })
    const capture = await ask(strict, '/thin-crash/')
    expect(capture).toMatchObject({ readBy: 'static', warning: { code: 'browser_crashed' } })
    expect(capture.content).toContain('A little text.')
  })

  it('the plain text stands in, with a warning, when there is no time left to render', async () => {
    expect(await load('/scripted/', { withinMs: 650 })).toMatchObject({
      readBy: 'static',
      warning: { code: 'timeout' },
    })
  })

  it('the plain text stands in, with a warning, when all browsers are busy', async () => {
    const small = await open({
      browser: { mode: 'auto', chromiumPath: null, limits: { tabs: 1, waiting: 0 } },
    })
    const holding = ask(small, '/hang', { withinMs: 4_000 }).catch(() => 'ended')
    await sleep(1_000)
    expect(await ask(small, '/scripted/')).toMatchObject({ readBy: 'static', warning: { code: 'busy' } })
    await holding
  })

  it('an abort ends the work at once, with its reason', async () => {
    const abort = new AbortController()
    const options: LoadOptions = {
      deadlineMs: Date.now() + 30_000,
      rendering: 'browser',
      scroll: false,
      fresh: true,
    }
    const loading = pages.load(site.url('/hang'), options, abort.signal)
    setTimeout(() => abort.abort(new Error('no longer wanted')), 900)
    await expect(loading).rejects.toThrow('no longer wanted')
  })
})

describe('without a browser', () => {
  let without: Pages
  beforeAll(async () => {
    without = await open({ browser: { mode: 'auto', chromiumPath: '/nowhere/chromium' } })
  })

  it('says so, with the command that mends it', () => {
    const { found, summary, advice } = without.describe()
    expect(found).toBe(false)
    expect(summary).toContain('/nowhere/chromium')
    expect(advice).toContain('install')
  })

  it('reads plain HTML without a warning', async () => {
    expect(await ask(without, '/plain/')).toMatchObject({ readBy: 'static', warning: null })
  })

  it('reads what there is of a page built by script, and warns', async () => {
    expect(await ask(without, '/scripted/')).toMatchObject({
      readBy: 'static',
      warning: { code: 'browser_missing' },
    })
  })

  it.each(['/sent-on/', '/forwarded/'])('reads the page that %s sends its readers on to', async (path) => {
    const found = await ask(without, path)
    expect(found).toMatchObject({ url: site.url('/plain/'), requestedUrl: site.url(path), warning: null })
    expect(found.content).toContain('Plain HTML.')
  })

  it.each([
    ['/sent-round/', 'sends its readers on to another address'],
    ['/frameset/', 'shows its text in frames'],
    ['/framed/', 'shows its text in frames'],
  ])('tells what %s is, not that its text is built by script', async (path, told) => {
    const { warning } = await ask(without, path)
    expect(warning).toMatchObject({ code: 'browser_missing' })
    expect(warning?.message).toContain(`The page ${told}, and this service has no browser`)
  })

  it.each([
    ['/sent-inside/', 'address_refused'],
    ['/sent-to-closed/', 'robots_disallowed'],
  ])('is led by no page to where a redirect may not lead: %s', async (path, code) => {
    await expect(ask(without, path)).rejects.toMatchObject({ warning: { code } })
  })

  it('opens none when it is switched off', async () => {
    const before = browserPids()
    const off = await open({ browser: { mode: 'off', chromiumPath: null } })
    expect(off.describe()).toMatchObject({ found: false, advice: null })
    expect(browserPids()).toEqual(before)
  })
})

describe('the cache', () => {
  it.each(['/plain/', '/scripted/'])('answers %s the second time', async (path) => {
    const first = await load(path, { fresh: false })
    const asked = site.requests.length
    const second = await load(path, { fresh: false })
    expect(second).toEqual({ ...first, readBy: 'cache' })
    expect(site.requests).toHaveLength(asked)
  })

  it('is passed by when a fresh page is asked for', async () => {
    await load('/plain/', { fresh: false })
    const asked = site.requests.length
    expect(await load('/plain/', { fresh: true })).toMatchObject({ readBy: 'static' })
    expect(site.requests).toHaveLength(asked + 1)
  })
})
