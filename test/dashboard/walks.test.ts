// The two walks that a newcomer and an operator make, by the keyboard alone and with nothing but the pages to go by.
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ANSWER, openDashboardSite, PASSWORD, type DashboardSite } from './dashboard-site.ts'
import { openPage, openPeoplesBrowser } from './test-browser.ts'

const browser = await openPeoplesBrowser()
afterAll(() => browser?.close())

/** What the focus is on, as it is read out. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const on = document.activeElement
    return on instanceof HTMLInputElement ? (on.labels?.[0]?.textContent ?? '') : (on?.textContent ?? '')
  })

/** Presses Tab until the focus is on `name`. Fails when it takes more than `steps`: who walks here has given up. */
async function tabTo(page: Page, name: RegExp, steps: number): Promise<void> {
  const passed: string[] = []
  while (!name.test(passed.at(-1) ?? '')) {
    expect(passed.length, `${name.source} after ${passed.join(' | ')}`).toBeLessThan(steps)
    await page.keyboard.press('Tab')
    passed.push(await focused(page))
  }
}

describe.skipIf(browser === null)('by keyboard alone', () => {
  let site: DashboardSite
  // A walk begins with a site that nobody has been to, at a second try too.
  beforeEach(async () => {
    site = await openDashboardSite()
  })
  afterEach(() => site.close())

  test('from the printed link to a first quoted answer', async () => {
    const firstRun = await site.accounts.prepareFirstRun()
    const { context, page, complaints } = await openPage(browser!, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.goto(`${site.url}/invitations/${firstRun?.invitationToken}`)
    await page.getByLabel('Your name').and(page.locator(':focus')).waitFor()
    for (const typed of ['Ada Lovelace', 'ada@example.org', PASSWORD]) {
      await page.keyboard.type(typed)
      await page.keyboard.press('Tab')
    }
    expect(await focused(page)).toBe('Create account')
    await page.keyboard.press('Enter')
    await page.getByText('Ask your first question here').waitFor()
    await page.getByLabel('Query').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('how is a key revoked?')
    await page.keyboard.press('Enter')
    await page.locator('#answer:focus').waitFor()
    await tabTo(page, /^Copy quote/u, 3)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const quoted = await page.evaluate(() => navigator.clipboard.readText())
    expect(quoted).toContain(ANSWER.response.results.flatMap(({ snippets }) => snippets)[0]?.text)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('on a telephone, past a password that is too short and by an example, to a first quoted answer', async () => {
    const firstRun = await site.accounts.prepareFirstRun()
    const { context, page, complaints } = await openPage(browser!, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.goto(`${site.url}/invitations/${firstRun?.invitationToken}`)
    await page.getByLabel('Your name').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Ada Lovelace')
    await page.getByLabel('E-mail address').tap()
    await page.keyboard.type('ada@example.org')
    await page.getByLabel('Password').tap()
    await page.keyboard.type('short')
    await page.getByRole('button', { name: 'Create account' }).tap()
    await page.getByLabel('Password').and(page.locator(':focus')).waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Lovelace')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).tap()
    await page.getByText('Ask your first question here').waitFor()
    await page.getByRole('navigation', { name: 'Examples' }).getByRole('link').first().tap()
    await page.waitForURL(/query=/u)
    await page.getByRole('button', { name: 'Search', exact: true }).tap()
    await page.locator('#answer:focus').waitFor()
    await page.getByRole('button', { name: 'Copy quote with citation' }).first().tap()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('https://search.example/')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('from the quick start, past the page to sign in and back to the printed link, and by an example, to a first quoted answer', async () => {
    const firstRun = await site.accounts.prepareFirstRun()
    const { context, page, complaints } = await openPage(browser!, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.goto(`${site.url}/docs/quick-start`)
    await page.getByRole('main').getByRole('link', { name: 'playground' }).press('Enter')
    await page.getByLabel('E-mail address').and(page.locator(':focus')).waitFor()
    await tabTo(page, /^another is made there$/u, 4)
    await page.keyboard.press('Enter')
    await page.locator('#getting-back-into-the-dashboard').waitFor()
    await page.goto(`${site.url}/invitations/${firstRun?.invitationToken}`)
    await page.getByLabel('Your name').and(page.locator(':focus')).waitFor()
    for (const typed of ['Ada Lovelace', 'ada@example.org', PASSWORD]) {
      await page.keyboard.type(typed)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.getByLabel('Query').and(page.locator(':focus')).waitFor()
    await tabTo(page, /^How do I revoke an API key\?$/u, 8)
    await page.keyboard.press('Enter')
    await page.locator('button:focus', { hasText: 'Search' }).waitFor()
    await page.waitForLoadState()
    await page.keyboard.press('Enter')
    await page.locator('#answer:focus').waitFor()
    await tabTo(page, /^Copy quote/u, 3)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('https://search.example/')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('from the start page to which engine failed since when, and to a test of it', async () => {
    await site.addPerson({ email: 'operator@example.org', name: 'Grace Hopper', isAdmin: true })
    const { context, page, complaints } = await openPage(browser!)
    await page.goto(site.url)
    await tabTo(page, /^Sign in$/u, 6)
    await page.keyboard.press('Enter')
    await page.locator('input[name=email]:focus').waitFor()
    await page.keyboard.type('operator@example.org')
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    // Loaded, so that the button of the page tells what it does when it is pressed.
    await page.waitForURL((address) => address.pathname === '/')
    const row = page.locator('#engine-searxng')
    const told = (await row.textContent()) ?? ''
    expect(told).toMatch(/searxng.*Left alone.*since \d+ \w+ \d{4}, \d\d:\d\d UTC, \d+ min ago/u)
    expect(told).toContain('It did not answer in time')
    const needed = page.getByRole('region', { name: 'Needs attention' })
    expect(await needed.textContent()).toMatch(
      /searxng: Failing since .* Last failure: it did not answer in time\./u,
    )
    await tabTo(page, /^Test now: searxng/u, 16)
    // In sight without a turn of the wheel.
    const place = await needed.getByRole('button', { name: 'searxng' }).boundingBox()
    expect(place?.y).toBeLessThan(page.viewportSize()?.height ?? 0)
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await page.evaluate(() =>
      addEventListener('submit', ({ submitter }) =>
        sessionStorage.setItem('told', `${submitter?.textContent}`),
      ),
    )
    await page.keyboard.press('Enter')
    const verdict = page.getByRole('status').getByText('The engine was asked and did not answer')
    await verdict.waitFor()
    await page.waitForLoadState()
    expect(await page.evaluate(() => sessionStorage.getItem('told'))).toBe('Testing…')
    expect(await verdict.evaluate((shown) => shown.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0)
    await tabTo(page, /^Test now: searxng/u, 3)
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('a session that ends under way leads back to where one was, %s', async (name, javaScriptEnabled) => {
    const email = `${javaScriptEnabled}@example.org`
    const member = await site.addPerson({ email, name })
    const { context, page } = await openPage(browser!, { javaScriptEnabled })
    const { token } = await site.accounts.sessions.create(member.id)
    await context.addCookies([{ name: 'verbatim_session', value: token, url: site.url }])
    await page.goto(`${site.url}/playground?query=anything`)
    await site.accounts.sessions.revoke(token)
    await page.getByLabel('Query').press('Enter')
    await page.getByText('Your session has ended.').waitFor()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    // What stands behind the # is put into the form by the script, which has run when the page is loaded.
    await page.waitForURL((address) => address.pathname === '/playground')
    expect(await page.getByLabel('Query').inputValue()).toBe('anything')
    await context.close()
  })
})
