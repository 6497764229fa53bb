import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, type DashboardSite } from '../dashboard-site.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'
import { createVisitorClient } from '../visitor-client.ts'

const browser = await openPeoplesBrowser()
let site: DashboardSite
beforeAll(async () => {
  site = await openDashboardSite()
})
afterAll(async () => {
  await browser?.close()
  await site.close()
})

const groundOf = (page: Page): Promise<string> =>
  page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
const LIGHT = 'rgb(255, 255, 255)'
const DARK = 'rgb(15, 17, 21)'

describe('theme', () => {
  test.skipIf(browser === null).each([true, false])(
    'a theme that is chosen holds on every page against the system, until the system is chosen (scripts: %s)',
    async (javaScriptEnabled) => {
      const { context, page, complaints } = await openPage(browser!, {
        colorScheme: 'light',
        javaScriptEnabled,
      })
      await page.goto(`${site.url}/sign-in`)
      expect(await groundOf(page)).toBe(LIGHT)
      await page.getByLabel('E-mail address').fill('ada@example.org')
      const kept = page.waitForResponse(/\/theme$/u)
      await page.getByRole('button', { name: 'Dark' }).click()
      await kept
      await page.waitForURL(/\/sign-in$/u)
      await page.locator('html[data-theme=dark]').waitFor()
      expect(await groundOf(page)).toBe(DARK)
      if (javaScriptEnabled)
        expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada@example.org')
      await page.goto(`${site.url}/docs`)
      expect(await groundOf(page)).toBe(DARK)
      expect(await page.getByRole('button', { name: 'Dark', pressed: true }).count()).toBe(1)
      await page.getByRole('button', { name: 'As the system' }).click()
      await page.locator('html[data-theme=system]').waitFor()
      expect(await groundOf(page)).toBe(LIGHT)
      expect(complaints).toEqual([])
      await context.close()
    },
  )

  test('a theme and signing in lead back to the very page, and from a form’s answer to the page of the form', async () => {
    const visitor = createVisitorClient(site.url)
    const found = await visitor.text('/docs/search?q=revoke')
    expect(found).toContain('name="back" value="/docs/search?q=revoke"')
    expect(found).toContain('href="/sign-in?next=%2Fdocs%2Fsearch%3Fq%3Drevoke"')
    expect(await visitor.text('/sign-in?next=%2Fusage&done=session-over')).toContain(
      'name="back" value="/sign-in?next=%2Fusage"',
    )
    const refused = await fetch(`${site.url}/sign-in`, {
      method: 'POST',
      headers: { Accept: 'text/html', Referer: `${site.url}/sign-in?next=%2Fusage` },
      body: new URLSearchParams({ form_token: 'forged' }),
    })
    expect(await refused.text()).toContain('name="back" value="/sign-in?next=%2Fusage"')
  })

  test('choosing a theme leads to no other site, and what is no theme is none', async () => {
    const visitor = createVisitorClient(site.url)
    const answer = await visitor.postRaw('/theme', { theme: 'dark', back: '//evil.example/' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
    expect(await visitor.text('/')).toContain('data-theme="dark"')
    await visitor.postRaw('/theme', { theme: '"><script>', back: '/' })
    expect(await visitor.text('/')).toContain('data-theme="system"')
  })
})
