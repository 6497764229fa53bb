import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOidcClient } from '../../../src/dashboard/sign-in/oidc-client.ts'
import { openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { CLIENT, openLoopbackIssuer, type LoopbackIssuer } from './loopback-issuer.ts'
import { openPage, openPeoplesBrowser } from '../test-browser.ts'
import { createVisitorClient } from '../visitor-client.ts'

const browser = await openPeoplesBrowser()
afterAll(() => browser?.close())

let site: DashboardSite
let issuer: LoopbackIssuer
beforeAll(async () => {
  issuer = await openLoopbackIssuer(() => `${site.url}/sign-in/oidc/callback`)
  site = await openDashboardSite({
    oidc: createOidcClient({ issuer: issuer.issuer, ...CLIENT, label: 'Loopback' }),
  })
})
afterAll(async () => {
  await site.close()
  await issuer.close()
})

const somebody = (name: string, emailVerified = true) => ({
  subject: `subject of ${name}`,
  email: `${name}@example.org`,
  emailVerified,
  name,
})

describe.skipIf(browser === null)('OpenID Connect, in Chromium', () => {
  beforeEach(() => issuer.be(null))

  /** Opens a page, follows the issuer's link on it, and tells where that ends. */
  async function comeBack(path: string) {
    const { context, page } = await openPage(browser!)
    await page.goto(site.url + path)
    await page.getByRole('link', { name: 'Continue with Loopback' }).click()
    await page.waitForURL(
      (url) => url.origin === site.url && url.pathname !== new URL(path, site.url).pathname,
    )
    const end = { path: new URL(page.url()).pathname, text: await page.locator('main').innerText() }
    await context.close()
    return end
  }

  test('an invited person gets an account without a password, which the audit log tells, and is known when they come again', async () => {
    issuer.be(somebody('ada'))
    const { token } = await site.accounts.invitations.create({ isAdmin: false, createdBy: null })
    expect((await comeBack(`/invitations/${token}`)).text).toContain('Your account is ready.')
    const user = await site.accounts.users.findByEmail('ada@example.org')
    expect([user?.name, user?.hasPassword]).toEqual(['ada', false])
    const { entries } = await site.accounts.audit.list({ action: 'account_made', limit: 10 })
    expect(entries).toMatchObject([{ subject: 'ada@example.org', actorEmail: 'ada@example.org' }])
    expect((await comeBack('/sign-in?next=%2Fusage')).path).toBe('/usage')
    issuer.be({ ...somebody('ada'), email: 'moved@example.org' })
    expect((await comeBack('/sign-in')).path).toBe('/')
  })

  test('an account with the address the issuer has verified is tied to the identity', async () => {
    const user = await site.addPerson({ email: 'grace@example.org' })
    issuer.be(somebody('grace'))
    expect((await comeBack('/sign-in')).path).toBe('/')
    const identity = { issuer: issuer.issuer, subject: 'subject of grace' }
    expect((await site.accounts.users.findByOidc(identity))?.id).toBe(user.id)
  })

  test('an address the issuer has not verified opens no account and uses up no invitation', async () => {
    await site.addPerson({ email: 'victim@example.org' })
    issuer.be(somebody('victim', false))
    expect((await comeBack('/sign-in')).text).toContain('Your e-mail address is not verified there.')
    const { token } = await site.accounts.invitations.create({ isAdmin: true, createdBy: null })
    expect((await comeBack(`/invitations/${token}`)).text).toContain('not verified')
    expect(await site.accounts.invitations.find(token)).not.toBeNull()
  })

  test('a stranger without an invitation is refused, and a closed account stays closed', async () => {
    issuer.be(somebody('stranger'))
    expect((await comeBack('/sign-in')).text).toContain('There is no account for stranger@example.org.')
    const user = await site.addPerson({ email: 'closed@example.org' })
    issuer.be(somebody('closed'))
    expect((await comeBack('/sign-in')).path).toBe('/')
    await site.accounts.users.disable(user.id, null)
    expect((await comeBack('/sign-in')).text).toContain('There is no account for closed@example.org.')
  })

  test('a person who says no at the issuer is told that nothing happened', async () => {
    expect((await comeBack('/sign-in')).text).toContain('Loopback did not confirm who you are.')
  })
})

describe('OpenID Connect', () => {
  test('a callback without the flow’s cookie, with another state or a made-up code signs nobody in', async () => {
    const visitor = createVisitorClient(site.url)
    expect((await visitor.get('/sign-in/oidc/callback?code=x&state=y')).status).toBe(403)
    const away = new URL((await visitor.get('/sign-in/oidc')).headers.get('location') ?? '')
    expect(away.origin).toBe(issuer.issuer)
    expect(away.searchParams.get('code_challenge_method')).toBe('S256')
    expect((await visitor.get('/sign-in/oidc/callback?code=x&state=forged')).status).toBe(403)
    const again = new URL((await visitor.get('/sign-in/oidc')).headers.get('location') ?? '')
    const state = again.searchParams.get('state') ?? ''
    const iss = encodeURIComponent(issuer.issuer)
    expect((await visitor.get(`/sign-in/oidc/callback?code=x&state=${state}&iss=${iss}`)).status).toBe(403)
    expect(visitor.cookies.has('verbatim_session')).toBe(false)
    expect(visitor.cookies.has('verbatim_oidc')).toBe(false)
    visitor.cookies.set('verbatim_oidc', 'no json')
    expect((await visitor.get('/sign-in/oidc/callback?code=x&state=y')).status).toBe(403)
  })

  test('an issuer that does not answer is a 503 page, and passwords go on working', async () => {
    const alone = await openDashboardSite({
      oidc: createOidcClient({ issuer: 'http://127.0.0.1:9', ...CLIENT, label: 'Nobody' }),
    })
    try {
      await alone.addPerson({ email: 'ada@example.org' })
      const visitor = createVisitorClient(alone.url)
      const answer = await visitor.get('/sign-in/oidc')
      expect(answer.status).toBe(503)
      expect(await answer.text()).toContain('Nobody does not answer')
      expect((await visitor.signIn('ada@example.org', PASSWORD)).status).toBe(303)
    } finally {
      await alone.close()
    }
  })

  test('without an issuer there is neither a link nor an address for it', async () => {
    const plain = await openDashboardSite()
    try {
      const visitor = createVisitorClient(plain.url)
      expect(await visitor.text('/sign-in')).not.toContain('/sign-in/oidc')
      expect((await visitor.get('/sign-in/oidc')).status).toBe(404)
    } finally {
      await plain.close()
    }
  })

  test('an issuer over plain HTTP is refused unless it is loopback', () => {
    const options = { ...CLIENT, label: 'x' }
    expect(() => createOidcClient({ ...options, issuer: 'http://issuer.example' })).toThrow('https://')
    expect(() => createOidcClient({ ...options, issuer: 'https://issuer.example' })).not.toThrow()
  })
})
