// What the pictures of the dashboard show beside their web: people, keys, a site of the library and a month of usage, made
// up and the same at every run, in the store of a real service.
import type { Service } from '../../src/compose/service.ts'
import { createFrontier } from '../../src/library/crawl/frontier.ts'
import { createSiteSchedule } from '../../src/library/crawl/site-schedule.ts'

const PASSWORD = 'correct horse battery'
const DAY_MS = 86_400_000

export interface Sample {
  session: string
  /** Of somebody who has only just come and has nothing yet. */
  newcomerSession: string
  keyId: string
  userId: string
  invitation: string
  reset: string
  /** Of the library. */
  site: string
}

async function addPerson(service: Service, person: { email: string; name: string; isAdmin: boolean }) {
  const { invitations } = service.accounts
  const { token } = await invitations.create({ isAdmin: person.isAdmin, createdBy: null })
  const accepted = await invitations.accept(token, { ...person, password: PASSWORD })
  if (!accepted.ok) throw new Error(accepted.reason)
  return accepted.user
}

/** `site`: an address whose pages can be read. */
export async function fillStore(service: Service, site: string): Promise<Sample> {
  const { keys, invitations, passwords, sessions } = service.accounts
  const ada = await addPerson(service, { email: 'ada@example.org', name: 'Ada Lovelace', isAdmin: true })
  const grace = await addPerson(service, { email: 'grace@example.org', name: 'Grace Hopper', isAdmin: false })
  const alan = await addPerson(service, { email: 'alan@example.org', name: 'Alan Turing', isAdmin: false })
  const website = await keys.create({ name: 'Website', ownerId: ada.id })
  await keys.create({ name: LONG_NAME, ownerId: ada.id })
  const notebook = await keys.create({
    name: 'Research notebook',
    ownerId: grace.id,
    rateLimitPoints: 60,
    expiresAt: new Date(Date.now() + 90 * DAY_MS),
  })
  await invitations.create({ isAdmin: false, email: 'emmy@example.org', createdBy: ada.id })
  await fillLibrary(service, site)
  await fillUsage(service, [website.record.id, notebook.record.id])
  return {
    session: (await sessions.create(ada.id)).token,
    newcomerSession: (await sessions.create(alan.id)).token,
    keyId: website.record.id,
    userId: grace.id,
    invitation: (await invitations.create({ isAdmin: false, createdBy: ada.id })).token,
    reset: (await passwords.createReset(alan.id, null)).token,
    site,
  }
}

const LONG_NAME = 'Nightly evaluation of the customer support assistant, staging, Frankfurt'

/** A site that was read last night, of which two addresses gave no page. */
async function fillLibrary({ library }: Service, site: string): Promise<void> {
  const frontier = createFrontier(library)
  const schedule = createSiteSchedule(library)
  await frontier.openSite(site, { pageLimit: 500, depthLimit: 8, delayMs: 500 })
  const titles = ['Keys and who holds them', 'On call', 'Releases', 'Secrets', 'What to do when a key leaks']
  for (const [index, title] of titles.entries()) {
    // The first is the page that the site begins with, which nothing waits for either.
    const url = index === 0 ? site : `${site}${title.toLowerCase().replace(/\s/gu, '-')}`
    await frontier.settle(site, [url], 1, { state: 'read', reason: null })
    const text = `${title}. This page of the handbook says what there is to say about it.`
    await library.putPage({ url, title, text, language: 'en', publishedAt: null, updatedAt: null }, site)
  }
  const reason = 'The page does not exist any more.'
  await frontier.settle(site, [`${site}old-rota`, `${site}broken`], 1, { state: 'failed', reason })
  await frontier.settle(site, [`${site}drafts/`], 1, { state: 'skipped', reason: 'robots.txt forbids it' })
  await frontier.end(site, 'complete')
  await schedule.setRefresh(site, 168)
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
    engine: status === 200 ? 'searxng' : null,
    query: null,
  })
  if (status === 500) activity.countEngineFailure('opensearch', 'unreachable')
  if (status !== 200) return
  const failing = dice < 0.03 ? 'slow.example' : dice < 0.04 ? 'handbook.example' : null
  activity.countSearch({
    depth: dice < 0.8 ? 'balanced' : dice < 0.95 ? 'precise' : 'exhaustive',
    outcome: 'answered',
    elapsedMs: latencyMs,
    facts: {
      provider: 'searxng',
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
