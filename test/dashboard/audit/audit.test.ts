import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, type DashboardSite } from '../dashboard-site.ts'

let site: DashboardSite
beforeAll(async () => {
  site = await openDashboardSite()
  await site.addPerson({ email: 'ada@example.org', name: 'Ada' })
  await site.addPerson({ email: 'admin@example.org', isAdmin: true })
})
afterAll(() => site.close())

const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/gsu)].map(([, row = '']) =>
    row
      .replace(/<[^>]*>/gu, ' ')
      .replace(/\s+/gu, ' ')
      .trim(),
  )

describe('the audit log', () => {
  test('tells administrators, and nobody else, who did what to keys, people and sessions', async () => {
    const [ada, admin] = [await site.signIn('ada@example.org'), await site.signIn('admin@example.org')]
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
