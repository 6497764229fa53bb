import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { createVisitorClient, formTokenIn, type VisitorClient } from '../visitor-client.ts'

let site: DashboardSite
let admin: VisitorClient
let keyId: string
let userId: string
beforeAll(async () => {
  site = await openDashboardSite()
  const user = await site.addPerson({ email: 'admin@example.org', isAdmin: true })
  const other = await site.addPerson({ email: 'other@example.org' })
  userId = other.id
  keyId = (await site.accounts.keys.create({ name: 'Website', ownerId: user.id })).record.id
  admin = createVisitorClient(site.url)
  await admin.signIn('admin@example.org', PASSWORD)
})
afterAll(() => site.close())

const invitationToken = async (): Promise<string> =>
  (await site.accounts.invitations.create({ isAdmin: false, createdBy: null })).token
const resetToken = async (): Promise<string> =>
  (await site.accounts.passwords.createReset(userId, null)).token

describe('forms', () => {
  const forms: readonly [
    name: string,
    path: () => string | Promise<string>,
    fields: Record<string, string>,
  ][] = [
    ['sign in', () => '/sign-in', { email: 'other@example.org', password: PASSWORD }],
    ['sign out', () => '/sign-out', {}],
    [
      'accept an invitation',
      async () => `/invitations/${await invitationToken()}`,
      { email: 'new@example.org', name: 'New', password: PASSWORD },
    ],
    ['set a password', async () => `/resets/${await resetToken()}`, { password: 'a completely new one' }],
    ['change the password', () => '/account/password', { current: PASSWORD, next: 'a completely new one' }],
    ['sign out everywhere', () => '/account/sign-out-everywhere', {}],
    ['create a key', () => '/keys', { name: 'Forged' }],
    ['delete a key', () => `/keys/${keyId}/delete`, {}],
    ['search', () => '/playground', { query: 'forged' }],
    ['search with results as they arrive', () => '/playground/stream', { query: 'forged' }],
    ['invite', () => '/users/invitations', { role: 'admin' }],
    ['make a reset link', () => `/users/${userId}/reset`, {}],
    ['close an account', () => `/users/${userId}/remove`, {}],
  ]

  test.each(forms)(
    'to %s is refused without its token, with a wrong one and with another visitor’s',
    async (_name, path, fields) => {
      const stranger = createVisitorClient(site.url)
      const foreign = formTokenIn(await stranger.text('/sign-in'))
      for (const token of [undefined, '', 'x', 'x'.repeat(foreign.length), foreign]) {
        const sent = token === undefined ? fields : { ...fields, form_token: token }
        const answer = await admin.postRaw(await path(), sent)
        expect([token, answer.status]).toEqual([token, 403])
      }
      expect((await site.accounts.keys.list()).map(({ name }) => name)).toEqual(['Website'])
      expect((await site.accounts.users.get(userId))?.disabledAt).toBeNull()
      expect(await site.accounts.users.findByEmail('new@example.org')).toBeNull()
      expect((await admin.get('/account')).status).toBe(200)
    },
  )

  test.each([
    ['/keys', '/keys', '/keys'],
    ['/library/site/schedule', '/library/site?url=https%3A%2F%2Fa.example%2F', null],
    ['/account/password', '/account/password', '/account'],
    ['/users/invitations', '/users/invitations', '/users'],
  ])('to %s that expired on %s lead back to the page they stand on', async (path, from, back) => {
    const answer = await admin.postRaw(path, { form_token: 'of another session' }, from)
    expect(answer.status).toBe(403)
    const page = await answer.text()
    expect(page).toContain('Back to the form')
    expect(page).toContain(`href="${back ?? from}"`)
  })

  test('that expired on a page of nobody knows where lead to the overview, never to another site', async () => {
    for (const from of [undefined, '//evil.example/x', '/.//evil.example/x']) {
      const page = await (await admin.postRaw('/keys', { form_token: 'x' }, from)).text()
      expect(page).toContain('To the overview')
      expect(page).not.toContain('evil.example')
    }
  })

  test('that send a field twice, as a list or as an object are read as if it were missing', async () => {
    const token = formTokenIn(await admin.text('/keys'))
    for (const fields of [
      [
        ['form_token', token],
        ['form_token', token],
        ['name', 'Twice'],
      ],
      [
        ['form_token[]', token],
        ['name', 'List'],
      ],
      [
        ['form_token[toString]', token],
        ['name', 'Object'],
      ],
    ] as [string, string][][]) {
      expect((await admin.postRaw('/keys', fields)).status).toBe(403)
    }
    const named = await admin.postRaw('/keys', [
      ['form_token', token],
      ['name[__proto__]', 'x'],
      ['__proto__', 'y'],
    ])
    expect(named.status).toBe(422)
    expect((await site.accounts.keys.list()).map(({ name }) => name)).toEqual(['Website'])
  })

  test('larger than 64 KiB are refused with 413', async () => {
    const token = formTokenIn(await admin.text('/keys'))
    const answer = await admin.postRaw('/keys', { form_token: token, name: 'x'.repeat(70_000) })
    expect(answer.status).toBe(413)
  })
})

describe('headers', () => {
  test('every page forbids foreign and inline scripts, framing and sniffing, and is not kept', async () => {
    for (const path of [
      '/',
      '/docs',
      '/docs/api',
      '/sign-in',
      '/keys',
      '/usage',
      '/playground',
      '/users',
      '/nothing',
    ]) {
      const { headers } = await admin.get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("form-action 'self'")
      expect(policy).not.toContain('unsafe')
      expect(policy).not.toContain('upgrade-insecure-requests')
      expect(headers.get('strict-transport-security')).toBeNull()
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  test('pages hold no inline script, style or event handler', async () => {
    for (const path of ['/', '/docs/api', '/keys', '/usage', '/playground', '/users', '/account']) {
      const html = await admin.text(path)
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/u)
      expect(html).not.toMatch(/<style|\sstyle="|\son[a-z]+="|javascript:/u)
    }
  })
})

describe('errors', () => {
  test('an address that does not exist is a page for people and problem+json for programs', async () => {
    const page = await admin.get('/nothing')
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const program = await fetch(`${site.url}/nothing`)
    expect([program.status, program.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  })

  test('an unexpected failure shows its request id and none of its detail, which goes to the log', async () => {
    const lines: string[] = []
    const failing = await openDashboardSite({
      describeService: () => {
        throw new Error('secret detail')
      },
      log: { write: (line) => lines.push(line) },
    })
    try {
      await failing.addPerson({ email: 'ada@example.org' })
      const ada = createVisitorClient(failing.url)
      await ada.signIn('ada@example.org', PASSWORD)
      const answer = await ada.get('/')
      const html = await answer.text()
      expect(answer.status).toBe(500)
      expect(html).not.toContain('secret detail')
      expect(html).toContain(answer.headers.get('x-request-id'))
      expect(lines.join('')).toContain('secret detail')
    } finally {
      await failing.close()
    }
  })

  test('links with secrets and form contents never reach the log', async () => {
    const lines: string[] = []
    const logged = await openDashboardSite({ log: { write: (line) => lines.push(line) } })
    try {
      const { token } = await logged.accounts.invitations.create({ isAdmin: true, createdBy: null })
      const visitor = createVisitorClient(logged.url)
      await visitor.post(`/invitations/${token}`, `/invitations/${token}`, {
        name: 'Ada',
        email: 'ada@example.org',
        password: PASSWORD,
      })
      const created = await (await visitor.post('/keys', '/keys', { name: 'Website' })).text()
      const key = /vbt_[0-9A-Za-z]{36}/u.exec(created)?.[0] ?? ''
      expect(key).not.toBe('')
      const log = lines.join('')
      expect(log).toContain('/invitations/')
      for (const secret of [token, PASSWORD, key, visitor.cookies.get('verbatim_session') ?? '']) {
        expect(log).not.toContain(secret)
      }
    } finally {
      await logged.close()
    }
  })
})
