// Takes a picture of every page of the dashboard, light and dark, into docs/images. The service, its store, its search
// and the browser are real; the people, keys and the month of usage are made up here. The README's picture of a proof is
// drawn from an answer of the same service.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { loadConfig, PACKAGE_ROOT } from '../src/config.ts'
import { installedBrowsers } from '../src/pages/browser/detection.ts'
import { openService, type Service } from '../src/compose/service.ts'
import { createFrontier } from '../src/library/crawl/frontier.ts'
import { createSiteSchedule } from '../src/library/crawl/site-schedule.ts'
import { createLogger } from '../src/telemetry/log.ts'
import { proofPicture } from './screenshots/proof-picture.ts'

const FOLDER = join(PACKAGE_ROOT, 'docs', 'images')
const VIEWPORT = { width: 1200, height: 760 }
const PASSWORD = 'correct horse battery'
const DAY_MS = 86_400_000

interface Sample {
  session: string
  keyId: string
  userId: string
  invitation: string
}

async function addPerson(service: Service, person: { email: string; name: string; isAdmin: boolean }) {
  const { invitations } = service.accounts
  const { token } = await invitations.create({ isAdmin: person.isAdmin, createdBy: null })
  const accepted = await invitations.accept(token, { ...person, password: PASSWORD })
  if (!accepted.ok) throw new Error(accepted.reason)
  return accepted.user
}

async function fillStore(service: Service): Promise<Sample> {
  const { keys, invitations, sessions } = service.accounts
  const ada = await addPerson(service, { email: 'ada@example.org', name: 'Ada Lovelace', isAdmin: true })
  const grace = await addPerson(service, { email: 'grace@example.org', name: 'Grace Hopper', isAdmin: false })
  const website = await keys.create({ name: 'Website', ownerId: ada.id })
  const notebook = await keys.create({
    name: 'Research notebook',
    ownerId: grace.id,
    rateLimitPoints: 60,
    expiresAt: new Date(Date.now() + 90 * DAY_MS),
  })
  await invitations.create({ isAdmin: false, email: 'alan@example.org', createdBy: ada.id })
  await fillLibrary(service)
  await fillUsage(service, [website.record.id, notebook.record.id])
  return {
    session: (await sessions.create(ada.id)).token,
    keyId: website.record.id,
    userId: grace.id,
    invitation: (await invitations.create({ isAdmin: false, createdBy: ada.id })).token,
  }
}

const SITE = 'https://handbook.example/'

/** A site that was read last night, of which two addresses gave no page. */
async function fillLibrary({ library }: Service): Promise<void> {
  const frontier = createFrontier(library)
  const schedule = createSiteSchedule(library)
  await frontier.openSite(SITE, { pageLimit: 500, depthLimit: 8, delayMs: 500 })
  const titles = ['Keys and who holds them', 'On call', 'Releases', 'Secrets', 'What to do when a key leaks']
  for (const title of titles) {
    const url = `${SITE}${title.toLowerCase().replace(/\s/gu, '-')}`
    await frontier.settle(SITE, [url], 1, { state: 'read', reason: null })
    const text = `${title}. This page of the handbook says what there is to say about it.`
    await library.putPage({ url, title, text, language: 'en', publishedAt: null, updatedAt: null }, SITE)
  }
  const reason = 'The page does not exist any more.'
  await frontier.settle(SITE, [`${SITE}old-rota`, SITE], 1, { state: 'failed', reason })
  await frontier.settle(SITE, [`${SITE}drafts/`], 1, { state: 'skipped', reason: 'robots.txt forbids it' })
  await frontier.end(SITE, 'complete')
  await schedule.setRefresh(SITE, 168)
}

/** A month of made-up requests, the same at every run. The clock is turned back, because usage is counted as it happens. */
async function fillUsage(service: Service, keyIds: readonly string[]): Promise<void> {
  const { usage, activity } = service.accounts
  const now = Date.now
  let seed = 20_261_121
  const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  for (let daysAgo = 29; daysAgo >= 0; daysAgo -= 1) {
    Date.now = () => now() - daysAgo * DAY_MS
    const count = Math.round(40 + 70 * random() + 5 * (29 - daysAgo))
    for (let request = 0; request < count; request += 1) {
      const dice = random()
      const status = dice < 0.95 ? 200 : dice < 0.965 ? 422 : dice < 0.99 ? 429 : 500
      const latencyMs = 250 + 700 * random() ** 3 + 1_500 * random() ** 12
      const keyId = keyIds[random() < 0.7 ? 0 : 1] ?? ''
      const snippets = status === 200 ? Math.ceil(14 * random()) : 0
      usage.count(keyId, { status, latencyMs, snippets })
      countActivity(service, { status, latencyMs, keyId, snippets, dice: random() })
    }
  }
  Date.now = now
  await Promise.all([usage.flush(), activity.flush()])
}

interface MadeUpRequest {
  status: number
  latencyMs: number
  keyId: string
  snippets: number
  /** 0..1, what else is random. */
  dice: number
}

const CODES: Readonly<Record<number, string>> = {
  422: 'invalid_request',
  429: 'rate_limited',
  500: 'search_unavailable',
}

function countActivity(
  { accounts }: Service,
  { status, latencyMs, keyId, snippets, dice }: MadeUpRequest,
): void {
  const { activity } = accounts
  activity.countRequest({
    occurredAt: new Date(Date.now() - Math.floor(dice * DAY_MS)),
    requestId: `req_${Math.floor(dice * 2 ** 48).toString(16)}`,
    method: 'POST',
    route: '/v1/search',
    status,
    code: CODES[status] ?? null,
    elapsedMs: latencyMs,
    snippets,
    keyId,
    depth: 'balanced',
    engine: status === 200 ? 'library' : null,
    query: null,
  })
  if (status === 500) activity.countEngineFailure('library', 'timeout')
  if (status !== 200) return
  const failing = dice < 0.03 ? 'slow.example' : dice < 0.04 ? 'handbook.example' : null
  activity.countSearch({
    depth: dice < 0.8 ? 'balanced' : dice < 0.95 ? 'precise' : 'exhaustive',
    outcome: 'answered',
    elapsedMs: latencyMs,
    facts: {
      provider: 'library',
      model: 'verbatim-minilm',
      stages: { provider: 30, pages: latencyMs / 2, score: latencyMs / 4 },
      pages: [
        {
          host: 'docs.example',
          outcome: 'read',
          isOurFault: false,
          readBy: dice < 0.4 ? 'cache' : 'static',
          elapsedMs: 80,
        },
        ...(failing === null
          ? []
          : [
              {
                host: failing,
                outcome: dice < 0.02 ? 'timeout' : 'gone',
                isOurFault: false,
                readBy: null,
                elapsedMs: 900,
              },
            ]),
      ],
      dropped: {},
    },
  })
}

/** Every page by name, as steps from wherever the browser is. */
function pagesOf(url: string, sample: Sample): [name: string, open: (page: Page) => Promise<unknown>][] {
  const at = (path: string) => (page: Page) => page.goto(url + path)
  return [
    ['status', at('/')],
    ['documentation', at('/docs')],
    ['documentation-page', at('/docs/api')],
    ['documentation-search', at('/docs/search?q=How%20do%20I%20revoke%20an%20API%20key%3F')],
    ['invitation', at(`/invitations/${sample.invitation}`)],
    ['keys', at('/keys')],
    ['key-deletion', at(`/keys/${sample.keyId}/delete`)],
    ['usage', at('/usage')],
    ['requests', at('/requests')],
    ['library', at('/library')],
    ['library-site', at(`/library/site?url=${encodeURIComponent(SITE)}`)],
    ['people', at('/users')],
    ['settings', at('/settings')],
    ['audit', at('/audit')],
    ['account-closing', at(`/users/${sample.userId}/remove`)],
    ['account', at('/account')],
    [
      'playground',
      async (page) => {
        await page.goto(`${url}/playground?query=${encodeURIComponent('How do I revoke an API key?')}`)
        await page.getByRole('button', { name: 'Search' }).click()
        await page
          .locator('#results')
          .getByText(/\d+ snippets? in/u)
          .waitFor()
        await page.evaluate(() => scrollTo(0, 0))
      },
    ],
    [
      'compare',
      async (page) => {
        await page.goto(`${url}/playground?query=${encodeURIComponent('How do I revoke an API key?')}`)
        await page.getByText('Compare', { exact: true }).click()
        await page.getByRole('button', { name: 'Compare the three depths' }).click()
        await page.getByRole('heading', { name: 'exhaustive' }).waitFor()
      },
    ],
    [
      'new-key',
      async (page) => {
        await page.goto(`${url}/keys`)
        await page.getByLabel('Name').fill('Screenshot')
        await page.getByRole('button', { name: 'Create key' }).click()
        await page.locator('#new-key').waitFor()
      },
    ],
    [
      'sign-in',
      async (page) => {
        await page.context().clearCookies()
        await page.goto(`${url}/sign-in`)
      },
    ],
  ]
}

async function takeScreenshots(service: Service, executablePath: string): Promise<number> {
  const sample = await fillStore(service)
  const browser = await chromium.launch({ executablePath })
  let count = 0
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, viewport: VIEWPORT, reducedMotion: 'reduce' })
    await context.addCookies([{ name: 'verbatim_session', value: sample.session, url: service.url }])
    const page = await context.newPage()
    for (const [name, open] of pagesOf(service.url, sample)) {
      await open(page)
      await page.evaluate(() => document.fonts.ready.then(() => undefined))
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`) })
      count += 1
    }
    await context.close()
  }
  await browser.close()
  return count
}

const QUESTION = 'How do I revoke an API key?'

interface Found {
  url: string
  content_sha256: string
  snippets: { text: string; relevance_score: number; start: number; end: number }[]
}

/** The best passage of an answer, and the text that its page has. Throws when their digests differ. */
async function drawProof({ accounts, url }: Service): Promise<void> {
  const { key } = await accounts.keys.create({ name: 'Picture', ownerId: null })
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const asked = { query: QUESTION, search_depth: 'exhaustive', include: ['proof'] }
  const { results } = (await post('/v1/search', asked)) as { results: Found[] }
  const [best] = results
  const [snippet] = best?.snippets ?? []
  if (best === undefined || snippet === undefined) throw new Error('the question has no answer')
  const pages = (await post('/v1/read', { url: best.url, format: 'text' })) as {
    results: { content: string }[]
  }
  const pageText = pages.results[0]?.content ?? ''
  const digest = createHash('sha256').update(pageText).digest('hex')
  if (digest !== best.content_sha256) throw new Error('the page is another than the one that was quoted')
  const { text, relevance_score: relevanceScore, start, end } = snippet
  const picture = { question: QUESTION, url: new URL(best.url).pathname, snippet: text, relevanceScore }
  const proof = { ...picture, pageText, contentSha256: digest, start, end }
  await writeFile(join(FOLDER, 'proof.svg'), proofPicture(proof))
}

const [executablePath] = await installedBrowsers()
if (executablePath === undefined) throw new Error('No Chromium on this machine: "npm start" sets one up.')
const dataDir = await mkdtemp(join(tmpdir(), 'verbatim-screenshots-'))
const config = loadConfig({ PORT: '0', DATA_DIR: dataDir, SEARCH_PROVIDERS: 'library', BROWSER: 'off' })
const service = await openService(config, { log: createLogger('error') })
try {
  await mkdir(FOLDER, { recursive: true })
  await drawProof(service)
  console.log(
    `docs/images/proof.svg and ${await takeScreenshots(service, executablePath)} screenshots in docs/images`,
  )
} finally {
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
}
