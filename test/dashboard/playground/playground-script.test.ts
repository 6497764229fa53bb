import type { Route } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VerifyRequest } from '../../../src/contract/verify.ts'
import { axeFindings } from '../axe-findings.ts'
import { ANSWER, openDashboardSite, type DashboardSite } from '../dashboard-site.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'

const browser = await openPeoplesBrowser()

describe.skipIf(browser === null)('the playground in Chromium', () => {
  const asked: string[] = []
  const verified: VerifyRequest[] = []
  let site: DashboardSite
  let session: string
  let ownId: string
  beforeAll(async () => {
    site = await openDashboardSite({
      search: (request, context, signal) => {
        asked.push(request.query)
        if (request.query === 'staged') {
          context.onProgress?.({ engine: 'searxng', pages: 6, done: 4 })
          return new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          )
        }
        if (request.query === 'never') {
          return new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          )
        }
        const { results } = ANSWER.response
        const renamed = results.map((result) =>
          Object.assign({}, result, { title: `${result.title}: ${request.query}` }),
        )
        return Promise.resolve({ ...ANSWER, response: { ...ANSWER.response, results: renamed } })
      },
      findSurroundings: () => Promise.resolve({ before: 'Before it.', text: '', after: 'After it.' }),
      verify: (request) => {
        verified.push(request)
        return Promise.resolve({
          url: 'https://search.example/docs/api-keys',
          content_sha256: request.content_sha256 ?? null,
          fetched_at: '2026-11-22T10:00:00Z',
          warning: null,
          quotes: request.quotes.map((quote) => ({ quote, match: 'exact', start: 10, end: 120 })),
        })
      },
    })
    ownId = (await site.addPerson({ email: 'ada@example.org' })).id
    session = (await site.accounts.sessions.create(ownId)).token
  })
  afterAll(async () => {
    await browser?.close()
    await site.close()
  })

  async function openPlayground(address = '/playground', options: Parameters<typeof openPage>[1] = {}) {
    const opened = await openPage(browser!, options)
    await opened.context.addCookies([{ name: 'verbatim_session', value: session, url: site.url }])
    await opened.page.goto(site.url + address)
    return opened
  }

  test('an address holds the whole request: opened, reloaded or gone back to, it fills the form and spends nothing', async () => {
    const request = '#query=first&num_results=7&search_depth=exhaustive&include=explain'
    const before = asked.length
    const { context, page, complaints } = await openPlayground(`/playground${request}`)
    expect(await page.getByLabel('Query').inputValue()).toBe('first')
    expect(await page.getByLabel('Results', { exact: true }).inputValue()).toBe('7')
    expect(await page.getByLabel('Depth').inputValue()).toBe('exhaustive')
    expect(await page.getByLabel('explain').isChecked()).toBe(true)
    expect(asked.length).toBe(before)

    await page.keyboard.press('Control+Enter')
    await page.getByRole('link', { name: 'API keys: first' }).waitFor()
    await page.getByLabel('Query').fill('second')
    await page.getByLabel('Query').press('Enter')
    await page.getByRole('link', { name: 'API keys: second' }).waitFor()
    expect(asked.slice(before)).toEqual(['first', 'second'])
    expect(page.url()).toMatch(/#query=second&.*num_results=7/u)

    await page.goBack()
    await page.getByRole('link', { name: 'API keys: first' }).waitFor()
    expect(await page.getByLabel('Query').inputValue()).toBe('first')
    await page.reload()
    expect(await page.getByLabel('Query').inputValue()).toBe('first')
    expect(await page.getByLabel('Depth').inputValue()).toBe('exhaustive')
    expect(asked.slice(before)).toEqual(['first', 'second'])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('what is typed before the scripts have come stays, with all else that the address asks for, and goes into it', async () => {
    const { context, page, complaints } = await openPlayground('/docs')
    const held = new Promise<Route>((resolve) => {
      void page.route('**/assets/playground.js*', resolve)
    })
    await page.goto(`${site.url}/playground#query=first&num_results=7`, { waitUntil: 'commit' })
    await page.locator('#query:focus').waitFor()
    await page.keyboard.type('typed early')
    await (await held).continue()
    await page.waitForURL(/#query=typed\+early&.*num_results=7/u)
    expect(await page.getByLabel('Query').inputValue()).toBe('typed early')
    expect(await page.getByLabel('Results', { exact: true }).inputValue()).toBe('7')
    await page.locator('#sample-python').getByText('typed early').waitFor({ state: 'attached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('what its script imports is asked for with it and not after it, and each file once', async () => {
    const { context, page } = await openPlayground('/docs')
    const loaded: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') loaded.push(new URL(request.url()).pathname)
    })
    await page.goto(`${site.url}/playground`)
    const foretold = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[rel=modulepreload], script')].map(
        (one) => new URL(one.getAttribute('href') ?? one.getAttribute('src') ?? '', location.href).pathname,
      ),
    )
    expect(loaded).toContain('/assets/storage.js')
    expect(loaded.toSorted()).toEqual(foretold.toSorted())
    await context.close()
  })

  test('code and JSON follow the form as it is filled and spend nothing; the language that was opened stays open, in the documentation too', async () => {
    const { context, page, complaints } = await openPlayground()
    const before = asked.length
    await page.locator('#samples summary').getByText('Python').click()
    await page.getByLabel('Query').fill('typed just now')
    await page.locator('#sample-python').getByText('typed just now').waitFor()
    expect(await page.locator('#samples details[open] summary').allTextContents()).toEqual(['Python'])
    expect(await page.locator('#sample-mcp').textContent()).toContain('"query": "typed just now"')
    expect(await page.locator('#sample-json').textContent()).toBe('{\n  "query": "typed just now"\n}')
    expect(asked.length).toBe(before)
    await page.goto(`${site.url}/docs/quick-start`)
    expect(await page.getByRole('tab', { name: 'Python', selected: true }).count()).toBe(1)
    await page.goto(`${site.url}/playground`)
    expect(await page.locator('#samples details[open] summary').allTextContents()).toEqual(['Python'])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a key for an hour goes into the code in place, stays there, and never into the address', async () => {
    const { context, page, complaints } = await openPlayground()
    const before = asked.length
    await page.getByLabel('Query').fill('before')
    await page.getByRole('button', { name: 'Make a key for an hour' }).click()
    await page.getByText('The code has a key that works for an hour.').first().waitFor()
    const key = /vbt_\w+/u.exec((await page.locator('#sample-curl').textContent()) ?? '')?.[0] ?? ''
    expect(await page.getByLabel('Query').inputValue()).toBe('before')
    expect(asked.length).toBe(before)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('link', { name: 'API keys: before' }).waitFor()
    expect(await page.locator('#sample-curl').textContent()).toContain(key)
    expect(page.url()).not.toContain(key)
    await page.getByText('page without a good passage').click()
    await page.getByRole('button', { name: 'Try exhaustive' }).click()
    await page.getByRole('button', { name: 'Try exhaustive' }).waitFor({ state: 'detached' })
    expect(await page.getByLabel('Depth').inputValue()).toBe('exhaustive')
    // Asked for by a button and not by typing, it is one step of the history all the same.
    await page.goBack()
    await page.getByText('page without a good passage').waitFor()
    expect(await page.getByLabel('Depth').inputValue()).toBe('balanced')
    await page.getByText('Compare', { exact: true }).click()
    await page.getByRole('button', { name: 'Compare the two engines' }).click()
    await page.getByRole('heading', { name: 'searxng' }).waitFor()
    expect(page.url()).not.toContain(key)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('Ctrl+K leads to the search of the documentation, and into its field where there is one', async () => {
    const { context, page, complaints } = await openPlayground()
    await page.keyboard.press('Control+k')
    await page.waitForURL('**/docs/search')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('revoke')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing answers that').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('examples are titles of the library that fill the form; / asks, Esc stops, and the search ends', async () => {
    const { context, page } = await openPlayground()
    const before = asked.length
    await page.getByRole('link', { name: 'How do I revoke an API key?' }).click()
    await page.waitForURL(/query=/u)
    expect(await page.getByLabel('Query').inputValue()).toBe('How do I revoke an API key?')
    expect(asked.length).toBe(before)
    // One more key asks it.
    await page.locator('button:focus', { hasText: 'Search' }).press('Enter')
    await page.getByRole('link', { name: 'API keys: How do I revoke an API key?' }).waitFor()
    await page.getByRole('heading', { name: 'Playground' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('never')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alert').getByText('The search was stopped. Nothing had arrived.').waitFor()
    expect(await page.getByRole('heading', { name: 'Answer' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Search', exact: true }).isEnabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    await context.close()
  })

  test('while it works a live line tells the stage, hears no running time, and results have no rank', async () => {
    const { context, page } = await openPlayground('/playground#query=staged')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const line = page.locator('.progress')
    await line.getByText('asked searxng · 4 of 6 pages read').waitFor()
    expect(await line.textContent()).toMatch(/^asked searxng · 4 of 6 pages read · \d+\.\d sStop$/u)
    expect(await line.getByRole('status').textContent()).toBe('asked searxng · 4 of 6 pages read')
    await line.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('alert').getByText('The search was stopped.').waitFor()
    await page.locator('button:focus', { hasText: 'Search' }).waitFor()
    await context.close()
  })

  test('what was asked is remembered by the browser alone, fills the form, and is forgotten at a press and at sign-out', async () => {
    const { context, page, complaints } = await openPlayground('/playground#query=first&num_results=7')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('link', { name: 'API keys: first' }).waitFor()
    await page.goto(`${site.url}/playground`)
    const before = asked.length
    await page.locator('#asked summary').click()
    await page.getByRole('link', { name: 'first', exact: true }).click()
    expect(await page.getByLabel('Query').inputValue()).toBe('first')
    expect(await page.getByLabel('Results', { exact: true }).inputValue()).toBe('7')
    expect(asked.length).toBe(before)
    await page.getByRole('button', { name: 'Forget them' }).click()
    expect(await page.locator('#asked').isVisible()).toBe(false)

    await page.keyboard.press('Control+Enter')
    await page.getByRole('link', { name: 'API keys: first' }).waitFor()
    const kept = () => page.evaluate(() => localStorage.getItem('verbatim.asked'))
    expect(await kept()).toContain('query=first')
    await page.evaluate(() =>
      localStorage.setItem('verbatim.asked', '{"person":"else@example.org","requests":["query=theirs"]}'),
    )
    await page.reload()
    expect(await page.locator('#asked').isVisible()).toBe(false)
    const { token } = await site.accounts.sessions.create(ownId)
    await context.addCookies([{ name: 'verbatim_session', value: token, url: site.url }])
    await page.goto(`${site.url}/docs`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    expect(await kept()).toBeNull()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('Explain shows a bar a page, what was dropped and why, and what another threshold would keep and let pass', async () => {
    const { context, page, complaints } = await openPlayground('/playground#query=q&include=explain')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('heading', { name: 'Explain' }).waitFor()
    expect(await page.locator('.waterfall tr', { hasText: 'search.example' }).textContent()).toBe(
      'search.example by fetch in 288 ms, read in 22 ms, 12 passages',
    )
    expect(await page.locator('.dropped').textContent()).toBe(
      'https://de.example/schluessel: it is in another language',
    )
    const rejected = page.locator('#rejected li')
    expect(await rejected.isVisible()).toBe(false)
    const told = page.locator('#threshold-told')
    expect(await told.textContent()).toBe('0.30: 2 of 2 snippets stay, 0 of 1 rejected would pass')
    await page.getByText('None of them scores that much').waitFor()
    const slider = page.getByLabel('Threshold')
    const placeOf = () =>
      slider.evaluate((element) => {
        const { left, width } = element.getBoundingClientRect()
        return [left, width]
      })
    const place = await placeOf()
    await slider.focus()
    await page.keyboard.press('End')
    expect(await told.textContent()).toBe('1.00: 0 of 2 snippets stay, 0 of 1 rejected would pass')
    await page.keyboard.press('Home')
    expect(await told.textContent()).toBe('0.00: 2 of 2 snippets stay, 1 of 1 rejected would pass')
    await rejected.getByText('Rotate them <b>often</b>.').waitFor()
    for (const finer of ['0.001', '0.002']) {
      await page.keyboard.press('ArrowRight')
      expect(await slider.getAttribute('aria-valuetext')).toBe(finer)
    }
    expect(await placeOf()).toEqual(place)
    expect(page.url()).not.toContain('threshold')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a passage tells what its score means, is copied with its citation, and verified beside it', async () => {
    const { context, page, complaints } = await openPlayground('/playground#query=q', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const passage = page.locator('.snippet').first()
    await passage.getByText('about 93 of 100 such passages are relevant').waitFor()
    expect(await page.locator('.source').first().textContent()).toMatch(
      /^search\.example · published 2 Mar 2026 .* · read by fetch · 310 ms$/u,
    )
    await passage.getByRole('button', { name: 'Copy quote with citation' }).click()
    await page.getByRole('status').getByText('Copied', { exact: true }).waitFor({ state: 'attached' })
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(/^“To revoke an API key.*”\n— API keys: q, search\.example, 2 Mar 2026\nhttps:/u)

    await passage.getByRole('button', { name: 'Verify' }).click()
    await passage.getByText('On the page, letter for letter').waitFor()
    expect(await passage.getByRole('link', { name: 'Save the signed proof' }).getAttribute('href')).toBe(
      `/playground/proof?sha256=${'a'.repeat(64)}&start=10&end=120`,
    )
    const check = passage.getByRole('link', { name: 'anyone can check offline' })
    expect(await check.getAttribute('href')).toBe('/docs/proof#check')
    expect(verified.splice(0)).toEqual([
      { content_sha256: 'a'.repeat(64), quotes: [ANSWER.response.results[0]?.snippets[0]?.text] },
    ])
    await passage.getByRole('link', { name: 'Show context' }).click()
    await page.getByRole('status').getByText('Before: Before it.').waitFor({ state: 'attached' })
    expect(await passage.locator('blockquote').textContent()).toMatch(
      /^Before it\. To revoke .* After it\.$/u,
    )
    await page.getByText('1 page without a good passage').click()
    await page.locator('.without').getByText('Rotate them <b>often</b>.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a button that copies keeps its width, and has its words again however often it was pressed', async () => {
    const { context, page } = await openPlayground('/playground#query=q', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const copy = page.locator('[data-copy-text]').first()
    const next = page.locator('[data-around]').first()
    await page.locator('#answer:focus').waitFor()
    const before = (await next.boundingBox())?.x
    await copy.click()
    await copy.getByText('Copied').waitFor()
    expect((await next.boundingBox())?.x).toBe(before)
    await copy.click()
    await copy.getByText('Copy quote with citation').waitFor()
    // Longer than anything is told on a button.
    await page.waitForTimeout(2_500)
    expect(await copy.textContent()).toBe('Copy quote with citation')
    await context.close()
  })

  test('the focus is never lost: it stays on the search while it runs, and goes on to what a button led to', async () => {
    const { context, page } = await openPlayground('/playground#query=never')
    const before = asked.length
    await page.getByRole('button', { name: 'Search', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Searching…' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Searching…')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByText('The search was stopped.').waitFor()
    expect(asked.slice(before)).toEqual(['never'])
    await page.getByLabel('Query').fill('q')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Verify' }).first().press('Enter')
    await page.locator('.verdict:focus').waitFor()
    await page.setViewportSize({ width: 1440, height: 300 })
    await page.getByRole('button', { name: 'Make a key for an hour' }).focus()
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.keyboard.press('Enter')
    await page.locator('#samples [data-copy=sample-curl]:focus').waitFor()
    // The page scrolls to it softly.
    const isInSight = () => (document.activeElement?.getBoundingClientRect().top ?? -1) >= 0
    await page.waitForFunction(isInSight, null, { timeout: 10_000 })
    await context.close()
  })

  test('without scripts a passage is verified on a page of its own', async () => {
    const { context, page } = await openPlayground('/playground?query=q', { javaScriptEnabled: false })
    expect(await page.getByText('to search,').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    expect(await page.getByRole('button', { name: 'Copy quote with citation' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Verify' }).first().click()
    await page.getByText('On the page, letter for letter').waitFor()
    await context.close()
  })
})
