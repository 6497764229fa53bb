import { afterAll, expect, test } from 'vitest'
import { manyPages, openSite } from '../../library/crawl/loopback-site.ts'
import { openDashboardSite } from '../dashboard-site.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'

const browser = await openPeoplesBrowser()
afterAll(() => browser?.close())

test.skipIf(browser === null)(
  'a site that is added is followed by itself to its end, which is told in place of its beginning',
  async () => {
    const web = await openSite(manyPages(4), 500)
    const site = await openDashboardSite()
    const { token } = await site.addVisitor({ email: 'admin@example.org', isAdmin: true })
    const { context, page, complaints } = await openPage(browser!)
    await context.addCookies([{ name: 'verbatim_session', value: token, url: site.url }])
    await page.goto(`${site.url}/library`)
    await page.getByLabel('Address').fill(web.origin)
    await page.getByLabel('Address').press('Enter')
    await page.getByRole('status').getByText('The site is being read.').waitFor()
    await page.getByText('These figures renew themselves.').waitFor()
    await page.getByText('No page has failed so far.').waitFor()
    await page.getByRole('status').getByText('What was being read is read.').waitFor({ state: 'attached' })
    expect(await page.locator('main').textContent()).toMatch(/StateRead.*5 of at most 500/u)
    expect(await page.getByText('The site is being read.').count()).toBe(0)
    expect(await page.getByText('Every page that was asked for was read.').count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Quokka 3' }).count()).toBe(1)
    expect(complaints).toEqual([])
    await context.close()
    await site.close()
    await web.close()
  },
)
