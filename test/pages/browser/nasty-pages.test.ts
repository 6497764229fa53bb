// Pages that misbehave in the browser: each has one defined outcome, and none costs more than itself.
import { expect, it } from 'vitest'
import {
  document,
  drip,
  hang,
  main,
  page,
  PROSE,
  reply,
  type Route,
  startPageServer,
} from '../../support/page-server.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'
import { openSiteInBrowser } from '../../support/site-in-browser.ts'

const routes: Record<string, Route> = {
  '/http-loop/': (_request, response) => {
    response.writeHead(302, { location: `/http-loop/?${Math.random()}` }).end()
  },
  '/fine/': page('Fine', main('A good page.')),
  '/dialogs/': page(
    'Dialogs',
    `${main('Talks back.')}<script>addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'stay' })
     alert('a'); confirm('b'); prompt('c'); document.title = 'asked'</script>`,
  ),
  '/download/': reply(200, 'application/zip', new Uint8Array(50_000), {
    'content-disposition': 'attachment; filename=a.zip',
  }),
  '/attached-html/': reply(200, 'text/html', document('Attached', main('Saved.')), {
    'content-disposition': 'attachment; filename=a.html',
  }),
  '/pdf/': reply(200, 'application/pdf', '%PDF-1.4\n%%EOF'),
  '/plain/': reply(200, 'text/plain', PROSE),
  '/popups/': page(
    'Popups',
    `${main('Opens windows.')}<script>for (let i = 0; i < 5; i++) open('/opened/?' + i); setInterval(() => open('/opened/'), 50)</script>`,
  ),
  '/opened/': page('Opened', main('A pop-up.')),
  '/permissions/': page(
    'Permissions',
    `${main('Wants everything.')}<p id="o"></p><script>print(); Notification.requestPermission()
     navigator.geolocation.getCurrentPosition(() => { o.textContent = 'located' }, () => { o.textContent = 'location denied' })
     navigator.mediaDevices?.getUserMedia({ audio: true }).then(() => { o.textContent += ' recorded' }, () => {})
     navigator.clipboard?.readText().then(() => { o.textContent += ' pasted' }, () => {})</script>`,
  ),
  '/script-loop/': page(
    'Loop',
    '<p>Again.</p><script>location.replace("/script-loop/?" + Math.random())</script>',
  ),
  '/refresh-loop/': page('Loop', '<p>Again.</p>', '<meta http-equiv="refresh" content="0">'),
  '/polling/': page(
    'Polling',
    `${main('Never rests.')}<p id="tick"></p><script>setInterval(() => fetch('/data?' + Math.random()).then(() => {
      tick.textContent = Date.now() }), 100)</script>`,
  ),
  '/data': reply(200, 'application/json', '{}'),
  '/never-loads/': page(
    'Never',
    `${main('Waits for a picture.')}<img src="/hang"><script async src="/hang"></script>`,
  ),
  '/blocked-by-script/': page('Blocked', main('Under a script.'), '<script src="/hang"></script>'),
  '/drips/': drip(`<!doctype html><title>Drips</title>${main('Comes in drops.')}`),
  '/hang': hang(),
  '/service-worker/': page(
    'Worker',
    `${main('Wants a service worker.')}<p id="o">none</p><script>navigator.serviceWorker?.register('/worker.js').then(
      () => { o.textContent = 'registered' }, () => { o.textContent = 'refused' })</script>`,
  ),
  '/worker.js': reply(200, 'text/javascript', 'self.addEventListener("fetch", () => {})'),
  '/endless-loop/': page(
    'Loop',
    `${main('Before the loop.')}<script>setTimeout(() => { for (;;) {} }, 60)</script>`,
  ),
  '/endless-at-once/': page('Loop', `${main('Before the loop at once.')}<script>for (;;) {}</script>`),
  '/takes-itself-away/': page(
    'Away',
    `${main('Is gone.')}<script>document.documentElement.remove()</script>`,
  ),
  '/missing/': reply(404, 'text/html', document('Gone', main('Not here.'))),
  '/broken/': reply(503, 'text/html', document('Broken', main('Not now.'))),
  '/set-cookie/': reply(200, 'text/html', document('Cookie', main('Takes a cookie.')), {
    'set-cookie': 'who=me; Path=/',
  }),
}

const { site, browser, read, outcome } = openSiteInBrowser(routes)

describeInBrowser('a page that talks back', () => {
  it('is read although it opens dialogs and will not be left', async () => {
    const { html } = await read('/dialogs/')
    expect(html).toContain('Talks back.')
    expect(html).toContain('<title>asked</title>')
  })

  it('is read while the windows it opens are closed, however many', async () => {
    expect((await read('/popups/')).text).toContain('Opens windows.')
  })

  it('is read without being allowed anything that it asks permission for', async () => {
    const { text } = await read('/permissions/')
    expect(text).toContain('Wants everything.')
    expect(text).not.toMatch(/located|recorded|pasted/u)
  })

  it('is read without the service worker that it wants', async () => {
    expect((await read('/service-worker/')).text).toContain('Wants a service worker.')
    expect(site().paths()).not.toContain('/worker.js')
  })

  it('shows nothing when it has taken all of itself away, and has not crashed the browser', async () => {
    for (const scroll of [false, true])
      expect(await read('/takes-itself-away/', { scroll })).toMatchObject({ text: '', cut: null })
  })

  it('keeps no cookie from one reading to the next', async () => {
    await read('/set-cookie/')
    await read('/set-cookie/')
    const asked = site().requests.filter((request) => request.path === '/set-cookie/')
    expect(asked).toHaveLength(2)
    expect(asked.every((request) => request.headers.cookie === undefined)).toBe(true)
  })
})

describeInBrowser('a page that never rests', () => {
  it.each([
    ['/polling/', 'Never rests.'],
    ['/never-loads/', 'Waits for a picture.'],
    ['/drips/', 'Comes in drops.'],
    ['/endless-loop/', 'Before the loop.'],
    ['/endless-at-once/', 'Before the loop at once.'],
  ])('%s is read as far as it shows text', async (path, words) => {
    expect((await read(path)).text).toContain(words)
  })

  it('is given up in time when it never answers', async () => {
    const startedAt = Date.now()
    expect(await outcome('/hang', { withinMs: 1_500 })).toBe('timeout')
    expect(Date.now() - startedAt).toBeLessThan(2_500)
  })

  it('ends as soon as nobody wants it any more', async () => {
    const abort = new AbortController()
    const reading = read('/hang', { withinMs: 30_000, signal: abort.signal })
    setTimeout(() => abort.abort(new Error('no longer wanted')), 200)
    await expect(reading).rejects.toThrow('no longer wanted')
  })
})

describeInBrowser('a page that is none', () => {
  it.each([
    ['/download/', 'not_text'],
    ['/attached-html/', 'not_text'],
    ['/pdf/', 'not_text'],
    ['/plain/', 'not_text'],
    ['/http-loop/', 'too_many_redirects'],
    ['/script-loop/', 'too_many_redirects'],
    ['/refresh-loop/', 'too_many_redirects'],
    ['/missing/', 'gone'],
    ['/broken/', 'site_busy'],
  ])('%s ends as %s', async (path, code) => {
    expect(await outcome(path)).toBe(code)
  })

  it('names the status that its site answered with', async () => {
    await expect(read('/missing/')).rejects.toThrow('404')
  })

  it('ends as unreachable when nothing listens there', async () => {
    const closed = await startPageServer({})
    await closed.close()
    expect(await browser().outcome(closed.url('/'))).toBe('unreachable')
  })
})
