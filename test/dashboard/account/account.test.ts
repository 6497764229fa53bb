import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, type DashboardSite } from '../dashboard-site.ts'

let site: DashboardSite
beforeAll(async () => {
  site = await openDashboardSite()
  await site.addPerson({ email: 'ada@example.org', name: 'Ada' })
  await site.addPerson({ email: 'admin@example.org', isAdmin: true })
})
afterAll(() => site.close())

describe('sessions', () => {
  test('are listed for their owner, who ends one without ending the others', async () => {
    const [first, second] = [await site.signIn('ada@example.org'), await site.signIn('ada@example.org')]
    const html = await first.text('/account')
    expect(html).toContain('now, by this browser')
    const ids = [...html.matchAll(/\/account\/sessions\/([0-9a-f]+)\/end/gu)].map(([, id]) => id)
    for (const id of ids)
      expect((await first.post('/account', `/account/sessions/${id}/end`)).headers.get('Location')).toBe(
        '/account?done=session-ended',
      )
    expect((await second.get('/account')).status).toBe(303)
    expect((await first.get('/account')).status).toBe(200)
    const eve = await site.signIn('admin@example.org')
    expect((await eve.post('/account', `/account/sessions/${ids[0]}/end`)).status).toBe(404)
    expect((await eve.post('/account', '/account/sessions/%25/end')).status).toBe(404)
  })

  test('of somebody else are ended by administrators, who see when people were seen last', async () => {
    const [ada, admin] = [await site.signIn('ada@example.org'), await site.signIn('admin@example.org')]
    const people = (await admin.text('/users')).replace(/<[^>]*>/gu, ' ').replace(/\s+/gu, ' ')
    expect(people).toMatch(/ Ada ada@example\.org Member [^@]* (?:just now|\d+ min ago) \d+ /u)
    const user = (await site.accounts.users.list()).find(({ name }) => name === 'Ada')
    await admin.post('/users', `/users/${user?.id}/sign-out`)
    expect((await ada.get('/keys')).status).toBe(303)
    expect((await admin.get('/keys')).status).toBe(200)
  })
})
