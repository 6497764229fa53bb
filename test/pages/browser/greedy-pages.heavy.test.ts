// Pages that take more than there is, in the browser: each costs at most its own tab, and the pages beside it nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { browserPids, openTestBrowser } from '../../support/browser.ts'
import { big, gzipBomb, main, page, type Route } from '../../support/page-server.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'
import { openSiteInBrowser } from '../../support/site-in-browser.ts'

const TALKS = 'for (let i = 0; i < 2000; i++) console.log({ a: i, b: [1, 2, 3] }, "x".repeat(1000))'
const worker = (script: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script)}])))`

const routes: Record<string, Route> = {
  '/fine/': page('Fine', main('A good page.')),
  '/huge/': big(50 * 2 ** 20),
  '/memory-bomb/': page(
    'Bomb',
    `${main('Eats memory.')}<script>const kept = []; setInterval(() => { for (let i = 0; i < 20; i++) {
      kept.push(new Float64Array(500000).fill(i)); const d = document.createElement('div')
      d.textContent = 'z'.repeat(100000) + Math.random(); document.body.append(d) } }, 5)</script>`,
  ),
  ...Object.fromEntries(
    Object.entries({
      '/address-storm/':
        'setInterval(() => { for (let i = 0; i < 1000; i++) history.pushState({}, "", "/h" + i) }, 1)',
      '/console-storm/': `setInterval(() => { ${TALKS} }, 1)`,
      '/frame-console-storm/': `const f = document.body.appendChild(document.createElement('iframe'))
        const { console } = f.contentWindow; setInterval(() => { ${TALKS} }, 1)`,
      '/error-storm/':
        'setInterval(() => { for (let i = 0; i < 2000; i++) reportError(new Error("e".repeat(1000))) }, 1)',
      '/worker-console-storm/': worker(`setInterval(() => { ${TALKS} }, 1)`),
      '/worker-storm/': `for (let i = 0; i < 300; i++) { ${worker('for (;;);')} }`,
    }).map(([path, script]) => [
      path,
      page('Storm', `${main('Before the storm.')}<script>${script}</script>`),
    ]),
  ),
  '/heavy/': page(
    'Heavy',
    `<p>Thin.</p><script>const kept = []; for (let i = 0; i < 100; i++) kept.push(new Float64Array(500000).fill(i))</script>`,
  ),
  '/gzip-bomb/': gzipBomb(800 * 2 ** 20),
}

/** On two crowded cores Chromium now and then answers so late that it is taken for hung, and replaced. */
const TRIES_MORE = 4

const { site, read, outcome } = openSiteInBrowser(routes)

describeInBrowser('a page that is too much', () => {
  it('is read to the size limit and marked as cut', async () => {
    const huge = await read('/huge/')
    expect(huge.cut).toBe('size')
    expect(huge.text).toContain('A sentence of a very long page.')
  })

  it.each(['/memory-bomb/', '/gzip-bomb/'])('%s costs at most its own tab', async (path) => {
    const before = browserPids()
    expect(await outcome(path)).toMatch(/^(?:read|browser_crashed)$/u)
    expect((await read('/fine/')).text).toContain('A good page.')
    expect(browserPids()).toEqual(before)
  })

  it.each([
    ['/address-storm/', 'read'],
    ['/console-storm/', 'read'],
    ['/frame-console-storm/', 'read'],
    ['/error-storm/', 'read'],
    ['/worker-console-storm/', 'browser_crashed'],
    ['/worker-storm/', 'browser_crashed'],
  ])('%s costs the pages beside it nothing', { retry: TRIES_MORE }, async (path, expected) => {
    await read('/fine/')
    const before = browserPids()
    const storm = outcome(path, { withinMs: 60_000 })
    await sleep(300)
    const beside = await Promise.all(
      [1, 2].map((number) => outcome(`/fine/?${number}`, { withinMs: 40_000 })),
    )
    expect(beside).toEqual(['read', 'read'])
    expect([expected, 'read']).toContain(await storm)
    expect(browserPids()).toEqual(before)
  })

  it('ends with its tab when that uses more memory than a tab may', async () => {
    const strict = await openTestBrowser({ limits: { rendererMemoryBytes: 150 * 2 ** 20 } })
    expect(await strict.outcome(site().url('/heavy/'))).toBe('browser_crashed')
    expect(await strict.outcome(site().url('/fine/'))).toBe('read')
    await strict.close()
  })
})
