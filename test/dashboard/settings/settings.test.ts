import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import { openDashboardSite, type DashboardSite } from '../dashboard-site.ts'
import { createVisitorClient } from '../visitor-client.ts'

const CANARY = 'hunter2'
/** Every kind of secret an operator sets, and one that is none of ours. */
const SECRETS = {
  DATABASE_URL: `postgres://verbatim:${CANARY}@db.example:5432/verbatim`,
  REDIS_URL: `redis://:${CANARY}@redis.example:6379`,
  SEARXNG_URL: `https://user:${CANARY}@searx.example/${CANARY}?key=${CANARY}`,
  BRAVE_API_KEY: CANARY,
  OPENSEARCH_URL: 'https://index.example',
  OPENSEARCH_INDEX: 'pages',
  OPENSEARCH_API_KEY: CANARY,
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: CANARY,
  OIDC_CLIENT_SECRET: CANARY,
  METRICS_TOKEN: CANARY.repeat(4),
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${CANARY}`,
  HTTPS_PROXY: `http://user:${CANARY}@proxy.example:3128`,
  BROWSER: `ws://browser.example:3000/?token=${CANARY}`,
  SEARCH_SECRET_OF_ANOTHER_PROGRAM: CANARY,
}

let site: DashboardSite
let storesAnswer = true
let probeModels = (): Promise<string | null> => Promise.resolve(null)
beforeAll(async () => {
  const { set } = loadConfig({ ...SECRETS, RATE_LIMIT_POINTS: '1234' })
  site = await openDashboardSite({
    set,
    probeModels: () => probeModels(),
    probeStores: () =>
      storesAnswer ? Promise.resolve() : Promise.reject(new Error('ECONNREFUSED db.example')),
  })
  await site.addPerson({ email: 'ada@example.org' })
  await site.addPerson({ email: 'admin@example.org', isAdmin: true })
})
afterAll(() => site.close())

describe('the settings', () => {
  test('are for administrators alone', async () => {
    expect((await (await site.signIn('ada@example.org')).get('/settings')).status).toBe(404)
    expect((await createVisitorClient(site.url).get('/settings')).status).toBe(303)
  })

  test('tell what is set, from which variable, and the default of what is not', async () => {
    const text = (await (await site.signIn('admin@example.org')).text('/settings')).replace(/<[^>]*>/gu, ' ')
    expect(text).toMatch(/RATE_LIMIT_POINTS\s+1234\s/u)
    expect(text).toMatch(/SEARCH_QUEUE\s+Not set: 128/u)
    expect(text).toMatch(/DATABASE_URL\s+postgres:\/\/db\.example:5432\s/u)
    expect(text).toMatch(/SEARXNG_URL\s+https:\/\/searx\.example\s/u)
    expect(text).toMatch(/BRAVE_API_KEY\s+Set, not shown/u)
    expect(text).toMatch(/KAGI_API_KEY\s+Not set/u)
  })

  test('never hold a secret, wherever the operator wrote it', async () => {
    const html = await (await site.signIn('admin@example.org')).text('/settings')
    expect(html).not.toContain(CANARY)
    expect(html).not.toContain('SEARCH_SECRET_OF_ANOTHER_PROGRAM')
  })

  test('say whether the stores answer, without the reason of one that does not', async () => {
    const admin = await site.signIn('admin@example.org')
    const good = await admin.post('/settings', '/settings/stores/test')
    expect([good.status, good.headers.get('Location')]).toEqual([303, '/settings?done=stores-answer'])
    storesAnswer = false
    const bad = await admin.post('/settings', '/settings/stores/test')
    expect(bad.status).toBe(503)
    const html = await bad.text()
    expect(html).toContain('A store does not answer.')
    expect(html).not.toContain('ECONNREFUSED')
  })

  test('say whether the models score, in the words that callers are told, without the reason of an error', async () => {
    const admin = await site.signIn('admin@example.org')
    const press = () => admin.post('/settings', '/settings/models/test')
    const good = await press()
    expect([good.status, good.headers.get('Location')]).toEqual([303, '/settings?done=models-answer'])
    probeModels = () => Promise.resolve('The time was used up.')
    const late = await press()
    expect([late.status, (await late.text()).includes('The time was used up.')]).toEqual([503, true])
    probeModels = () => Promise.reject(new Error('EWORKER'))
    const html = await (await press()).text()
    expect(html).toContain('The models do not score.')
    expect(html).not.toContain('EWORKER')
  })
})
