// A browser that dies, hangs, grows old or is too much in demand costs a page at most a warning, never the service.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { browserPids, childProcesses, openTestBrowser } from '../../support/browser.ts'
import { document, hang, page, type PageServer, PROSE, startPageServer } from '../../support/page-server.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'

const CHROMIUM = /chrom/iu

let site: PageServer
let open: Awaited<ReturnType<typeof openTestBrowser>>[] = []

beforeAll(async () => {
  site = await startPageServer({
    '/fine/': page('Fine', `<p>A good page. ${PROSE}</p>`),
    '/hang': hang(),
    '/slow/': async (_request, response) => {
      await sleep(600)
      response.setHeader('content-type', 'text/html').end(document('Slow', `<p>A slow page. ${PROSE}</p>`))
    },
  })
})
afterEach(async () => {
  await Promise.all(open.map((browser) => browser.close()))
  open = []
})
afterAll(() => site.close())

async function openFresh(...parameters: Parameters<typeof openTestBrowser>) {
  const browser = await openTestBrowser(...parameters)
  open.push(browser)
  return browser
}

describeInBrowser('a browser that fails', () => {
  it('is started again after it was killed, and the pages it held are read by the next one', async () => {
    const browser = await openFresh()
    const [pid] = browserPids()
    const reading = [1, 2, 3].map(() => browser.read(site.url('/slow/'), { withinMs: 12_000 }))
    await sleep(300)
    process.kill(pid!, 'SIGKILL')
    for (const slow of await Promise.all(reading)) expect(slow.text).toContain('A slow page.')
    expect(browserPids()).toHaveLength(1)
    expect(browserPids()).not.toContain(pid)
    expect(browser.log.join('')).toContain('the browser has gone')
  })

  it('is replaced when it hangs, and the page it held is read by the next one', async () => {
    const browser = await openFresh()
    const [pid] = browserPids()
    process.kill(pid!, 'SIGSTOP')
    expect((await browser.read(site.url('/fine/'), { withinMs: 15_000 })).text).toContain('A good page.')
    expect(browserPids()).not.toContain(pid)
    expect(browser.log.join('')).toContain('the browser hangs')
  })

  it('costs a page that has no time for a second try a warning, in time', async () => {
    const browser = await openFresh()
    process.kill(browserPids()[0]!, 'SIGSTOP')
    const startedAt = Date.now()
    expect(await browser.outcome(site.url('/fine/'), { withinMs: 1_000 })).toMatch(/browser_crashed|timeout/u)
    expect(Date.now() - startedAt).toBeLessThan(4_000)
  })

  it('leaves no process behind when it is killed without its children', async () => {
    const browser = await openFresh()
    await browser.read(site.url('/fine/'))
    process.kill(browserPids()[0]!, 'SIGKILL')
    await browser.close()
    await expect.poll(() => childProcesses(CHROMIUM)).toEqual([])
  })

  it('leaves no process behind when it is closed while it hangs', async () => {
    const browser = await openFresh()
    process.kill(browserPids()[0]!, 'SIGSTOP')
    await browser.close()
    await expect.poll(() => childProcesses(CHROMIUM)).toEqual([])
  })
})

describeInBrowser('a browser in use', () => {
  it('leaves no process behind when it is closed', async () => {
    const browser = await openFresh()
    await browser.read(site.url('/fine/'))
    await browser.close()
    await expect.poll(() => childProcesses(CHROMIUM)).toEqual([])
  })

  it('fails the pages it holds, and leaves no process behind, when it is closed under them', async () => {
    const browser = await openFresh()
    const reading = browser.outcome(site.url('/hang'))
    await sleep(300)
    await browser.close()
    expect(await reading).toBe('browser_crashed')
    await expect.poll(() => childProcesses(CHROMIUM)).toEqual([])
  })

  it('is replaced after its number of pages, without a page noticing', async () => {
    const browser = await openFresh({ limits: { pages: 2 } })
    const [first] = browserPids()
    for (let count = 0; count < 3; count += 1) expect(await browser.outcome(site.url('/fine/'))).toBe('read')
    await expect.poll(() => browserPids()).not.toContain(first)
    expect(browserPids()).toHaveLength(1)
  })

  it('is replaced when it holds too much memory', async () => {
    const browser = await openFresh({ limits: { memoryBytes: 1 } })
    const [first] = browserPids()
    expect(await browser.outcome(site.url('/slow/'))).toBe('read')
    expect(await browser.outcome(site.url('/slow/'))).toBe('read')
    await expect.poll(() => browserPids()).not.toContain(first)
  })

  it('turns pages away as busy when its tabs and its queue are full, and serves those that wait', async () => {
    const browser = await openFresh({ limits: { tabs: 1, waiting: 1 } })
    const outcomes = await Promise.all([1, 2, 3].map(() => browser.outcome(site.url('/slow/'))))
    expect(outcomes.toSorted()).toEqual(['busy', 'read', 'read'])
  })

  it('turns a page away as busy when no tab becomes free in its time', async () => {
    const browser = await openFresh({ limits: { tabs: 1 } })
    const abort = new AbortController()
    const holding = browser.read(site.url('/hang'), { signal: abort.signal }).catch(() => 'ended')
    await sleep(100)
    expect(await browser.outcome(site.url('/fine/'), { withinMs: 600 })).toBe('busy')
    abort.abort(new Error('enough'))
    expect(await holding).toBe('ended')
    expect(await browser.outcome(site.url('/fine/'))).toBe('read')
  })

  it('never opens more tabs at once than it has', async () => {
    const browser = await openFresh({ limits: { tabs: 2 } })
    const crowded = await startPageServer({
      '*': async (_request, response) => {
        await sleep(150)
        response.setHeader('content-type', 'text/html').end(document('Page', `<p>${PROSE}</p>`))
      },
    })
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_none, name) => browser.outcome(crowded.url(`/${name}/`))),
    )
    expect(outcomes).toEqual(outcomes.map(() => 'read'))
    expect(crowded.openMax()).toBeLessThanOrEqual(2)
    await crowded.close()
  })
})
