import { afterEach, expect, test } from 'vitest'
import { openDashboardSite, PASSWORD, type DashboardSite } from './dashboard-site.ts'
import { createVisitorClient } from './visitor-client.ts'

let site: DashboardSite
afterEach(() => site.close())

test('an address with a zero character, which PostgreSQL takes nowhere, is nothing for anybody, and nobody is asked for it', async () => {
  const asked: string[] = []
  site = await openDashboardSite({
    searchDocumentation: async (query) => {
      asked.push(query)
      return []
    },
  })
  await site.addPerson({ email: 'admin@example.org', isAdmin: true })
  const visitor = createVisitorClient(site.url)
  await visitor.signIn('admin@example.org', PASSWORD)
  for (const path of [
    '/docs/search?q=revoke%00',
    '/requests?id=%00',
    '/keys/%00/rename',
    '/users/a%00/remove',
    '/library/page?url=%00',
    '/invitations/%00',
  ]) {
    const answer = await visitor.get(path)
    expect([path, answer.status]).toEqual([path, 404])
    const page = await answer.text()
    expect(page).toContain('There is nothing here')
    expect(page).toContain('<a class="button" href="/">To the overview</a>')
  }
  expect(asked).toEqual([])
})

test('an address puts no notice on a page, but a word that a redirect of ours says', async () => {
  site = await openDashboardSite()
  const visitor = createVisitorClient(site.url)
  expect(await visitor.text('/sign-in?done=signed-out')).toContain('You are signed out.')
  for (const word of ['<b>', 'constructor', '__proto__', 'toString', 'signed-out&done=signed-out'])
    expect(await visitor.text(`/sign-in?done=${word}`)).not.toContain('class="notice')
})

test('a script that a page names is kept for ever, and what it imports is asked for anew: it has no digest in its address', async () => {
  site = await openDashboardSite()
  await site.addPerson({ email: 'ada@example.org' })
  const visitor = createVisitorClient(site.url)
  await visitor.signIn('ada@example.org', PASSWORD)
  const [named = ''] = /\/assets\/playground\.js[^"]*/u.exec(await visitor.text('/playground')) ?? []
  const script = await visitor.get(named)
  expect(script.headers.get('Cache-Control')).toContain('immutable')
  const imported = [...(await script.text()).matchAll(/from '\.\/([^']+)'/gu)].map(([, path]) => path)
  expect(imported.length).toBeGreaterThan(3)
  for (const path of imported) {
    const answer = await visitor.get(`/assets/${path}`)
    expect([path, answer.status, answer.headers.get('Cache-Control')]).toEqual([path, 200, 'no-cache'])
  }
})
