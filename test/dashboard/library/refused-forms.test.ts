import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright'
import { openDashboardSite, type DashboardSite } from '../dashboard-site.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'

const browser = await openPeoplesBrowser()

describe.skipIf(browser === null)('what is wrong with a form of the library', () => {
  let site: DashboardSite
  let token: string
  beforeAll(async () => {
    site = await openDashboardSite()
    token = (await site.addVisitor({ email: 'ada@example.org', isAdmin: true })).token
  })
  afterAll(async () => {
    await browser?.close()
    await site.close()
  })

  const upload = async (page: Page): Promise<void> => {
    const file = { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 cut') }
    await page.getByLabel('Upload documents').setInputFiles([file])
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
  }
  const addSite = async (page: Page): Promise<void> => {
    await page.getByLabel('Address').fill('no address')
    await page.getByRole('button', { name: 'Add site' }).click()
  }

  test.each([
    ['a document', upload, 'is not kept'],
    ['a site', addSite, 'This is no address of a web site'],
  ])('is in sight on a phone, where the form is: %s', async (_name, send, told) => {
    const { context, page } = await openPage(browser!, {
      viewport: { width: 390, height: 664 },
      reducedMotion: 'reduce',
    })
    await context.addCookies([{ name: 'verbatim_session', value: token, url: site.url }])
    await page.goto(`${site.url}/library`)
    await send(page)
    await page.getByText(told).waitFor()
    const isInSight = (): boolean => {
      const shown = document.querySelector('.notice, .wrong')?.getBoundingClientRect()
      return shown !== undefined && shown.top >= 0 && shown.bottom <= innerHeight
    }
    await expect.poll(() => page.evaluate(isInSight), { timeout: 10_000 }).toBe(true)
    await context.close()
  })
})
