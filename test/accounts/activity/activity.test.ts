import { afterEach, beforeEach, expect, it } from 'vitest'
import { openActivity, type Activity } from '../../../src/accounts/activity/activity.ts'
import { readRequests, type LoggedRequest } from '../../../src/accounts/activity/request-log.ts'
import { openKeys } from '../../../src/accounts/keys/keys.ts'
import { createReports } from '../../../src/accounts/reports/open-reports.ts'
import { openStore } from '../../../src/accounts/store/open-store.ts'
import type { SearchObservation } from '../../../src/telemetry/observations.ts'
import { describeEachStore, silent } from '../each-store.ts'

const DAY_MS = 86_400_000
const REQUEST: LoggedRequest = {
  occurredAt: new Date(),
  requestId: 'req_1',
  method: 'POST',
  route: '/v1/search',
  status: 200,
  code: null,
  elapsedMs: 120,
  snippets: 3,
  keyId: null,
  depth: 'balanced',
  engine: 'searxng',
  query: 'private words',
}
const SEARCH: SearchObservation = {
  depth: 'balanced',
  outcome: 'answered',
  elapsedMs: 400,
  facts: {
    provider: 'searxng+brave',
    model: 'minilm',
    stages: { provider: 100, pages: 200, score: 80 },
    pages: [
      { host: 'good.example', outcome: 'read', isOurFault: false, readBy: 'static', elapsedMs: 90 },
      { host: 'kept.example', outcome: 'read', isOurFault: false, readBy: 'cache', elapsedMs: 1 },
      { host: 'slow.example', outcome: 'timeout', isOurFault: false, readBy: null, elapsedMs: 4_000 },
      { host: 'busy.example', outcome: 'out_of_time', isOurFault: true, readBy: null, elapsedMs: 4_000 },
    ],
    dropped: {},
  },
}

describeEachStore('activity', (current) => {
  let reports: ReturnType<typeof createReports>
  let activity: Activity
  const openOn = (store: ReturnType<typeof current>['store'], keepsQueries = false) =>
    openActivity({ store, reports, keepsQueries, log: silent })
  beforeEach(() => {
    reports = createReports(current().store)
    activity = openOn(current().store)
  })
  afterEach(async () => {
    await activity.close()
    await reports.close()
  })

  it('tells the figures of ten thousand requests as they were, of a day and of a month', async () => {
    const latencies: number[] = []
    for (let index = 0; index < 10_000; index += 1) {
      const status = index % 100 === 0 ? 500 : index % 50 === 1 ? 429 : index % 20 === 2 ? 422 : 200
      activity.countRequest({ ...REQUEST, requestId: `req_${index}`, status })
      if (status === 200) {
        const elapsedMs = 2 + ((index * 7_919) % 5_000)
        latencies.push(elapsedMs)
        activity.countSearch({ ...SEARCH, elapsedMs })
        activity.countWait(1)
      } else if (status === 500) {
        activity.countSearch({ ...SEARCH, outcome: 'search_unavailable', facts: null })
        activity.countEngineFailure('searxng', 'timeout')
      }
      if (index % 4_000 === 3_999) await activity.flush()
    }
    await activity.flush()
    const sorted = latencies.toSorted((left, right) => left - right)
    const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
    for (const span of ['24h', '30d'] as const) {
      const figures = await activity.figures(span)
      expect(figures).toMatchObject({
        requests: { total: 10_000, failed: 100, rateLimited: 200, refused: 500 },
        searches: { total: 9_300, answered: 9_200, failed: 100 },
        pages: { total: 36_800, cached: 9_200, rendered: 0, failed: 18_400 },
        failingHosts: [
          { host: 'slow.example', failures: 9_200, reasons: [{ reason: 'timeout', count: 9_200 }] },
        ],
        models: [{ depth: 'balanced', model: 'minilm', searches: 9_200 }],
      })
      expect(figures.engines.toSorted((left, right) => (left.name < right.name ? -1 : 1))).toEqual([
        { name: 'brave', answered: 9_200, failed: 0, failingSince: null, lastFailure: null },
        { name: 'searxng', answered: 9_200, failed: 100, failingSince: null, lastFailure: 'timeout' },
      ])
      const { p50Ms, p95Ms, p99Ms } = figures.latency
      for (const [told, share] of [
        [p50Ms, 0.5],
        [p95Ms, 0.95],
        [p99Ms, 0.99],
      ] as const)
        expect(Math.abs((told ?? 0) / rank(share) - 1)).toBeLessThan(0.0906)
    }
  })

  it('tells since which hour an engine has not answered, and which failure was the last', async () => {
    const hourAt = Math.floor(Date.now() / 3_600_000) * 3_600_000
    activity.countEngineFailure('brave', 'timeout')
    await activity.flush()
    const { engines } = await activity.figures('24h')
    expect(engines).toEqual([
      { name: 'brave', answered: 0, failed: 1, failingSince: expect.any(Date), lastFailure: 'timeout' },
    ])
    expect(engines[0]?.failingSince?.getTime()).toBeGreaterThanOrEqual(hourAt)
    activity.countSearch(SEARCH)
    await activity.flush()
    const after = await activity.figures('24h')
    expect(after.engines.map(({ failingSince }) => failingSince)).toEqual([null, null])
  })

  it('adds what several replicas count at the same time', async () => {
    const other = await openStore(current().location, { log: silent })
    const replica = openOn(other)
    for (let round = 0; round < 5; round += 1) {
      for (const one of [activity, replica]) {
        one.countSearch(SEARCH)
        one.countRequest(REQUEST)
      }
      await Promise.all([activity.flush(), replica.flush()])
    }
    await replica.close()
    await other.close()
    expect(await activity.figures('24h')).toMatchObject({
      searches: { total: 10 },
      requests: { total: 10 },
      pages: { total: 40 },
    })
  })

  it('keeps no query unless it is told to', async () => {
    activity.countRequest(REQUEST)
    await activity.flush()
    const keeping = openOn(current().store, true)
    keeping.countRequest({ ...REQUEST, requestId: 'req_2' })
    await keeping.close()
    const { requests } = await activity.requests({ limit: 10 })
    expect(requests.map(({ requestId, query }) => [requestId, query]).toSorted()).toEqual([
      ['req_1', null],
      ['req_2', 'private words'],
    ])
  })

  it('keeps a query with a zero character, which PostgreSQL takes in no text, and those beside it', async () => {
    const keeping = openOn(current().store, true)
    keeping.countRequest({ ...REQUEST, query: 'before\0after' })
    keeping.countRequest({ ...REQUEST, requestId: 'req_2' })
    await keeping.close()
    const { requests } = await readRequests(current().store.database, { limit: 10 })
    expect(requests.map(({ query }) => query).toSorted()).toEqual(['before\uFFFDafter', 'private words'])
  })

  it('finds requests by id, by how they ended, by key and by owner, newest first and page by page', async () => {
    const keys = openKeys({ store: current().store, log: silent })
    await current()
      .store.database.insertInto('users')
      .values({
        id: 'user_ada',
        email: 'ada@example.org',
        name: 'Ada',
        password_hash: null,
        is_admin: 0,
        oidc_issuer: null,
        oidc_subject: null,
        created_at: 0,
        disabled_at: null,
        last_seen_at: null,
      })
      .execute()
    const { record } = await keys.create({ name: 'Ada’s', ownerId: 'user_ada' })
    await keys.close()
    const start = Date.now() - 60_000
    for (const [index, status] of [200, 200, 422, 500, 200].entries())
      activity.countRequest({
        ...REQUEST,
        requestId: `req_${index}`,
        occurredAt: new Date(start + index),
        status,
        keyId: index < 2 ? record.id : null,
      })
    await activity.flush()
    const idsOf = async (query: Omit<Parameters<Activity['requests']>[0], 'limit'>) =>
      (await activity.requests({ ...query, limit: 10 })).requests.map(({ requestId }) => requestId)
    expect(await idsOf({})).toEqual(['req_4', 'req_3', 'req_2', 'req_1', 'req_0'])
    expect(await idsOf({ requestId: 'req_3' })).toEqual(['req_3'])
    expect(await idsOf({ outcome: 'refused' })).toEqual(['req_2'])
    expect(await idsOf({ outcome: 'failed' })).toEqual(['req_3'])
    expect(await idsOf({ ownerId: 'user_ada' })).toEqual(['req_1', 'req_0'])
    expect(await idsOf({ keyId: record.id, outcome: 'failed' })).toEqual([])
    const first = await activity.requests({ limit: 3 })
    const second = await activity.requests({
      limit: 3,
      ...(first.next === null ? {} : { before: first.next }),
    })
    expect([...first.requests, ...second.requests].map(({ requestId }) => requestId)).toEqual(await idsOf({}))
    expect(second.next).toBeNull()
  })

  it('forgets requests after thirty days', async () => {
    const old = new Date(Date.now() - 31 * DAY_MS)
    await current()
      .store.database.insertInto('request_log')
      .values({
        occurred_at: old.getTime(),
        entry_id: 'old',
        request_id: 'req_old',
        method: 'POST',
        route: '/v1/search',
        status: 200,
        code: null,
        elapsed_ms: 1,
        snippets: 0,
        key_id: null,
        depth: null,
        engine: null,
        query: null,
      })
      .execute()
    activity.countRequest(REQUEST)
    await activity.flush()
    await expect
      .poll(async () => (await activity.requests({ limit: 9 })).requests.map(({ requestId }) => requestId), {
        timeout: 60_000,
      })
      .toEqual(['req_1'])
  })

  it('goes on counting while the store is closed, without throwing, and bounds what it keeps', async () => {
    const gone = await openStore(current().location, { log: silent })
    const lost = openOn(gone)
    await gone.close()
    for (let index = 0; index < 10_005; index += 1) lost.countEngineFailure(`engine_${index}`, 'timeout')
    await lost.flush()
    expect(lost.lostCounts()).toBe(5)
    await lost.close()
  })

  it('tells of a crawl of broken sites as one, beyond two hundred of them an hour', async () => {
    for (let index = 0; index < 300; index += 1)
      activity.countSearch({
        ...SEARCH,
        facts: {
          ...SEARCH.facts!,
          pages: [
            {
              host: `broken-${index}.example`,
              outcome: 'unreachable',
              isOurFault: false,
              readBy: null,
              elapsedMs: 1,
            },
          ],
        },
      })
    await activity.flush()
    const { failingHosts } = await activity.figures('24h')
    // A test that runs over the turn of an hour tells two hundred of each.
    expect(failingHosts[0]).toMatchObject({ host: 'other sites', reasons: [{ reason: 'unreachable' }] })
    expect(failingHosts.length).toBe(10)
  })
})
