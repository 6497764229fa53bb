import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'

const browser = await openPeoplesBrowser()

describe.skipIf(browser === null)('a form that comes back refused', () => {
  let site: DashboardSite
  let token: string
  let keyId: string
  beforeAll(async () => {
    site = await openDashboardSite()
    const visitor = await site.addVisitor({ email: 'ada@example.org', isAdmin: true })
    token = visitor.token
    keyId = (await site.accounts.keys.create({ name: 'Website', ownerId: visitor.id })).record.id
  })
  afterAll(async () => {
    await browser?.close()
    await site.close()
  })

  test.each([
    ['/keys', { Name: 'x', 'Expires (optional)': '2020-01-01' }, 'Create key', 'expires'],
    ['/keys/ID/rename', { Name: '  ' }, 'Rename key', 'name'],
    ['/users', { 'E-mail address (optional)': 'ada@example.org' }, 'Make invitation link', 'email'],
    ['/account', { 'Current password': 'wrong', 'New password': PASSWORD }, 'Change password', 'current'],
    ['/library', { Address: 'no address' }, 'Add site', 'url'],
    ['/check', { Answer: 'It says “so”.', Sources: 'no address' }, 'Check', 'sources'],
  ])(
    'has the focus on the field that is wrong, whose fault is read out with it: %s',
    async (path, fields, button, wrong) => {
      const { context, page, complaints } = await openPage(browser!)
      await context.addCookies([{ name: 'verbatim_session', value: token, url: site.url }])
      await page.goto(site.url + path.replace('ID', keyId))
      for (const [label, text] of Object.entries(fields))
        await page.getByLabel(label, { exact: true }).fill(text)
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.locator('.wrong').waitFor()
      const focused = () =>
        page.evaluate(() => [
          document.activeElement?.id,
          document.activeElement?.getAttribute('aria-describedby'),
        ])
      await expect.poll(focused).toEqual([wrong, expect.stringContaining(`${wrong}-wrong`)])
      expect(complaints).toEqual([])
      await context.close()
    },
  )
})
