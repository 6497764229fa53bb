// Every page of the dashboard and every state that people meet it in, as steps from wherever the browser is.
import type { Page } from 'playwright'
import { SITE, type Sample } from './sample-store.ts'

export interface View {
  name: string
  /** Who looks: an administrator, somebody without anything yet, or nobody who is known. */
  by: 'administrator' | 'newcomer' | 'stranger'
  open: (page: Page, url: string) => Promise<unknown>
}

const QUESTION = 'How do I revoke an API key?'
const UNANSWERED = 'How many people live in Liechtenstein?'
const CLAIMED = `> A revoked key stops working within a second on every replica

> A revoked key stops working within an hour on every replica

> A key that was revoked can be had back for a fee`

const at =
  (path: string): View['open'] =>
  (page, url) =>
    page.goto(url + path)

/** The playground with a question that was asked, and what becomes of it. */
const asking =
  (query: string, then: (page: Page) => Promise<unknown>): View['open'] =>
  async (page, url) => {
    await page.goto(`${url}/playground#${new URLSearchParams({ query }).toString()}`)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await then(page)
  }

const answered = (page: Page): Promise<void> =>
  page
    .locator('#results')
    .getByText(/\d+ snippets?/u)
    .first()
    .waitFor()

async function explain(page: Page): Promise<void> {
  await answered(page)
  await page.getByRole('link', { name: 'Show context' }).first().click()
  await page.getByRole('button', { name: 'Verify' }).first().click()
  await page.locator('.verdict').first().waitFor()
  await page.getByText('Where the time went').click()
}

const withOldSession: View['open'] = async (page, url) => {
  await page.context().addCookies([{ name: 'verbatim_session', value: `vbs_${'a'.repeat(43)}`, url }])
  await page.goto(`${url}/keys`)
  await page.context().clearCookies()
}

const ofAdministrator = (sample: Sample): [name: string, open: View['open']][] => [
  ['overview', at('/')],
  ['documentation-reference', at('/docs/reference')],
  ['keys', at('/keys')],
  ['key-renaming', at(`/keys/${sample.keyId}/rename`)],
  ['key-rotation', at(`/keys/${sample.keyId}/rotate`)],
  ['key-deletion', at(`/keys/${sample.keyId}/delete`)],
  [
    'new-key',
    async (page, url) => {
      await page.goto(`${url}/keys`)
      await page.getByLabel('Name').fill('Screenshot')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.locator('#new-key').waitFor()
    },
  ],
  ['usage', at('/usage')],
  ['requests', at('/requests')],
  ['requests-none', at('/requests?id=none')],
  ['library', at('/library')],
  ['library-site', at(`/library/site?url=${encodeURIComponent(SITE)}`)],
  ['library-removal', at(`/library/site/remove?url=${encodeURIComponent(SITE)}`)],
  ['library-page', at(`/library/page?url=${encodeURIComponent(`${SITE}on-call`)}`)],
  ['people', at('/users')],
  ['account-closing', at(`/users/${sample.userId}/remove`)],
  ['settings', at('/settings')],
  ['audit', at('/audit')],
  ['account', at('/account')],
  ['playground', asking(QUESTION, answered)],
  ['playground-explained', asking(QUESTION, explain)],
  ['playground-searching', asking(QUESTION, (page) => page.locator('.progress').waitFor())],
  ['playground-unanswered', asking(UNANSWERED, answered)],
  ['playground-refused', asking(' ', (page) => page.getByText('must not be empty').first().waitFor())],
  [
    'compare',
    async (page, url) => {
      await page.goto(`${url}/playground#${new URLSearchParams({ query: QUESTION }).toString()}`)
      await page.getByText('Compare', { exact: true }).click()
      await page.getByRole('button', { name: 'Compare the three depths' }).click()
      await page.getByRole('heading', { name: 'exhaustive' }).waitFor()
    },
  ],
  ['check', at('/check')],
  [
    'check-checked',
    async (page, url) => {
      await page.goto(`${url}/check`)
      await page.getByLabel('Answer').fill(CLAIMED)
      await page.getByLabel('Sources').fill(`${url}/docs/api-keys`)
      await page.getByRole('button', { name: 'Check' }).click()
      await page.locator('.claims').waitFor()
    },
  ],
]

const ofNewcomer: [name: string, open: View['open']][] = [
  ['newcomer-overview', at('/')],
  ['newcomer-keys', at('/keys')],
  ['newcomer-usage', at('/usage')],
  ['newcomer-requests', at('/requests')],
  ['newcomer-library', at('/library')],
  ['newcomer-playground', at('/playground')],
]

const ofStranger = (sample: Sample): [name: string, open: View['open']][] => [
  ['start', at('/')],
  ['documentation', at('/docs')],
  ['documentation-page', at('/docs/streaming')],
  ['documentation-search', at(`/docs/search?q=${encodeURIComponent(QUESTION)}`)],
  ['documentation-unanswered', at(`/docs/search?q=${encodeURIComponent(UNANSWERED)}`)],
  ['invitation', at(`/invitations/${sample.invitation}`)],
  ['invitation-expired', at('/invitations/vbi_used')],
  ['sign-in', at('/sign-in')],
  ['session-ended', withOldSession],
  ['nothing-there', at('/nothing')],
]

export function viewsOf(sample: Sample): View[] {
  const lists = [
    ['administrator', ofAdministrator(sample)],
    ['newcomer', ofNewcomer],
    ['stranger', ofStranger(sample)],
  ] as const
  return lists.flatMap(([by, views]) => views.map(([name, open]) => ({ name, by, open })))
}
