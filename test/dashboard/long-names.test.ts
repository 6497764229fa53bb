import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFrontier } from '../../src/library/crawl/frontier.ts'
import { openDashboardSite, PASSWORD, type DashboardSite } from './dashboard-site.ts'
import { openPage, openPeoplesBrowser } from './test-browser.ts'
import { createVisitorClient, type VisitorClient } from './visitor-client.ts'

const browser = await openPeoplesBrowser()
afterAll(() => browser?.close())

const PAGES = [
  '/',
  '/keys',
  '/usage',
  '/requests',
  '/users',
  '/audit',
  '/settings',
  '/account',
  '/library',
  '/playground',
  '/check',
]

/** One word each, as long as may be. */
const LONG_NAME = 'W'.repeat(100)
const LONG_EMAIL = `${'e'.repeat(60)}@${'d'.repeat(60)}.example`
const LONG_ADDRESS = `https://handbook.example/${'s'.repeat(300)}`

/** One of everything that people name. */
async function fill(site: DashboardSite, visitor: VisitorClient): Promise<void> {
  await visitor.post('/keys', '/keys', { name: LONG_NAME })
  await visitor.post('/users', '/users/invitations', { email: `f${LONG_EMAIL}`, role: 'member' })
  const frontier = createFrontier(site.library)
  await frontier.openSite(LONG_ADDRESS, { pageLimit: 10, depthLimit: 2, delayMs: 0 })
  await frontier.end(LONG_ADDRESS, 'complete')
  await site.library.putPage(
    {
      url: LONG_ADDRESS,
      title: 's'.repeat(300),
      text: 'Text.',
      language: null,
      publishedAt: null,
      updatedAt: null,
    },
    LONG_ADDRESS,
  )
}

describe.skipIf(browser === null)('between telephones and desks', () => {
  let site: DashboardSite
  beforeAll(async () => {
    site = await openDashboardSite()
    await site.addPerson({ email: 'plain@example.org', name: 'Al', isAdmin: true })
    await site.addPerson({ email: LONG_EMAIL, name: LONG_NAME, isAdmin: true })
  })
  afterAll(() => site.close())

  /** The pages that are too wide at some of the widths, each with the width and by how much. */
  async function tooWide(email: string, widths: readonly number[]): Promise<string[]> {
    const { context, page } = await openPage(browser!, {})
    await page.goto(`${site.url}/sign-in`)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${site.url}/`)
    const found: string[] = []
    for (const path of PAGES) {
      await page.goto(site.url + path)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        for (const details of await page.locator('details').all()) {
          await details.evaluate((element) => element.setAttribute('open', ''))
        }
        const excess = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        if (excess > 0) found.push(`${path} at ${width}: ${excess}`)
      }
    }
    await context.close()
    return found
  }

  test('no page of an administrator scrolls sideways on a tablet, whichever way it is held', async () => {
    await site.accounts.keys.create({ name: 'Website', ownerId: null })
    expect(await tooWide('plain@example.org', [768, 834, 900, 962, 1000, 1024, 1100, 1180])).toEqual([])
  })

  test('what copies code never lies on the code, on telephones and at 200 % zoom as on desks', async () => {
    const { context, page } = await openPage(browser!, {})
    const covered: string[] = []
    for (const path of ['/docs/proof', '/docs/client-anythingllm', '/docs/migration']) {
      await page.goto(site.url + path)
      for (const width of [390, 640, 1440]) {
        await page.setViewportSize({ width, height: 800 })
        const count = await page.locator('.code').evaluateAll(
          (blocks) =>
            blocks.filter((block) => {
              const [button, code] = ['.copy', 'pre'].map((part) =>
                block.querySelector(part)?.getBoundingClientRect(),
              )
              if (button === undefined || code === undefined) return true
              const isBeside = button.left >= code.right || button.right <= code.left
              return !isBeside && button.bottom > code.top && button.top < code.bottom
            }).length,
        )
        if (count > 0) covered.push(`${path} at ${width}: ${count}`)
      }
    }
    expect(covered).toEqual([])
    await context.close()
  })

  test('a figure that stands alone in a card is aligned with what stands above it', async () => {
    await site.accounts.keys.create({ name: 'Website', ownerId: null })
    const visitor = createVisitorClient(site.url)
    await visitor.signIn('plain@example.org', PASSWORD)
    const { context, page } = await openPage(browser!, {})
    const value = visitor.cookies.get('verbatim_session') ?? ''
    await context.addCookies([{ name: 'verbatim_session', value, url: site.url }])
    await page.goto(`${site.url}/keys`)
    for (const [width, side] of [
      [390, 'right'],
      [640, 'left'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      const row = page.locator('.cards tbody tr').first()
      const edges = await Promise.all(
        ['Last used', 'Requests today'].map((label) =>
          row.locator(`[data-label="${label}"]`).evaluate((cell, edge) => {
            const range = document.createRange()
            range.selectNode(document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode() ?? cell)
            return Math.round(range.getBoundingClientRect()[edge])
          }, side),
        ),
      )
      expect([width, edges[1]]).toEqual([width, edges[0]])
    }
    await context.close()
  })

  test('no page scrolls sideways, however long names and addresses are', async () => {
    const visitor = createVisitorClient(site.url)
    await visitor.signIn(LONG_EMAIL, PASSWORD)
    await fill(site, visitor)
    expect(await tooWide(LONG_EMAIL, [320, 768, 962, 1024, 1280])).toEqual([])
  })
})
