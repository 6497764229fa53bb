// What axe finds on every page of the dashboard, at the widths of telephones, tablets and desks.
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFrontier } from '../../src/library/crawl/frontier.ts'
import { REQUEST, SEARCH } from './remembered.ts'
import { CHECKED, CHECKED_SOURCES, CHECKED_TEXT } from './check/checked-answer.ts'
import { openDashboardSite, PASSWORD, type DashboardSite } from './dashboard-site.ts'
import { openPage, openPeoplesBrowser } from './test-browser.ts'
import { ACCESSIBILITY_RULES, axeFindings } from './axe-findings.ts'
import { createVisitorClient } from './visitor-client.ts'

/** Telephones, tablets, and 1280 at 200 % (640). */
export const WIDTHS = [320, 390, 640, 768, 1440] as const
type Width = (typeof WIDTHS)[number]
/** Between them what moves is the layout; colours stay what they are. */
export const OUTER_WIDTHS: readonly Width[] = [320, 1440]
/** The same markup in other colours can only break these. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

const FOUND = [
  {
    slug: 'api-keys',
    title: 'API keys',
    relevance: 0.9,
    passages: [
      { text: 'To revoke an API key, delete it.', relevance: 0.9, heading: 'How do I revoke an API key?' },
    ],
  },
]

/** A site of one page with one address that failed, which is not read again; returns its address. */
async function fillLibrary({ library }: DashboardSite): Promise<string> {
  const url = 'https://handbook.example/'
  const frontier = createFrontier(library)
  await frontier.openSite(url, { pageLimit: 10, depthLimit: 2, delayMs: 0 })
  await frontier.settle(url, [url], 0, { state: 'read', reason: null })
  const reason = 'The page does not exist (404).'
  await frontier.settle(url, [`${url}lost`], 1, { state: 'failed', reason })
  await frontier.end(url, 'complete')
  const text = 'To revoke an API key, delete it.'
  await library.putPage(
    { url, title: 'Handbook', text, language: 'en', publishedAt: null, updatedAt: null },
    url,
  )
  return url
}

interface Judged {
  colours: readonly ('light' | 'dark')[]
  /** Where axe looks; that no page is too wide is looked at everywhere. */
  widths: readonly Width[]
}

/** To be called at the top of a test file. */
export async function describeAccessibility({ colours, widths }: Judged): Promise<void> {
  const browser = await openPeoplesBrowser()
  afterAll(() => browser?.close())

  describe.skipIf(browser === null)('WCAG AA', () => {
    let site: DashboardSite
    let session: string
    const secrets = { invitation: '', reset: '', keyId: '', userId: '', siteUrl: '' }
    beforeAll(async () => {
      site = await openDashboardSite({
        verifyAnswer: () => Promise.resolve(CHECKED),
        searchDocumentation: (query) => Promise.resolve(query === 'nothing' ? [] : FOUND),
      })
      const { accounts } = site
      const admin = await site.addPerson({ email: 'admin@example.org', name: 'Ada Lovelace', isAdmin: true })
      const member = await site.addPerson({ email: 'member@example.org', name: 'Grace Hopper' })
      const { record } = await accounts.keys.create({
        name: 'Website',
        ownerId: admin.id,
        expiresAt: new Date('2999-12-31'),
        rateLimitPoints: 60,
      })
      for (const status of [200, 200, 422, 429, 500]) {
        accounts.usage.count(record.id, { status, latencyMs: 120, snippets: 3 })
      }
      // With a second key the page of usage tells which is used most.
      const second = await accounts.keys.create({ name: 'Notebook', ownerId: admin.id })
      accounts.usage.count(second.record.id, { status: 200, latencyMs: 90, snippets: 1 })
      await accounts.usage.flush()
      accounts.activity.countRequest({ ...REQUEST, keyId: record.id })
      accounts.activity.countSearch(SEARCH)
      await accounts.activity.flush()
      await accounts.invitations.create({ isAdmin: false, email: 'open@example.org', createdBy: admin.id })
      secrets.invitation = (await accounts.invitations.create({ isAdmin: true, createdBy: null })).token
      secrets.reset = (await accounts.passwords.createReset(member.id, null)).token
      secrets.keyId = record.id
      secrets.userId = member.id
      secrets.siteUrl = await fillLibrary(site)
      const visitor = createVisitorClient(site.url)
      await visitor.signIn('admin@example.org', PASSWORD)
      await visitor.upload('/library', '/library/documents', [
        ['travel-policy.md', '# Travel policy\n\nBy train.'],
      ])
      session = visitor.cookies.get('verbatim_session') ?? ''
    })
    afterAll(() => site.close())

    const strangers = [
      ['start', () => '/'],
      ['documentation', () => '/docs'],
      ['documentation search', () => '/docs/search?q=revoke'],
      ['documentation search without an answer', () => '/docs/search?q=nothing'],
      ['sign in', () => '/sign-in?done=signed-out'],
      ['sign in after a session’s end', () => '/sign-in?next=%2Fkeys&done=session-over'],
      ['invitation', () => `/invitations/${secrets.invitation}`],
      ['reset', () => `/resets/${secrets.reset}`],
      ['used link', () => '/invitations/vbi_used'],
      ['nothing there', () => '/nothing'],
    ] as const
    const members = [
      ['start', () => '/'],
      ['keys', () => '/keys'],
      ['key renaming', () => `/keys/${secrets.keyId}/rename`],
      ['key rotation', () => `/keys/${secrets.keyId}/rotate`],
      ['key deletion', () => `/keys/${secrets.keyId}/delete`],
      ['usage', () => '/usage'],
      ['requests', () => '/requests'],
      ['no such requests', () => '/requests?id=none'],
      ['playground', () => '/playground'],
      ['check', () => '/check'],
      ['library', () => '/library'],
      ['library search', () => '/library?q=revoke'],
      ['site', () => `/library/site?url=${encodeURIComponent(secrets.siteUrl)}`],
      ['site removal', () => `/library/site/remove?url=${encodeURIComponent(secrets.siteUrl)}`],
      ['library search for a document', () => '/library?q=train'],
      ['document removal', () => '/library/documents/remove?name=travel-policy.md'],
      ['kept page', () => `/library/page?url=${encodeURIComponent(secrets.siteUrl)}`],
      ['account', () => '/account'],
      ['people', () => '/users'],
      ['settings', () => '/settings'],
      ['audit log', () => '/audit'],
      ['account closing', () => `/users/${secrets.userId}/remove`],
    ] as const

    describe.each(colours)('in %s colours', (colorScheme) => {
      /** What axe finds on the page that is open, as lines to read. */
      function findingsOn(page: Page, areColoursJudged = true): Promise<string[]> {
        const options =
          colorScheme === 'dark'
            ? { runOnly: COLOUR_RULES }
            : { ...ACCESSIBILITY_RULES, rules: { 'color-contrast': { enabled: areColoursJudged } } }
        return axeFindings(page, options)
      }

      /** At every width by how much the page is too wide, and where it is judged what axe finds. */
      async function expectNoFinding(page: Page): Promise<void> {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 })
          const excess = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          const findings = widths.includes(width) ? await findingsOn(page, OUTER_WIDTHS.includes(width)) : []
          expect([width, excess, findings]).toEqual([width, 0, []])
        }
      }

      test.each(strangers)('a stranger’s page has no finding: %s', async (_name, path) => {
        const { context, page } = await openPage(browser!, { colorScheme })
        await page.goto(site.url + path())
        await expectNoFinding(page)
        await context.close()
      })

      test.each(members)('an administrator’s page has no finding: %s', async (_name, path) => {
        const { context, page } = await openPage(browser!, { colorScheme })
        await context.addCookies([{ name: 'verbatim_session', value: session, url: site.url }])
        await page.goto(site.url + path())
        await expectNoFinding(page)
        await context.close()
      })

      test('pages that answer a form have no finding: new key, refused form, answer, checked answer, link', async () => {
        const { context, page } = await openPage(browser!, { colorScheme })
        await context.addCookies([{ name: 'verbatim_session', value: session, url: site.url }])
        await page.goto(`${site.url}/keys`)
        await page.getByLabel('Name').fill('A key')
        await page.getByRole('button', { name: 'Create key' }).click()
        await page.locator('#new-key').waitFor()
        await expectNoFinding(page)
        await page.goto(`${site.url}/account`)
        await page.getByLabel('Current password').fill('wrong')
        await page.getByLabel('New password').fill('long enough indeed')
        await page.getByRole('button', { name: 'Change password' }).click()
        await page.getByText('This is not your current password.').waitFor()
        await expectNoFinding(page)
        await page.goto(`${site.url}/playground?query=revoke`)
        await page.getByText('Options').click()
        await page.getByLabel('explain').check()
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByRole('heading', { name: 'Explain' }).waitFor()
        await expectNoFinding(page)
        await page.getByText('Compare', { exact: true }).click()
        await page.getByRole('button', { name: 'Compare the three depths' }).click()
        await page.getByRole('heading', { name: 'Compare depths' }).waitFor()
        await expectNoFinding(page)
        await page.goto(`${site.url}/check`)
        await page.getByLabel('Answer').fill(CHECKED_TEXT)
        await page.getByLabel('Sources').fill(CHECKED_SOURCES.join('\n'))
        await page.getByRole('button', { name: 'Check' }).click()
        await page.locator('.claims').waitFor()
        await expectNoFinding(page)
        await page.goto(`${site.url}/users`)
        await page.getByRole('button', { name: 'Make invitation link' }).click()
        await page.locator('#link').waitFor()
        await expectNoFinding(page)
        await context.close()
      })

      test('the interactive reference, which is drawn by Swagger UI, can be read and pressed', async () => {
        const { context, page } = await openPage(browser!, { colorScheme })
        await page.goto(`${site.url}/docs/reference`)
        await page.locator('.opblock').first().waitFor()
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 800 })
          const findings = await axeFindings(page, { runOnly: ['color-contrast', 'target-size'] })
          expect([width, findings]).toEqual([width, []])
        }
        await context.close()
      })

      test('every page of the documentation has no finding', async () => {
        const { context, page } = await openPage(browser!, { colorScheme })
        await page.goto(`${site.url}/docs`)
        const paths = await page
          .locator('.index a')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
        expect(paths.length).toBeGreaterThan(9)
        for (const path of paths) {
          await page.goto(site.url + path)
          expect([path, await findingsOn(page)]).toEqual([path, []])
        }
        await context.close()
      })
    })
  })
}
