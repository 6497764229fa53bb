import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKED, CHECKED_SOURCES, CHECKED_TEXT } from './check/checked-answer.ts'
import { ANSWER, openDashboardSite, type DashboardSite } from './dashboard-site.ts'
import { openPage, openPeoplesBrowser } from './test-browser.ts'

const browser = await openPeoplesBrowser()
/** Long enough for somebody who is impatient to press again. */
const ANSWER_MS = 500

describe.skipIf(browser === null)('a button whose answer takes a while', () => {
  let site: DashboardSite
  let token: string
  let asked: string[] = []
  beforeAll(async () => {
    const slowly = async <Answer>(what: string, answer: Answer): Promise<Answer> => {
      asked.push(what)
      await setTimeout(ANSWER_MS)
      return answer
    }
    site = await openDashboardSite({
      search: ({ search_depth: depth }) => slowly(depth, ANSWER),
      verifyAnswer: () => slowly('answer', CHECKED),
      searchDocumentation: (query) => slowly(query, []),
    })
    token = (await site.addVisitor({ email: 'ada@example.org', isAdmin: true })).token
  })
  afterAll(async () => {
    await browser?.close()
    await site.close()
  })

  test.each([
    {
      path: '/playground#query=q',
      fields: {},
      name: 'Compare the three depths',
      busy: 'Comparing…',
      end: 'Compare depths',
      asks: ['precise', 'balanced', 'exhaustive'],
    },
    {
      path: '/check',
      fields: { Answer: CHECKED_TEXT, Sources: CHECKED_SOURCES.join('\n') },
      name: 'Check',
      busy: 'Checking…',
      end: 'What was found',
      asks: ['answer'],
    },
    {
      path: '/docs/search',
      fields: { 'Search the documentation': 'revoke' },
      name: 'Search',
      busy: 'Searching…',
      end: 'Nothing answers that',
      asks: ['revoke'],
    },
  ])(
    'says “$busy” to who looks and to who listens, and asks once, however often it is pressed',
    async (walk) => {
      const { context, page, complaints } = await openPage(browser!)
      await context.addCookies([{ name: 'verbatim_session', value: token, url: site.url }])
      await page.goto(site.url + walk.path)
      for (const [label, text] of Object.entries(walk.fields)) await page.getByLabel(label).fill(text)
      for (const fold of await page.locator('summary', { hasText: 'Compare' }).all()) await fold.click()
      // Playwright looks at no page that is being left: the page itself notes what it says, and presses again.
      await page.evaluate(() =>
        addEventListener(
          'submit',
          ({ submitter: pressed }) => {
            const heard = document.getElementById('announcement')?.textContent
            sessionStorage.setItem('told', [pressed?.textContent, pressed?.ariaDisabled, heard].join())
            queueMicrotask(() => pressed?.click())
          },
          { once: true },
        ),
      )
      asked = []
      await page.getByRole('button', { name: walk.name, exact: true }).click()
      await page.getByRole('heading', { name: walk.end }).waitFor()
      expect(await page.evaluate(() => sessionStorage.getItem('told'))).toBe(`${walk.busy},true,${walk.busy}`)
      expect(asked).toEqual(walk.asks)
      expect(complaints).toEqual([])
      await context.close()
    },
  )
})
