import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, type DashboardSite } from '../dashboard-site.ts'

let site: DashboardSite
beforeAll(async () => {
  site = await openDashboardSite()
  const ada = await site.addPerson({ email: 'ada@example.org' })
  const admin = await site.addPerson({ email: 'admin@example.org', isAdmin: true })
  const { keys, usage } = site.accounts
  const [quiet, busy, other] = await Promise.all([
    keys.create({ name: 'Quiet', ownerId: ada.id }),
    keys.create({ name: 'Busy', ownerId: ada.id }),
    keys.create({ name: 'Of the administrator', ownerId: admin.id }),
  ])
  const count = (key: typeof quiet, statuses: readonly number[]): void =>
    statuses.forEach((status) =>
      usage.count(key.record.id, { status, latencyMs: 9, snippets: status === 200 ? 2 : 0 }),
    )
  count(quiet, [200])
  count(busy, [200, 200, 500])
  count(other, [200, 200, 200, 200, 200, 200])
  await usage.flush()
})
afterAll(() => site.close())

/** The page's text, a space for every tag. */
const textOf = (html: string): string => html.replace(/<[^>]*>/gu, ' ').replace(/\s+/gu, ' ')
const tableFor = async (email: string, query = ''): Promise<string> =>
  textOf(await (await site.signIn(email)).text(`/usage${query}`)).split(' By key ')[1] ?? ''

describe('the use of all keys', () => {
  test.each(['', '?span=48h', '?span=1y'])(
    'tells which key is used most, with its errors%s',
    async (query) => {
      expect(await tableFor('ada@example.org', query)).toMatch(
        /^Key Requests Errors Snippets Busy \(….{4}\) 3 \(75 %\) 1 \(33 %\) 4 Quiet \(….{4}\) 1 \(25 %\) 0 2 Requests/u,
      )
    },
  )

  test('is that of everybody for administrators, and each key leads to its own in the same time', async () => {
    expect(await tableFor('admin@example.org')).toMatch(
      /^\D*Of the administrator .* 6 \(60 %\) .* Busy .* Quiet/u,
    )
    const admin = await site.signIn('admin@example.org')
    const [, address = ''] =
      /href="(\/usage\?key=[^"]*)">Busy/u.exec(await admin.text('/usage?span=48h')) ?? []
    const own = await admin.text(address.replaceAll('&amp;', '&'))
    expect(own).toContain('Hour (UTC)')
    expect(own).not.toContain('By key')
  })
})
