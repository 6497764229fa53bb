import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { createVisitorClient } from '../visitor-client.ts'

let site: DashboardSite
let described = 0
const status = {
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
    {
      kind: 'search engine' as const,
      name: 'searxng',
      state: 'ready' as const,
      detail: 'Answers.',
      remedy: null,
    },
  ],
}
beforeAll(async () => {
  site = await openDashboardSite({
    describeService: () => {
      described += 1
      return status
    },
  })
  await site.addPerson({ email: 'ada@example.org' })
})
afterAll(() => site.close())

describe('the start page', () => {
  test('tells strangers nothing of versions, engines and folders, and asks nothing on their behalf', async () => {
    const stranger = createVisitorClient(site.url)
    const answer = await stranger.get('/')
    expect(answer.status).toBe(200)
    const html = await answer.text()
    for (const secret of ['7.6.5', '140.0', '/opt/chrome', 'searxng']) expect(html).not.toContain(secret)
    expect(described).toBe(0)
  })

  test('tells whoever is signed in what the service stands on', async () => {
    const ada = createVisitorClient(site.url)
    await ada.signIn('ada@example.org', PASSWORD)
    const html = await ada.text('/')
    for (const fact of ['7.6.5', '140.0', 'searxng']) expect(html).toContain(fact)
  })
})
