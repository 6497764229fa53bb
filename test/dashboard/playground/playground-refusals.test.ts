import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { captureUnknown, searchUnavailable } from '../../../src/errors.ts'
import { ANSWER, openDashboardSite, type DashboardSite } from '../dashboard-site.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'

const browser = await openPeoplesBrowser()

describe.skipIf(browser === null)('what the playground cannot do', () => {
  let site: DashboardSite
  let ownId: string
  /** Whether the texts of pages that were read are gone. */
  let isForgotten = false
  beforeAll(async () => {
    site = await openDashboardSite({
      search: ({ query }) =>
        query === 'fails' ? Promise.reject(searchUnavailable(null)) : Promise.resolve(ANSWER),
      findSurroundings: () =>
        isForgotten
          ? Promise.reject(captureUnknown())
          : Promise.resolve({ before: 'Before it.', text: '', after: 'After it.' }),
      verify: ({ content_sha256: sha256 = null, quotes }) =>
        isForgotten
          ? Promise.reject(captureUnknown())
          : Promise.resolve({
              url: 'https://search.example/docs/api-keys',
              content_sha256: sha256,
              fetched_at: '2026-11-22T10:00:00Z',
              warning: null,
              quotes: quotes.map((quote) => ({ quote, match: 'exact', start: 10, end: 120 })),
            }),
    })
    ownId = (await site.addPerson({ email: 'ada@example.org' })).id
  })
  afterAll(async () => {
    await browser?.close()
    await site.close()
  })

  /** The playground with an answer, in a session of its own. */
  async function openAnswer() {
    const { token } = await site.accounts.sessions.create(ownId)
    const opened = await openPage(browser!)
    await opened.context.addCookies([{ name: 'verbatim_session', value: token, url: site.url }])
    await opened.page.goto(`${site.url}/playground#query=q`)
    await opened.page.getByRole('button', { name: 'Search', exact: true }).click()
    await opened.page.locator('#answer:focus').waitFor()
    return { ...opened, token, passage: opened.page.locator('.snippet').first() }
  }

  test('is told beside the button that was to do it, which can be pressed again; the answer stays', async () => {
    const { context, page, passage, complaints } = await openAnswer()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    isForgotten = true
    await passage.getByRole('button', { name: 'Verify' }).press('Enter')
    await passage.getByRole('alert').getByText('is not kept any more. Search again').waitFor()
    expect(await focused()).toBe('Verify')
    await passage.getByRole('alert').evaluate((told) => told.remove())
    await passage.getByRole('link', { name: 'Show context' }).click()
    await passage.getByRole('alert').getByText('is not kept any more. Search again').waitFor()
    isForgotten = false
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Make a key for an hour' }).press('Enter')
    await page
      .locator('.samples')
      .getByRole('alert')
      .getByText('did not answer, and nothing was done')
      .waitFor()
    expect(await focused()).toBe('Make a key for an hour')
    await context.setOffline(false)
    await passage.getByRole('button', { name: 'Verify' }).click()
    await passage.getByText('On the page, letter for letter').waitFor()
    expect(await page.locator('#results .result').count()).toBeGreaterThan(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each(['Verify', 'Show context', 'Make a key for an hour'])(
    '“%s” in a session that has ended leads to signing in, and from there back to the request',
    async (pressed) => {
      const { context, page, token } = await openAnswer()
      await site.accounts.sessions.revoke(token)
      await page.locator('button, a', { hasText: pressed }).first().click()
      await page.getByText('Your session has ended.').waitFor()
      expect(new URL(page.url()).searchParams.get('next')).toMatch(/^\/playground#query=q/u)
      await context.close()
    },
  )

  test('a search that fails says why, and leaves the focus at the question that may be asked again', async () => {
    const { context, page } = await openAnswer()
    await page.getByLabel('Query').fill('fails')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('No search provider could be reached.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('query')
    await context.close()
  })

  test('who skips to the content keeps the answer, and the request in the address', async () => {
    const { context, page } = await openAnswer()
    const before = page.url()
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    expect(await page.locator('#results .result').first().isVisible()).toBe(true)
    expect(page.url()).toBe(before)
    await context.close()
  })
})
