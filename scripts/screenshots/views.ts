// Every page of the dashboard and every state that people meet it in, as steps from wherever the browser is.
import type { Page, Route } from 'playwright'
import type { PictureWeb } from './picture-web.ts'
import type { Sample } from './sample-store.ts'

export interface View {
  name: string
  /** Who looks: an administrator, somebody without anything yet, or nobody who is known. */
  by: 'administrator' | 'newcomer' | 'stranger'
  open: (page: Page, url: string) => Promise<unknown>
}

/** What the pages of picture-web.ts answer. */
export const QUESTION = 'Down to what temperature does a heat pump work?'
/** What our own documentation answers. */
export const OF_DOCUMENTATION = 'How do I revoke an API key?'
const UNANSWERED = 'Who composed the opera Carmen?'
/** Three searches, one after the other. */
const COMPARE_MS = 60_000
const CLAIMED = `> nearly every air-source unit stops at −25 °C to protect its compressor

A post says that it “starts again by itself at −13 °C” [1], and that “a technician has to reset it”.`

const at =
  (path: string): View['open'] =>
  (page, url) =>
    page.goto(url + path)

/** The playground with a question that was asked, and what becomes of it. */
const asking =
  (
    query: string,
    then: (page: Page) => Promise<unknown>,
    options: Readonly<Record<string, string>> = {},
  ): View['open'] =>
  async (page, url) => {
    await page.goto(`${url}/playground#${new URLSearchParams({ query, ...options }).toString()}`)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await then(page)
  }

const answered = (page: Page): Promise<void> =>
  page
    .locator('#results')
    .getByText(/\d+ snippets?/u)
    .first()
    .waitFor()

/** Everything that a result opens: what stands around it, its verdict, and how the answer was made. */
async function explain(page: Page): Promise<void> {
  await answered(page)
  await page.getByRole('link', { name: 'Show context' }).first().click()
  await page.getByRole('button', { name: 'Verify' }).first().click()
  await page.locator('.verdict').first().waitFor()
  await page.getByText('Where the time went').click()
}

/** A stream that ends after its first results, as when a connection breaks. */
const broken: View['open'] = async (page, url) => {
  const cut = async (route: Route): Promise<void> => {
    const response = await route.fetch()
    const pieces = (await response.text()).split('\n').filter((line) => !line.startsWith('{"kind":"page"'))
    await route.fulfill({ response, body: pieces.slice(0, -2).join('\n') })
  }
  await page.route('**/playground/stream', cut)
  await asking(QUESTION, (asked) => asked.getByText('The connection broke').waitFor())(page, url)
  await page.unroute('**/playground/stream')
}

/** A stream that says nothing yet. */
const waiting: View['open'] = async (page, url) => {
  await page.route('**/playground/stream', () => undefined)
  await asking(QUESTION, (asked) => asked.locator('.progress').waitFor())(page, url)
  await page.unroute('**/playground/stream')
}

const stopped: View['open'] = async (page, url) => {
  await page.route('**/playground/stream', () => undefined)
  await asking(QUESTION, (asked) => asked.getByRole('button', { name: 'Stop' }).click())(page, url)
  await page.getByText('The search was stopped').waitFor()
  await page.unroute('**/playground/stream')
}

/** No engine answers. */
const failing =
  (web: PictureWeb): View['open'] =>
  async (page, url) => {
    web.breakEngine(true)
    await asking(UNANSWERED, (asked) => asked.getByRole('alert').waitFor())(page, url)
    web.breakEngine(false)
  }

/** A form whose token belongs to another session. */
const withOldForm: View['open'] = async (page, url) => {
  await page.goto(`${url}/keys`)
  await page.getByLabel('Name').fill('A key')
  await page.evaluate(() => {
    for (const field of document.querySelectorAll<HTMLInputElement>('input[name=form_token]'))
      field.value = ''
  })
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('This form has expired').waitFor()
}

const file = (name: string, mimeType: string, text: string) => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
})
const TRAVEL_POLICY = file(
  'travel-policy.md',
  'text/markdown',
  '# Travel policy\n\nBy train, and as the handbook says in second class.',
)
const CUT_OFF = file('report.pdf', 'application/pdf', '%PDF-1.7 cut off')

async function upload(page: Page, url: string, files: readonly (typeof CUT_OFF)[]): Promise<void> {
  await page.goto(`${url}/library`)
  await page.getByLabel('Upload documents').setInputFiles([...files])
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}

const refusedUpload: View['open'] = async (page, url) => {
  await upload(page, url, [TRAVEL_POLICY, CUT_OFF])
  await page.getByText('is not kept').waitFor()
}

/** A page of the library that has a document, whichever views were opened before. */
const withDocument =
  (path: string): View['open'] =>
  async (page, url) => {
    await upload(page, url, [TRAVEL_POLICY])
    await page.getByText(TRAVEL_POLICY.name).first().waitFor()
    await page.goto(url + path)
  }

const sentWrongly =
  (path: string, fields: Readonly<Record<string, string>>, button: string): View['open'] =>
  async (page, url) => {
    await page.goto(url + path)
    for (const [label, value] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.locator('.wrong, .notice-bad').first().waitFor()
  }

const withOldSession: View['open'] = async (page, url) => {
  await page.context().addCookies([{ name: 'verbatim_session', value: `vbs_${'a'.repeat(43)}`, url }])
  await page.goto(`${url}/keys`)
  await page.context().clearCookies()
}

const makingKey =
  (place: 'header' | 'path', shown: string): View['open'] =>
  async (page, url) => {
    await page.goto(`${url}/keys`)
    await page.getByLabel('Name').fill('Screenshot')
    await page.getByLabel('Sent in').selectOption(place)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.locator(shown).waitFor()
  }

const comparing =
  (button: string, heading: string): View['open'] =>
  async (page, url) => {
    await page.goto(`${url}/playground#${new URLSearchParams({ query: QUESTION }).toString()}`)
    await page.getByText('Compare', { exact: true }).click()
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: heading }).waitFor({ timeout: COMPARE_MS })
  }

type NamedView = readonly [name: string, open: View['open']]

const ofAdministrator = (sample: Sample, web: PictureWeb): NamedView[] => [
  ['overview', at('/')],
  ['documentation-reference', at('/docs/reference')],
  ['keys', at('/keys')],
  ['key-renaming', at(`/keys/${sample.keyId}/rename`)],
  ['key-rotation', at(`/keys/${sample.keyId}/rotate`)],
  ['key-deletion', at(`/keys/${sample.keyId}/delete`)],
  ['new-key', makingKey('header', '#new-key')],
  ['new-path-token', makingKey('path', '#mcp-address')],
  ['usage', at('/usage')],
  ['requests', at('/requests')],
  ['requests-none', at('/requests?id=none')],
  ['library', at('/library')],
  ['library-upload-refused', refusedUpload],
  ['library-found', withDocument('/library?q=handbook')],
  ['library-document-removal', withDocument(`/library/documents/remove?name=${TRAVEL_POLICY.name}`)],
  ['library-nothing-found', at(`/library/site?url=${encodeURIComponent(sample.site)}&q=zeppelin`)],
  ['library-site', at(`/library/site?url=${encodeURIComponent(sample.site)}`)],
  ['library-removal', at(`/library/site/remove?url=${encodeURIComponent(sample.site)}`)],
  ['library-page', at(`/library/page?url=${encodeURIComponent(`${sample.site}on-call`)}`)],
  ['people', at('/users')],
  ['account-closing', at(`/users/${sample.userId}/remove`)],
  ['settings', at('/settings')],
  ['audit', at('/audit')],
  ['account', at('/account')],
  ['playground', asking(QUESTION, answered)],
  ['playground-explained', asking(QUESTION, explain)],
  ['playground-searching', waiting],
  ['playground-stopped', stopped],
  ['playground-broken', broken],
  ['playground-failed', failing(web)],
  ['passage-gone', at(`/playground/passage?sha256=${'0'.repeat(64)}&start=0&end=9`)],
  // At the depth that returns nothing of which it is not sure.
  ['playground-unanswered', asking(UNANSWERED, answered, { search_depth: 'precise' })],
  ['playground-refused', asking(' ', (page) => page.getByText('must not be empty').first().waitFor())],
  ['compare', comparing('Compare the three depths', 'exhaustive')],
  ['compare-engines', comparing('Compare the two engines', 'Compare engines')],
  ['check', at('/check')],
  [
    'check-checked',
    async (page, url) => {
      await page.goto(`${url}/check`)
      await page.getByLabel('Answer').fill(CLAIMED)
      await page.getByLabel('Sources').fill(web.forum)
      await page.getByRole('button', { name: 'Check' }).click()
      await page.locator('.claims').waitFor()
    },
  ],
  ['check-refused', sentWrongly('/check', { Answer: CLAIMED, Sources: 'not an address' }, 'Check')],
  [
    'key-refused',
    sentWrongly('/keys', { Name: 'Website', 'Expires (optional)': '2020-01-01' }, 'Create key'),
  ],
  ['form-expired', withOldForm],
  [
    'library-reading',
    async (page, url) => {
      await page.goto(`${url}/library/site?url=${encodeURIComponent(sample.site)}`)
      await page.getByRole('button', { name: 'Read again now' }).click()
      await page.locator('#progress[data-live]').waitFor()
    },
  ],
]

const ofNewcomer: readonly NamedView[] = [
  ['newcomer-overview', at('/')],
  ['newcomer-keys', at('/keys')],
  ['newcomer-usage', at('/usage')],
  ['newcomer-requests', at('/requests')],
  ['newcomer-library', at('/library')],
  ['newcomer-playground', at('/playground')],
]

const WRONG_ACCOUNT = {
  'Your name': 'Ada Lovelace',
  'E-mail address': 'ada@example.org',
  Password: 'correct horse battery',
}
const WRONG_SIGN_IN = { 'E-mail address': 'ada@example.org', Password: 'wrong horse battery' }

const ofStranger = (sample: Sample): NamedView[] => [
  ['start', at('/')],
  ['documentation', at('/docs')],
  ['documentation-page', at('/docs/streaming')],
  ['documentation-search', at(`/docs/search?q=${encodeURIComponent(OF_DOCUMENTATION)}`)],
  ['documentation-unanswered', at(`/docs/search?q=${encodeURIComponent(UNANSWERED)}`)],
  ['invitation', at(`/invitations/${sample.invitation}`)],
  ['invitation-expired', at('/invitations/vbi_used')],
  ['invitation-refused', sentWrongly(`/invitations/${sample.invitation}`, WRONG_ACCOUNT, 'Create account')],
  ['reset', at(`/resets/${sample.reset}`)],
  ['reset-expired', at('/resets/vbp_used')],
  ['sign-in', at('/sign-in')],
  ['sign-in-refused', sentWrongly('/sign-in', WRONG_SIGN_IN, 'Sign in')],
  ['session-ended', withOldSession],
  ['nothing-there', at('/nothing')],
]

export function viewsOf(sample: Sample, web: PictureWeb): View[] {
  const lists = [
    ['administrator', ofAdministrator(sample, web)],
    ['newcomer', ofNewcomer],
    ['stranger', ofStranger(sample)],
  ] as const
  return lists.flatMap(([by, views]) => views.map(([name, open]) => ({ name, by, open })))
}
