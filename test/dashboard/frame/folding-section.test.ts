import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, type DashboardSite } from '../dashboard-site.ts'
import { REQUEST, SEARCH } from '../remembered.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'

const browser = await openPeoplesBrowser()

const PHONE = { width: 390, height: 844 }
const SECTIONS = ['Last requests', 'Failing sites', 'Models by depth', 'Crawls', 'Browser', 'Storage']

describe.skipIf(browser === null)('the sections of a long page', () => {
  let site: DashboardSite
  let token: string
  beforeAll(async () => {
    site = await openDashboardSite()
    token = (await site.addVisitor({ email: 'ada@example.org', isAdmin: true })).token
    const { activity } = site.accounts
    for (let index = 0; index < 10; index += 1) {
      activity.countRequest({ ...REQUEST, requestId: `req_${index}`, status: index < 3 ? 500 : 200 })
      activity.countSearch(SEARCH)
    }
    await activity.flush()
  })
  afterAll(async () => {
    await browser?.close()
    await site.close()
  })

  async function open(path: string, options: Parameters<typeof openPage>[1]) {
    const opened = await openPage(browser!, options)
    await opened.context.addCookies([{ name: 'verbatim_session', value: token, url: site.url }])
    await opened.page.goto(site.url + path)
    return opened
  }

  test('are folded on a phone, each with what matters of it beside its heading; what comes first is not', async () => {
    const { context, page, complaints } = await open('/', { viewport: PHONE })
    const told = await page.locator('.folding summary').allInnerTexts()
    expect(told.map((text) => text.split(/\s*\n\s*/u))).toEqual([
      ['Last requests', '3 of 10 failed'],
      ['Failing sites', 'slow.example'],
      ['Models by depth', 'Stand-in'],
      ['Crawls', '1 of 1 finished'],
      ['Browser', 'Missing'],
      ['Storage', 'Ready'],
    ])
    expect(await page.getByRole('region', { name: 'Needs attention' }).isVisible()).toBe(true)
    expect(await page.locator('#engine-searxng').isVisible()).toBe(true)
    expect(await page.locator('.figures').isVisible()).toBe(true)
    // Four screens, of the eight that it has in all.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(height).toBeLessThan(4 * PHONE.height)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are opened by keyboard, stay open when the page is loaded anew, and fold by another press', async () => {
    const { context, page } = await open('/', { viewport: PHONE })
    const failing = page.locator('[data-folding=sites]')
    await failing.locator('summary').press('Enter')
    await failing.getByText('too slow (10)').waitFor()
    await page.reload()
    expect(await failing.getByText('too slow (10)').isVisible()).toBe(true)
    expect(await page.locator('[data-folding][open]').count()).toBe(1)
    await failing.locator('summary').press('Enter')
    await failing.getByText('too slow (10)').waitFor({ state: 'hidden' })
    await page.reload()
    expect(await page.locator('[data-folding][open]').count()).toBe(0)
    await context.close()
  })

  test('are as others on a desk, where neither a key nor a click folds them, and on a phone without scripts all open', async () => {
    const desk = await open('/', { viewport: { width: 1440, height: 900 } })
    for (const title of SECTIONS) await desk.page.getByRole('heading', { name: title }).click()
    expect(await desk.page.locator('[data-folding][open]').count()).toBe(SECTIONS.length)
    expect(
      await desk.page
        .locator('.folding summary')
        .first()
        .evaluate(({ tabIndex }) => tabIndex),
    ).toBe(-1)
    expect(await desk.page.locator('.gist').first().isVisible()).toBe(false)
    await desk.page.setViewportSize(PHONE)
    await expect.poll(() => desk.page.locator('[data-folding][open]').count()).toBe(0)
    await desk.page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(() => desk.page.locator('[data-folding][open]').count()).toBe(SECTIONS.length)
    await desk.context.close()
    const plain = await open('/', { viewport: PHONE, javaScriptEnabled: false })
    expect(await plain.page.locator('[data-folding][open]').count()).toBe(SECTIONS.length)
    await plain.context.close()
  })

  test('of the settings tell how many of their variables are set', async () => {
    const { context, page } = await open('/settings', { viewport: PHONE })
    const told = await page.locator('.folding summary').allInnerTexts()
    expect(told[0]?.replace(/\s+/gu, ' ')).toMatch(/^Address and storage 1 of \d+ set$/u)
    await context.close()
  })
})
