import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVisitorClient, type VisitorClient } from '../dashboard/visitor-client.ts'
import { startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

let web: SearchSite
let service: TestService
let admin: VisitorClient
beforeAll(async () => {
  web = await startSearchSite({})
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: web.engineUrl })
  const { token } = await service.service.accounts.invitations.create({ isAdmin: true, createdBy: null })
  admin = createVisitorClient(service.url)
  const fields = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery 7' }
  await admin.post(`/invitations/${token}`, `/invitations/${token}`, fields)
})
afterAll(async () => {
  await service.close()
  await web.close()
})

test('each test of the settings asks the part it is named for, an engine once', async () => {
  const press = async (path: string) => {
    const answer = await admin.post('/settings', path)
    return [answer.status, answer.headers.get('Location')]
  }
  expect(await press('/settings/stores/test')).toEqual([303, '/settings?done=stores-answer'])
  expect(await press('/settings/models/test')).toEqual([303, '/settings?done=models-answer'])
  expect(web.asked).toHaveLength(0)
  expect(await press('/engines/searxng/test')).toEqual([303, '/?done=engine-answered#content'])
  expect(web.asked).toHaveLength(1)
  web.breakEngine(500)
  expect(await press('/engines/searxng/test')).toEqual([303, '/?done=engine-failed#content'])
})
