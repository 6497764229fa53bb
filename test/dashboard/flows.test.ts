import { readFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANSWER, openDashboardSite, PASSWORD, type DashboardSite } from './dashboard-site.ts'
import { openPage, openPeoplesBrowser } from './test-browser.ts'

const browser = await openPeoplesBrowser()
afterAll(() => browser?.close())

const search = (site: DashboardSite, key: string): Promise<Response> =>
  fetch(`${site.url}/v1/search`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'anything' }),
  })

/** A way to a site that can be cut, as a network does. */
async function openCuttableWay(siteUrl: string) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const far = connect(Number(new URL(siteUrl).port), '127.0.0.1')
    sockets.add(socket.on('error', () => far.destroy()).on('close', () => far.destroy()))
    far.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.pipe(far).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => server.close(),
  }
}

/** From the first run's link to a deleted key, as a person clicks through it. */
async function walk(site: DashboardSite, page: Page): Promise<void> {
  const firstRun = await site.accounts.prepareFirstRun()
  await page.goto(`${site.url}/invitations/${firstRun?.invitationToken}`)
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('E-mail address').fill('ada@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Your account is ready.').waitFor()
  await page.getByRole('link', { name: 'Keys', exact: true }).click()

  await page.getByLabel('Name').fill('Website')
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.locator('#new-key').textContent()) ?? ''
  expect((await search(site, key)).status).toBe(200)
  await page.getByRole('link', { name: 'I have copied it' }).click()
  await page.getByText(`${key.slice(0, 8)}…${key.slice(-4)}`).waitFor()

  await site.accounts.usage.flush()
  await page.getByRole('link', { name: 'Usage', exact: true }).click()
  await page.getByLabel('Key').selectOption({ label: `Website (…${key.slice(-4)})` })
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('img', { name: /^Requests\./u }).waitFor()
  expect(await page.locator('.facts dd').first().textContent()).toBe('1')

  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await page.getByRole('link', { name: 'Delete key Website' }).click()
  await page.getByRole('button', { name: 'Delete key' }).click()
  await page.getByText('The key is deleted').waitFor()
  expect((await search(site, key)).status).toBe(401)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  await page.goto(`${site.url}/keys`)
  await page.getByLabel('E-mail address').fill('ada@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'All keys' }).waitFor()
}

describe.skipIf(browser === null)('in Chromium', () => {
  let site: DashboardSite
  let memberId: string
  beforeAll(async () => {
    site = await openDashboardSite()
    memberId = (await site.addPerson({ email: 'member@example.org', name: 'Grace Hopper' })).id
  })
  afterAll(() => site.close())

  async function openSignedIn(options: Parameters<typeof openPage>[1] = {}) {
    const opened = await openPage(browser!, options)
    const { token } = await site.accounts.sessions.create(memberId)
    await opened.context.addCookies([{ name: 'verbatim_session', value: token, url: site.url }])
    await opened.page.goto(`${site.url}/keys`)
    return opened
  }

  test.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('first run, account, key, search, usage, deletion and 401 work %s', async (_name, javaScriptEnabled) => {
    const fresh = await openDashboardSite()
    const { context, page, complaints } = await openPage(browser!, { javaScriptEnabled })
    try {
      await walk(fresh, page)
      expect(complaints).toEqual([])
    } finally {
      await context.close()
      await fresh.close()
    }
  })

  test('a form that has expired leads back to itself with what was typed, before and behind signing in again', async () => {
    const { context, page, complaints } = await openSignedIn()
    const renewSession = async (userId: string): Promise<void> => {
      const { token } = await site.accounts.sessions.create(userId)
      await context.addCookies([{ name: 'verbatim_session', value: token, url: site.url }])
    }
    const type = async (name: string): Promise<void> => {
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('rerank').check()
      await page.getByRole('button', { name: 'Create key' }).click()
    }
    const typed = async () => ({
      name: await page.getByLabel('Name').inputValue(),
      rerank: await page.getByLabel('rerank').isChecked(),
    })
    await type('Typed once')
    await page.goto(`${site.url}/keys`)
    expect(await typed()).toEqual({ name: '', rerank: false })

    await renewSession(memberId)
    // What is on the page was made for the session before.
    await page.goto(`${site.url}/keys`)
    await renewSession(memberId)
    await type('Typed twice')
    await page.getByRole('heading', { name: 'This form has expired' }).waitFor()
    await page.getByRole('link', { name: 'Back to the form' }).click()
    await page.getByRole('heading', { name: 'Keys', exact: true }).first().waitFor()
    expect(await typed()).toEqual({ name: 'Typed twice', rerank: true })

    await context.clearCookies()
    await context.addCookies([{ name: 'verbatim_session', value: 'x'.repeat(43), url: site.url }])
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Your session has ended').waitFor()
    await page.getByLabel('E-mail address').fill('member@example.org')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Create key' }).waitFor()
    expect(await typed()).toEqual({ name: 'Typed twice', rerank: true })
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.locator('#new-key').waitFor()
    await page.goto(`${site.url}/keys`)
    expect(await typed()).toEqual({ name: '', rerank: false })
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(complaints.filter((complaint) => !complaint.includes('403'))).toEqual([])
    await context.close()
  })

  test('a new key is copied by Enter alone on its button, which is there only when scripts run', async () => {
    const { context, page } = await openSignedIn({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByLabel('Name').fill('Copied')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Copy the key' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(await page.locator('#new-key').textContent())
    await context.close()
    const plain = await openSignedIn({ javaScriptEnabled: false })
    await plain.page.goto(`${site.url}/docs/quick-start`)
    expect(await plain.page.locator('button.copy:visible').count()).toBe(0)
    await plain.context.close()
  })

  test.each([true, false])('the playground answers and explains (scripts: %s)', async (javaScriptEnabled) => {
    const { context, page, complaints } = await openSignedIn({ javaScriptEnabled })
    await page.getByRole('link', { name: 'Playground' }).click()
    await page.getByLabel('Query').fill('what\'s a "quote"?')
    await page.getByText('Options').click()
    await page.getByLabel('Depth').selectOption('exhaustive')
    await page.getByLabel('explain').check()
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('#results').getByText('2 pages, 2 snippets').waitFor()
    expect(await page.getByRole('link', { name: 'Show on page' }).count()).toBe(2)
    expect(await page.getByText('The page took too long to answer.').count()).toBe(1)
    await page.getByRole('heading', { name: 'Explain' }).waitFor()
    expect(await page.locator('#sample-curl').textContent()).toContain('"search_depth": "exhaustive"')
    await page.locator('summary', { hasText: 'Python' }).click()
    expect(await page.locator('#sample-python').isVisible()).toBe(true)
    expect(await page.locator('#sample-curl').isVisible()).toBe(false)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('the playground shows a result before the search is over, and the final order after', async () => {
    const [other, late] = ANSWER.response.results
    const [second, first] = [other!, { ...late!, snippets: other!.snippets }]
    const gate = { open: () => {} }
    const isOpen = new Promise<void>((resolve) => (gate.open = resolve))
    const slow = await openDashboardSite({
      search: async (_request, searchContext) => {
        searchContext.onResult?.({ ...first, rank: 1 })
        await isOpen
        return { ...ANSWER, response: { ...ANSWER.response, results: [second, first] } }
      },
    })
    const { context, page, complaints } = await openPage(browser!)
    const user = await slow.addPerson({ email: 'member@example.org' })
    const { token } = await slow.accounts.sessions.create(user.id)
    await context.addCookies([{ name: 'verbatim_session', value: token, url: slow.url }])
    try {
      await page.goto(`${slow.url}/playground?query=anything`)
      await page.getByRole('button', { name: 'Search' }).click()
      await page.locator('.result h3').waitFor()
      expect(await page.locator('.result h3').allTextContents()).toEqual([first.title])
      expect(await page.getByRole('button', { name: 'Searching…' }).isDisabled()).toBe(true)
      gate.open()
      await page.locator('#results').getByText('2 pages, 4 snippets').waitFor()
      expect(await page.locator('.result h3').allTextContents()).toEqual([second.title, first.title])
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('answer')
      await page.getByLabel('Query').fill(' ')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByText('query must not be empty or blank.').waitFor()
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('query')
      expect(complaints).toEqual([])
    } finally {
      await context.close()
      await slow.close()
    }
  })

  test('a stream that breaks leaves what has arrived, says so, and searches again only when a person asks', async () => {
    const [first] = ANSWER.response.results
    let searches = 0
    const slow = await openDashboardSite({
      search: async (_request, searchContext, signal) => {
        searches += 1
        if (searches > 1) return ANSWER
        searchContext.onResult?.({ ...first!, rank: 1 })
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
      },
    })
    const way = await openCuttableWay(slow.url)
    const { context, page } = await openPage(browser!)
    const user = await slow.addPerson({ email: 'member@example.org' })
    const { token } = await slow.accounts.sessions.create(user.id)
    await context.addCookies([{ name: 'verbatim_session', value: token, url: way.url }])
    try {
      await page.goto(`${way.url}/playground?query=anything`)
      await page.getByRole('button', { name: 'Search' }).click()
      await page.locator('.result h3').waitFor()
      way.cut()
      await page.getByRole('alert').getByText('The connection broke').waitFor()
      expect(await page.locator('.result h3').allTextContents()).toEqual([first!.title])
      expect(searches).toBe(1)
      await page.getByRole('button', { name: 'Search' }).click()
      await page.locator('#results').getByText('2 pages, 2 snippets').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(searches).toBe(2)
    } finally {
      await context.close()
      way.close()
      await slow.close()
    }
  })

  test('the usage of a key is downloaded as CSV', async () => {
    const { context, page } = await openSignedIn()
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('verbatim-usage.csv')
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^key_id,key_name,starts_at,requests/u)
    await context.close()
  })

  test('the keyboard alone signs in, skips the navigation and reaches every control in reading order', async () => {
    const { context, page } = await openPage(browser!)
    await page.goto(`${site.url}/keys`)
    await page.keyboard.type('member@example.org')
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    const reached: string[] = []
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press('Tab')
      reached.push(
        await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent || ''),
      )
    }
    expect(reached[0]).toBe('name')
    expect(reached).toContain('expires')
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineWidth)
    expect(outline).toBe('3px')
    await context.close()
  })

  test.each([320, 390, 768, 1280, 1920])('no page scrolls sideways at %i pixels', async (width) => {
    const { context, page } = await openSignedIn({ viewport: { width, height: 800 } })
    for (const path of [
      '/',
      '/docs',
      '/docs/api',
      '/docs/errors',
      '/keys',
      '/usage',
      '/requests',
      '/docs/search',
      '/playground',
      '/check',
      '/account',
    ]) {
      await page.goto(site.url + path)
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([path, excess]).toEqual([path, 0])
    }
    await context.close()
  })

  test.each(['light', 'dark'] as const)(
    'the interactive reference shows every endpoint, from files of ours alone (%s)',
    async (colorScheme) => {
      const { context, page, complaints } = await openPage(browser!, { colorScheme })
      const foreign: string[] = []
      page.on('request', (request) => {
        if (!/^(?:data:|http:\/\/127\.0\.0\.1)/u.test(request.url())) foreign.push(request.url())
      })
      await page.goto(`${site.url}/docs/api`)
      await page.getByRole('link', { name: 'interactive reference' }).click()
      await page.locator('.opblock-summary-path', { hasText: '/v1/search' }).first().waitFor()
      const document = await (await fetch(`${site.url}/openapi.json`)).text()
      const shown = await page.locator('.opblock-summary-path').allTextContents()
      for (const path of shown) expect(document).toContain(path.replaceAll('\u200b', ''))
      expect(shown.length).toBeGreaterThan(2)
      expect([foreign, complaints]).toEqual([[], []])
      await context.close()
    },
  )

  test('a link into the midst of a long page is there at once, without a ride through all of it', async () => {
    const { context, page } = await openPage(browser!)
    await page.addInitScript(() => {
      const places: number[] = []
      Object.assign(globalThis, { places })
      addEventListener('scroll', () => places.push(scrollY))
    })
    await page.goto(`${site.url}/docs/runbook#verbatimenginefailing`)
    const isThere = () => {
      const top = document.querySelector(':target')?.getBoundingClientRect().top ?? -1
      return top >= 0 && top < innerHeight / 2
    }
    await page.waitForFunction(isThere)
    const isHalfWay = () => Reflect.get(globalThis, 'places').some((place: number) => place < scrollY / 2)
    expect(await page.evaluate(isHalfWay)).toBe(false)
    await context.close()
  })

  test('hostile markup in names and passages runs nothing', async () => {
    const hostile = '"><img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
    const { context, page } = await openSignedIn()
    await page.getByLabel('Name').fill(hostile.slice(0, 100))
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.goto(`${site.url}/keys`)
    await page.goto(`${site.url}/playground?query=${encodeURIComponent(hostile)}`)
    expect(await page.getByLabel('Query').inputValue()).toBe(hostile)
    expect(await page.title()).toBe('Playground · Verbatim')
    await context.close()
  })
})
