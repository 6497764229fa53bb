import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { createVisitorClient } from '../visitor-client.ts'

let site: DashboardSite
beforeAll(async () => {
  site = await openDashboardSite()
  await site.addPerson({ email: 'ada@example.org', name: 'Ada' })
  await site.addPerson({ email: 'admin@example.org', isAdmin: true })
})
afterAll(() => site.close())

async function signIn(email: string) {
  const visitor = createVisitorClient(site.url)
  await visitor.signIn(email, PASSWORD)
  return visitor
}
const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/gsu)].map(([, row = '']) =>
    row
      .replace(/<[^>]*>/gu, ' ')
      .replace(/\s+/gu, ' ')
      .trim(),
  )

describe('the audit log', () => {
  test('tells administrators, and nobody else, who did what to keys, people and sessions', async () => {
    const [ada, admin] = [await signIn('ada@example.org'), await signIn('admin@example.org')]
    expect((await ada.get('/audit')).status).toBe(404)
    await ada.post('/keys', '/keys', { name: 'Website' })
    const [key] = await site.accounts.keys.list()
    await ada.post(`/keys/${key?.id}/rename`, `/keys/${key?.id}/rename`, { name: 'Notebook' })
    await ada.post(`/keys/${key?.id}/rotate`, `/keys/${key?.id}/rotate`, { grace: '1h' })
    await ada.post(`/keys/${key?.id}/delete`, `/keys/${key?.id}/delete`)
    await admin.post('/users', '/users/invitations', {
      email: 'grace@example.org',
      role: 'member',
      days: '1',
    })
    await admin.post('/', '/engines/library/test')
    const rows = rowsOf(await admin.text('/audit'))
    for (const [who, what, subject] of [
      ['ada@example.org', 'Created a key', 'Website'],
      ['ada@example.org', 'Renamed a key', 'Website → Notebook'],
      ['ada@example.org', 'Rotated a key', 'Notebook'],
      ['ada@example.org', 'Deleted a key', 'Notebook (old)'],
      ['admin@example.org', 'Made an invitation', 'grace@example.org'],
      ['admin@example.org', 'Tested a search engine', 'library'],
      ['ada@example.org', 'Signed in', 'ada@example.org'],
    ])
      expect(rows.some((row) => row.endsWith(`UTC ${who} ${what} ${subject}`))).toBe(true)
    const filtered = rowsOf(await admin.text('/audit?action=key_rotated')).slice(1)
    expect(filtered.map((row) => row.replace(/^.*UTC /u, ''))).toEqual([
      'ada@example.org Rotated a key Notebook',
    ])
  })
})

describe('rotating a key', () => {
  test('shows the new key once, keeps the old one working until then, and is for its owner alone', async () => {
    const [ada, other] = [await signIn('ada@example.org'), await site.addPerson({ email: 'eve@example.org' })]
    const eve = await signIn(other.email)
    await ada.post('/keys', '/keys', { name: 'Mobile' })
    const old = (await site.accounts.keys.list()).find(({ name }) => name === 'Mobile')
    const path = `/keys/${old?.id}/rotate`
    expect((await eve.get(path)).status).toBe(404)
    const answer = await ada.post(path, path, { grace: '7d' })
    expect(answer.status).toBe(201)
    const key = /vbt_[0-9A-Za-z]{36}/u.exec(await answer.text())?.[0]
    expect(await site.accounts.keys.verify(key)).toMatchObject({ name: 'Mobile', ownerId: old?.ownerId })
    expect((await ada.post(path, path, { grace: 'for ever' })).status).toBe(404)
    const list = await ada.text('/keys')
    expect(list).toContain('Mobile (old)')
    expect(list).not.toContain(key)
  })
})

describe('sessions', () => {
  test('are listed for their owner, who ends one without ending the others', async () => {
    const [first, second] = [await signIn('ada@example.org'), await signIn('ada@example.org')]
    const html = await first.text('/account')
    expect(html).toContain('now, by this browser')
    const ids = [...html.matchAll(/\/account\/sessions\/([0-9a-f]+)\/end/gu)].map(([, id]) => id)
    for (const id of ids)
      expect((await first.post('/account', `/account/sessions/${id}/end`)).headers.get('Location')).toBe(
        '/account?done=session-ended',
      )
    expect((await second.get('/account')).status).toBe(303)
    expect((await first.get('/account')).status).toBe(200)
    const eve = await signIn('admin@example.org')
    expect((await eve.post('/account', `/account/sessions/${ids[0]}/end`)).status).toBe(404)
    expect((await eve.post('/account', '/account/sessions/%25/end')).status).toBe(404)
  })

  test('of somebody else are ended by administrators, who see when people were seen last', async () => {
    const [ada, admin] = [await signIn('ada@example.org'), await signIn('admin@example.org')]
    const people = rowsOf(await admin.text('/users')).find((row) => row.startsWith('Ada '))
    expect(people).toMatch(/ (?:just now|\d+ min ago) \d+ /u)
    const user = (await site.accounts.users.list()).find(({ name }) => name === 'Ada')
    await admin.post('/users', `/users/${user?.id}/sign-out`)
    expect((await ada.get('/keys')).status).toBe(303)
    expect((await admin.get('/keys')).status).toBe(200)
  })
})
