import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDashboardSite, OVERVIEW, type DashboardSite } from '../dashboard-site.ts'
import { REQUEST, SEARCH } from '../remembered.ts'
import type { ServiceOverview } from '../../../src/telemetry/service-overview.ts'
import { formatMoment } from '../../../src/dashboard/frame/formats.ts'
import { createVisitorClient } from '../visitor-client.ts'

let site: DashboardSite
let described = 0
/** When brave was counted as failing. */
let failedAt = new Date(0)
const probed: string[] = []
const STATUS = {
  version: '7.6.5',
  startedAt: new Date(),
  parts: [
    {
      kind: 'browser' as const,
      name: 'Chromium',
      state: 'ready' as const,
      detail: 'Chromium 140.0 at /opt/chrome, sandboxed.',
      remedy: null,
    },
  ],
}
const LIBRARY_ALONE = {
  kind: 'search engine' as const,
  name: 'library',
  state: 'ready' as const,
  detail: 'The embedded engine knows 34 pages.',
  remedy: 'To search the web, set SEARXNG_URL.',
}
/** Set up, and not asked since this replica started. */
const UNTRIED: ServiceOverview['engines'][number] = {
  name: 'brave',
  condition: 'untried',
  failingSince: null,
  lastAnswerAt: null,
  lastFailure: null,
  medianMs: null,
}
beforeAll(async () => {
  site = await openDashboardSite({
    describeService: () => {
      described += 1
      return STATUS
    },
    describeOverview: () => {
      described += 1
      return { ...OVERVIEW, engines: [...OVERVIEW.engines, UNTRIED] }
    },
    probeEngine: async (name) => {
      probed.push(name)
    },
  })
  const ada = await site.addPerson({ email: 'ada@example.org' })
  await site.addPerson({ email: 'admin@example.org', isAdmin: true })
  const { record } = await site.accounts.keys.create({ name: 'Ada’s key', ownerId: ada.id })
  const { activity } = site.accounts
  for (let index = 0; index < 30; index += 1) {
    const status = index < 3 ? 500 : 200
    activity.countRequest({
      ...REQUEST,
      status,
      code: status === 500 ? 'search_unavailable' : null,
      requestId: `req_${index}`,
      keyId: index === 29 ? record.id : null,
    })
    activity.countSearch(SEARCH)
  }
  failedAt = new Date()
  activity.countEngineFailure('brave', 'timeout')
  await activity.flush()
})
afterAll(() => site.close())

/** The page's text, a space for every tag. */
const textOf = (html: string): string => html.replace(/<[^>]*>/gu, ' ').replace(/\s+/gu, ' ')

describe('the start page', () => {
  test('tells strangers that the service is up, nothing of versions, engines and folders, and asks nothing on their behalf', async () => {
    const stranger = createVisitorClient(site.url)
    const answer = await stranger.get('/')
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(html).toContain('This service is up.')
    for (const secret of ['7.6.5', '140.0', '/opt/chrome', 'searxng', 'slow.example', 'req_'])
      expect(html).not.toContain(secret)
    expect(described).toBe(0)
  })

  test('tells whoever is signed in the figures of a day and a month, as they were counted', async () => {
    const ada = await site.signIn('ada@example.org')
    const text = textOf(await ada.text('/'))
    for (const fact of ['7.6.5', '140.0']) expect(text).toContain(fact)
    expect(text).toContain('Searches 30 30 Answered 30 30')
    expect(text).toContain('Requests 30 30')
    expect(text).toContain('Failed (5xx) 3 (10 %) 3 (10 %)')
    expect(text).toContain('From the cache 30 (50 %) 30 (50 %)')
    expect(text).toContain('slow.example too slow (30) 30 30')
  })

  test('names the engine that fails, since when, why, and that its breaker is open', async () => {
    const ada = await site.signIn('ada@example.org')
    const text = textOf(await ada.text('/'))
    expect(text).toMatch(
      /searxng Left alone since \d+ \w+ \d{4}, \d\d:\d\d UTC , \d+ min ago breaker open[^.]*It did not answer in time \d+ min ago/u,
    )
  })

  test('says above all figures since when an engine fails, why and what to do, and lets administrators test it there', async () => {
    const [ada, admin] = [await site.signIn('ada@example.org'), await site.signIn('admin@example.org')]
    const needed =
      /Needs attention search engine searxng : Failing since \d+ \w+ \d{4}, \d\d:\d\d UTC , \d+ min ago\. Last failure: it did not answer in time\. See that it runs\. More of what to do (Test now : searxng)?.*Search engines .* Figures/u
    expect(needed.exec(textOf(await ada.text('/')))?.slice(1)).toEqual([undefined])
    expect(needed.exec(textOf(await admin.text('/')))?.slice(1)).toEqual(['Test now : searxng'])
  })

  test('asks for no attention where nothing is wrong, and tells beside the engines what could be added', async () => {
    const healthy = await openDashboardSite({
      describeService: () => ({ ...STATUS, parts: [...STATUS.parts, LIBRARY_ALONE] }),
      describeOverview: () => ({ ...OVERVIEW, engines: [{ ...UNTRIED, name: 'library' }] }),
    })
    try {
      await healthy.addPerson({ email: 'operator@example.org', isAdmin: true })
      const text = textOf(await (await healthy.signIn('operator@example.org')).text('/'))
      expect(text).not.toContain('Needs attention')
      expect(text).toContain('To search the web, set SEARXNG_URL.')
    } finally {
      await healthy.close()
    }
  })

  test('names an engine that failed before a restart and was not asked since, since which hour, why and what to do', async () => {
    const ada = await site.signIn('ada@example.org')
    const text = textOf(await ada.text('/'))
    const hour = formatMoment(failedAt).replace(/:\d\d UTC/u, ':00 UTC')
    expect(text).toContain(
      `search engine brave : It failed when it was last asked, before this replica started; no answer was counted since ${hour} ,`,
    )
    expect(text).toMatch(
      /search engine brave [^.]*\. Last failure: it did not answer in time\. See that it runs\./u,
    )
    expect(text).toContain(
      `brave Not asked yet no answer counted since ${hour} It did not answer in time before this replica started`,
    )
  })

  test('says above all figures since when no answer was counted, which may be days before this replica was started and is then known by the day', async () => {
    const startedAt = new Date(Date.now() - 120_000)
    const lastFailure = { at: startedAt, words: 'did not answer in time', advice: 'See that it runs.' }
    const failing = { ...UNTRIED, condition: 'failing' as const, failingSince: startedAt, lastFailure }
    const restarted = await openDashboardSite({
      describeOverview: () => ({ ...OVERVIEW, engines: [failing] }),
    })
    try {
      await restarted.addPerson({ email: 'operator@example.org', isAdmin: true })
      const { activity } = restarted.accounts
      vi.useFakeTimers({ toFake: ['Date'] })
      for (const daysAgo of [5, 0]) {
        vi.setSystemTime(startedAt.getTime() - daysAgo * 86_400_000)
        activity.countEngineFailure('brave', 'timeout')
        await activity.flush()
      }
      vi.useRealTimers()
      const text = textOf(await (await restarted.signIn('operator@example.org')).text('/'))
      expect(text).toMatch(
        /search engine brave : No answer was counted since \d+ \w+ \d{4} , 5 days ago\. Last failure: it did not answer in time\. See that it runs\./u,
      )
      expect(text).toMatch(/brave Failing since .* no answer counted since \d+ \w+ \d{4} It did not/u)
    } finally {
      vi.useRealTimers()
      await restarted.close()
    }
  })

  test('shows people the requests of their own keys, and administrators those of all', async () => {
    const shown = async (email: string) =>
      new Set((await (await site.signIn(email)).text('/')).match(/req_\d+/gu))
    expect(await shown('ada@example.org')).toEqual(new Set(['req_29']))
    expect((await shown('admin@example.org')).size).toBe(10)
  })

  test('lets administrators ask one engine now, says what that costs, and lets nobody else', async () => {
    const [ada, admin] = [await site.signIn('ada@example.org'), await site.signIn('admin@example.org')]
    expect(await ada.text('/')).not.toContain('Test now')
    expect((await ada.post('/', '/engines/searxng/test')).status).toBe(404)
    expect(probed).toEqual([])
    expect(await admin.text('/')).toContain('which a paid engine charges as a search')
    const answer = await admin.post('/', '/engines/searxng/test')
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/?done=engine-failed#content'])
    expect(await admin.text('/?done=engine-failed')).toContain('did not answer as it should')
    const good = await admin.post('/', '/engines/library/test')
    expect(good.headers.get('Location')).toBe('/?done=engine-answered#content')
    expect((await admin.post('/', '/engines/unknown/test')).status).toBe(404)
    expect((await admin.postRaw('/engines/searxng/test', { form_token: 'forged' })).status).toBe(403)
    expect(probed).toEqual(['searxng', 'library'])
  })
})

describe('the list of requests', () => {
  test('is for people who are signed in, and finds one by its id', async () => {
    const stranger = createVisitorClient(site.url)
    expect((await stranger.get('/requests')).headers.get('Location')).toBe('/sign-in?next=%2Frequests')
    const admin = await site.signIn('admin@example.org')
    const found = await admin.text('/requests?id=req_7')
    expect(new Set(found.match(/req_\d+/gu))).toEqual(new Set(['req_7']))
    const failed = await admin.text('/requests?outcome=failed')
    expect(new Set(failed.match(/req_\d+/gu))).toEqual(new Set(['req_0', 'req_1', 'req_2']))
    const [, path = '', id = ''] = /href="(\/docs\/errors)#(\w+)"/u.exec(failed) ?? []
    expect(await admin.text(path), 'the code leads to what it means').toContain(`id="${id}"`)
  })

  test('never tells people of requests of other people’s keys, whatever they ask for', async () => {
    const ada = await site.signIn('ada@example.org')
    for (const query of ['', '?id=req_7', '?outcome=failed', '?before=9999999999999.zzz'])
      expect((await ada.text(`/requests${query}`)).match(/>req_\d+</gu) ?? []).toEqual(
        query === '' || query.startsWith('?before') ? ['>req_29<'] : [],
      )
  })

  test('tells who has made none from who looks for what is not there', async () => {
    await site.addPerson({ email: 'new@example.org' })
    const visitor = await site.signIn('new@example.org')
    expect(await visitor.text('/requests')).toContain('No requests yet')
    expect(await visitor.text('/requests?id=none')).toContain('No such requests')
  })

  test('answers nonsense in its address with a page', async () => {
    const admin = await site.signIn('admin@example.org')
    for (const query of ['?before=x', '?outcome=odd', '?key=none', '?id=a&id=b'])
      expect((await admin.get(`/requests${query}`)).status).toBe(200)
  })
})
