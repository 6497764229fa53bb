import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, type DashboardSite } from '../dashboard-site.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'

const browser = await openPeoplesBrowser()
/** Of the picture, whose letters have 13 pixels where it has 758: smaller ones are guessed, not read. */
const WIDTH_PIXELS = 640

describe.skipIf(browser === null)('the start page', () => {
  let site: DashboardSite
  beforeAll(async () => {
    site = await openDashboardSite()
  })
  afterAll(async () => {
    await browser?.close()
    await site.close()
  })

  test.each([320, 390, 1440])(
    'shows a passage on its page in letters that can be read, at %i pixels',
    async (width) => {
      const { context, page } = await openPage(browser!, { viewport: { width, height: 844 } })
      await page.goto(site.url)
      const picture = page.getByRole('img', { name: /A question, the passage/u })
      expect((await picture.boundingBox())?.width).toBeGreaterThanOrEqual(WIDTH_PIXELS)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await context.close()
    },
  )
})
