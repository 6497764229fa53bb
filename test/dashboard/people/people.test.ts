import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { createVisitorClient, formTokenIn, type VisitorClient } from '../visitor-client.ts'

let site: DashboardSite
let admin: VisitorClient
let adminId: string
beforeAll(async () => {
  site = await openDashboardSite()
  adminId = (await site.addPerson({ email: 'admin@example.org', isAdmin: true })).id
  admin = createVisitorClient(site.url)
  await admin.signIn('admin@example.org', PASSWORD)
})
afterAll(() => site.close())

/** The link a page shows once, as a path. */
const linkIn = (html: string): string =>
  /<code id="link">http:\/\/[^/]+([^<]+)<\/code>/u.exec(html)?.[1] ?? ''

const newcomer = (email: string) => ({ name: 'A Newcomer', email, password: PASSWORD })

describe('invitations', () => {
  test('the link of the first run makes an administrator', async () => {
    const fresh = await openDashboardSite()
    try {
      const firstRun = await fresh.accounts.prepareFirstRun()
      const path = `/invitations/${firstRun?.invitationToken}`
      const visitor = createVisitorClient(fresh.url)
      expect(await visitor.text(path)).toContain('invited as an administrator')
      const accepted = await visitor.post(path, path, newcomer('first@example.org'))
      expect(accepted.headers.get('location')).toBe('/playground?done=welcome')
      expect((await visitor.get('/users')).status).toBe(200)
    } finally {
      await fresh.close()
    }
  })

  test('an invited member is signed in by accepting, and the link works once', async () => {
    const made = await admin.post('/users', '/users/invitations', { email: '', role: 'member' })
    expect(made.status).toBe(201)
    const path = linkIn(await made.text())
    const visitor = createVisitorClient(site.url)
    const accepted = await visitor.post(path, path, newcomer('member@example.org'))
    expect(accepted.headers.get('location')).toBe('/playground?done=welcome')
    expect((await visitor.get('/keys')).status).toBe(200)
    const again = await createVisitorClient(site.url).get(path)
    expect(again.status).toBe(404)
    expect(await again.text()).toContain('This link does not work any more')
  })

  test('an invitation or a link for a new password whose form is sent again makes no second one', async () => {
    const page = await admin.text('/users')
    const [mark = ''] =
      /(?<=action="\/users\/invitations".*?name="form_mark" value=")[^"]+/su.exec(page) ?? []
    const fields = {
      form_token: formTokenIn(page),
      form_mark: mark,
      email: 'twice@example.org',
      role: 'member',
    }
    expect((await admin.postRaw('/users/invitations', fields)).status).toBe(201)
    const again = await admin.postRaw('/users/invitations', fields)
    expect([again.status, again.headers.get('location')]).toEqual([303, '/users?done=made-already'])
    const open = (await site.accounts.invitations.list()).filter(({ email }) => email === 'twice@example.org')
    expect(open).toHaveLength(1)

    const reset = { form_token: fields.form_token, form_mark: `${mark.split('.')[0]}.${adminId}` }
    const made = linkIn(await (await admin.postRaw(`/users/${adminId}/reset`, reset)).text())
    expect((await admin.postRaw(`/users/${adminId}/reset`, reset)).status).toBe(303)
    expect((await createVisitorClient(site.url).get(made)).status).toBe(200)
  })

  test('an address that has an account already is not invited, and what was chosen stays in the form', async () => {
    const invite = { email: 'ADMIN@example.org', role: 'admin', days: '30' }
    const refused = await admin.post('/users', '/users/invitations', invite)
    expect(refused.status).toBe(422)
    const html = await refused.text()
    expect(html).toContain('There is already an account with this e-mail address.')
    expect(html).toMatch(/value="ADMIN@example\.org".*value="admin" selected.*value="30" selected/su)
  })

  test('an invitation for an address is for that address alone, and can be withdrawn', async () => {
    const made = await admin.post('/users', '/users/invitations', {
      email: 'bound@example.org',
      role: 'member',
    })
    const path = linkIn(await made.text())
    const visitor = createVisitorClient(site.url)
    const wrong = await visitor.post(path, path, newcomer('someone-else@example.org'))
    expect(wrong.status).toBe(422)
    const people = await admin.text('/users')
    // Several such buttons stand below each other: each is called by what it withdraws.
    expect(people).toContain(
      'Withdraw<span class="visually-hidden"> the invitation of bound@example.org</span>',
    )
    const id = /\/users\/invitations\/(invitation_\w+)\/withdraw/u.exec(people)?.[1] ?? ''
    const withdrawn = await admin.post('/users', `/users/invitations/${id}/withdraw`)
    expect(withdrawn.headers.get('location')).toBe('/users?done=invitation-withdrawn')
    expect((await visitor.get(path)).status).toBe(404)
  })

  test('an invitation for something that is no e-mail address is refused', async () => {
    const made = await admin.post('/users', '/users/invitations', { email: 'not an address', role: 'member' })
    expect(made.status).toBe(422)
    expect(await made.text()).toContain('This is not an e-mail address.')
  })

  test.each([
    [{ name: '' }, 'A name has 1 to 100 characters.'],
    [{ email: 'nobody' }, 'This is not an e-mail address'],
    [{ email: 'admin@example.org' }, 'There is already an account with this e-mail address.'],
    [{ password: 'short' }, 'A password has 10 to 256 characters'],
  ])('accepting with %j says what is wrong and leaves the link working', async (fields, sentence) => {
    const { token } = await site.accounts.invitations.create({ isAdmin: false, createdBy: null })
    const path = `/invitations/${token}`
    const visitor = createVisitorClient(site.url)
    const answer = await visitor.post(path, path, { ...newcomer('fresh@example.org'), ...fields })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain(sentence)
    expect(await site.accounts.invitations.find(token)).not.toBeNull()
  })
})

describe('people', () => {
  test('a reset link sets a new password once and ends every session', async () => {
    const user = await site.addPerson({ email: 'forgetful@example.org' })
    const visitor = createVisitorClient(site.url)
    await visitor.signIn('forgetful@example.org', PASSWORD)
    const path = linkIn(await (await admin.post('/users', `/users/${user.id}/reset`)).text())
    const stranger = createVisitorClient(site.url)
    const set = await stranger.post(path, path, { password: 'remembered this time' })
    expect(set.headers.get('location')).toBe('/sign-in?done=password-set')
    expect((await visitor.get('/keys')).status).toBe(303)
    expect((await stranger.get(path)).status).toBe(404)
    expect((await stranger.signIn('forgetful@example.org', 'remembered this time')).status).toBe(303)
  })

  test('closing an account ends its sessions and its keys', async () => {
    const user = await site.addPerson({ email: 'leaving@example.org' })
    const { key } = await site.accounts.keys.create({ name: 'Left behind', ownerId: user.id })
    const visitor = createVisitorClient(site.url)
    await visitor.signIn('leaving@example.org', PASSWORD)
    const closed = await admin.post(`/users/${user.id}/remove`, `/users/${user.id}/remove`)
    expect(closed.headers.get('location')).toBe('/users?done=person-removed')
    expect((await visitor.get('/keys')).status).toBe(303)
    expect((await visitor.signIn('leaving@example.org', PASSWORD)).status).toBe(401)
    expect(await site.accounts.keys.verify(key)).toBeNull()
  })

  test('the last administrator stays', async () => {
    const answer = await admin.post('/users', `/users/${adminId}/remove`)
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain('It is the last administrator.')
    expect((await admin.get('/users')).status).toBe(200)
  })

  test('members see neither the people nor that there is such a page', async () => {
    const user = await site.addPerson({ email: 'curious@example.org' })
    const visitor = createVisitorClient(site.url)
    await visitor.signIn('curious@example.org', PASSWORD)
    expect(await visitor.text('/keys')).not.toContain('href="/users"')
    expect((await visitor.get('/users')).status).toBe(404)
    expect((await visitor.get(`/users/${user.id}/remove`)).status).toBe(404)
    expect((await visitor.post('/keys', '/users/invitations', { role: 'admin' })).status).toBe(404)
    expect((await visitor.post('/keys', `/users/${adminId}/reset`)).status).toBe(404)
  })
})
