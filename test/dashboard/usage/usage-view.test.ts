import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, type DashboardSite } from '../dashboard-site.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'

const browser = await openPeoplesBrowser()
/** Smaller letters are guessed, not read. */
const LETTERS_PIXELS = 11

describe.skipIf(browser === null)('the charts of usage', () => {
  let site: DashboardSite
  let token: string
  beforeAll(async () => {
    site = await openDashboardSite()
    const visitor = await site.addVisitor({ email: 'ada@example.org' })
    token = visitor.token
    const { record } = await site.accounts.keys.create({ name: 'Website', ownerId: visitor.id })
    for (const latencyMs of [120, 900, 2_400])
      site.accounts.usage.count(record.id, { status: 200, latencyMs, snippets: 3 })
    await site.accounts.usage.flush()
  })
  afterAll(async () => {
    await browser?.close()
    await site.close()
  })

  test.each([320, 390, 768, 1440])(
    'have letters that can be read, and none over another, at %i pixels',
    async (width) => {
      const { context, page } = await openPage(browser!, { viewport: { width, height: 844 } })
      await context.addCookies([{ name: 'verbatim_session', value: token, url: site.url }])
      await page.goto(`${site.url}/usage`)
      const boxes = await page.locator('.chart').evaluateAll((charts) =>
        charts.map((chart) =>
          [...chart.querySelectorAll('text')].map((text) => {
            const { x, y, width: across, height } = text.getBoundingClientRect()
            return { x, y, across, height, said: text.textContent }
          }),
        ),
      )
      expect(boxes.length).toBe(4)
      for (const letters of boxes) {
        for (const one of letters) {
          expect(one.height).toBeGreaterThanOrEqual(LETTERS_PIXELS)
          expect(one.x).toBeGreaterThanOrEqual(0)
          // The boxes have room above and below the letters: a third of them may overlap.
          const over = letters.filter(
            (other) =>
              other !== one &&
              one.x < other.x + other.across &&
              other.x < one.x + one.across &&
              Math.abs(one.y - other.y) < (2 / 3) * one.height,
          )
          expect(over).toEqual([])
        }
      }
      await context.close()
    },
  )
})
