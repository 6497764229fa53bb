import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { safePath } from '../../../src/dashboard/visitor/visitor.ts'
import { openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { createVisitorClient, formTokenIn } from '../visitor-client.ts'

let site: DashboardSite
beforeAll(async () => {
  site = await openDashboardSite()
  for (const name of ['plain', 'ada', 'next', 'planted', 'stolen', 'everywhere', 'grace']) {
    await site.addPerson({ email: `${name}@example.org` })
  }
})
afterAll(() => site.close())

/** A visitor who has just signed in; attempts are limited per account, so each test has accounts of its own. */
const signedInAs = async (email: string) => {
  const visitor = createVisitorClient(site.url)
  const answer = await visitor.signIn(email, PASSWORD)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
  return visitor
}

test('who signs in without having been anywhere comes to the overview, which tells what is to be looked after', async () => {
  const visitor = createVisitorClient(site.url)
  const answer = await visitor.signIn('plain@example.org', PASSWORD)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
  expect(await visitor.text('/')).toContain('Needs attention')
})

test('who finds no account on a new service is led to where the first one comes from', async () => {
  const visitor = createVisitorClient(site.url)
  const page = await visitor.text('/sign-in')
  const [, path = '', id = ''] = /href="(\/docs\/[\w-]+)#([\w-]+)"/u.exec(page) ?? []
  expect(await visitor.text(path)).toContain(`id="${id}"`)
  expect(await visitor.text(path)).toContain('users invite --admin')
})

describe('a path to go back to', () => {
  test('leads to this service whatever was asked for, and stays as it is when it was such a path', () => {
    const piece = fc.constantFrom(
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      'keys',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`),
        (next) => {
          const path = safePath(next)
          expect(new URL(path, 'http://own.example').origin).toBe('http://own.example')
          expect(safePath(path)).toBe(path)
        },
      ),
      { numRuns: 2_000 },
    )
    for (const next of [
      '/./\\evil.example/x',
      '/a/..//evil.example/x',
      '/%2e//evil.example/x',
      '/%2E%2e//evil.example/x',
    ])
      expect(safePath(next)).toBe('/')
    for (const next of ['/./\\/evil.example/x', '/\n//evil.example/x']) expect(safePath(next)).toBe('/')
    expect(safePath('/usage?span=48h&key=')).toBe('/usage?span=48h&key=')
  })
})

describe('sign-in', () => {
  test('a page for people sends a stranger to sign in and back to where they were going', async () => {
    const visitor = createVisitorClient(site.url)
    const away = await visitor.get('/usage?span=48h')
    expect([away.status, away.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fusage%3Fspan%3D48h'])
    expect(await createVisitorClient(site.url).text('/docs/errors')).toContain(
      'href="/sign-in?next=%2Fdocs%2Ferrors"',
    )
    const page = await visitor.text('/sign-in?next=%2Fusage%3Fspan%3D48h')
    expect(page).toContain('name="next" value="/usage?span=48h"')
    const back = await visitor.post('/sign-in', '/sign-in', {
      email: 'ada@example.org',
      password: PASSWORD,
      next: '/usage?span=48h',
    })
    expect(back.headers.get('location')).toBe('/usage?span=48h')
  })

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/.//evil.example/x',
  ])('never leads to another site afterwards: %j', async (next) => {
    const visitor = createVisitorClient(site.url)
    const answer = await visitor.post('/sign-in', '/sign-in', {
      email: 'ada@example.org',
      password: PASSWORD,
      next,
    })
    const location = new URL(answer.headers.get('location') ?? '', site.url)
    expect(location.origin).toBe(site.url)
  })

  test('an unknown address and a wrong password get the same answer', async () => {
    const faces = []
    for (const attempt of [
      { email: 'ada@example.org', password: 'not the password' },
      { email: 'nobody@example.org', password: 'not the password' },
      { email: 'ada@example.org', password: '' },
    ]) {
      const answer = await createVisitorClient(site.url).post('/sign-in', '/sign-in', attempt)
      const text = await answer.text()
      faces.push([answer.status, text.replace(attempt.email, '').replace(/form_token" value="[^"]+"/gu, '')])
    }
    expect(faces[0]?.[0]).toBe(401)
    expect(faces[1]).toEqual(faces[0])
    expect(faces[2]).toEqual(faces[0])
  })

  test('guessing passwords ends in 429 with Retry-After', async () => {
    await site.addPerson({ email: 'guessed@example.org' })
    const statuses: number[] = []
    let retryAfter: string | null = null
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const answer = await createVisitorClient(site.url).signIn(
        'guessed@example.org',
        `guess number ${attempt}`,
      )
      statuses.push(answer.status)
      retryAfter = answer.headers.get('retry-after')
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(statuses.at(-1)).toBe(429)
    expect(Number(retryAfter)).toBeGreaterThan(0)
  })

  test('a session planted before signing in is worth nothing after', async () => {
    const visitor = createVisitorClient(site.url)
    visitor.cookies.set('verbatim_session', 'vbs_planted')
    await visitor.signIn('planted@example.org', PASSWORD)
    expect(visitor.cookies.get('verbatim_session')).not.toBe('vbs_planted')
    const first = visitor.cookies.get('verbatim_session') ?? ''
    await visitor.postRaw('/sign-in', {
      form_token: formTokenIn(await visitor.text('/keys')),
      email: 'planted@example.org',
      password: PASSWORD,
    })
    expect(visitor.cookies.get('verbatim_session')).not.toBe(first)
    const thief = createVisitorClient(site.url)
    thief.cookies.set('verbatim_session', first)
    expect((await thief.get('/keys')).status).toBe(303)
  })

  test('a stolen session is refused after its owner signed out', async () => {
    const visitor = await signedInAs('stolen@example.org')
    const thief = createVisitorClient(site.url)
    thief.cookies.set('verbatim_session', visitor.cookies.get('verbatim_session') ?? '')
    expect((await thief.get('/keys')).status).toBe(200)
    const out = await visitor.post('/keys', '/sign-out')
    expect([out.status, out.headers.get('location')]).toEqual([303, '/sign-in?done=signed-out'])
    expect(visitor.cookies.has('verbatim_session')).toBe(false)
    expect((await thief.get('/keys')).status).toBe(303)
  })

  test('signing out everywhere ends every session of the person and nobody else’s', async () => {
    const [here, there, other] = await Promise.all([
      signedInAs('everywhere@example.org'),
      signedInAs('everywhere@example.org'),
      signedInAs('grace@example.org'),
    ])
    await here.post('/account', '/account/sign-out-everywhere')
    expect((await here.get('/keys')).status).toBe(303)
    expect((await there.get('/keys')).status).toBe(303)
    expect((await other.get('/keys')).status).toBe(200)
  })

  test('changing the password ends every other session, needs the current one, and holds at once', async () => {
    await site.addPerson({ email: 'joan@example.org' })
    const [here, there] = await Promise.all([signedInAs('joan@example.org'), signedInAs('joan@example.org')])
    const wrong = await here.post('/account', '/account/password', {
      current: 'wrong',
      next: 'another good password',
    })
    expect(wrong.status).toBe(422)
    expect(await wrong.text()).toContain('This is not your current password.')
    const weak = await here.post('/account', '/account/password', { current: PASSWORD, next: 'short' })
    expect(weak.status).toBe(422)
    const changed = await here.post('/account', '/account/password', {
      current: PASSWORD,
      next: 'another good password',
    })
    expect(changed.headers.get('location')).toBe('/account?done=password-changed')
    expect((await here.get('/keys')).status).toBe(200)
    expect((await there.get('/keys')).status).toBe(303)
    expect((await createVisitorClient(site.url).signIn('joan@example.org', PASSWORD)).status).toBe(401)
    expect(
      (await createVisitorClient(site.url).signIn('joan@example.org', 'another good password')).status,
    ).toBe(303)
  })
})

describe('cookies', () => {
  test('are HttpOnly and SameSite=Lax, and readable by no script', async () => {
    const page = await fetch(`${site.url}/sign-in`)
    const [cookie = ''] = page.headers.getSetCookie()
    expect(cookie).toMatch(/^verbatim_form=/u)
    expect(cookie.toLowerCase()).toContain('httponly')
    expect(cookie.toLowerCase()).toContain('samesite=lax')
    expect(cookie.toLowerCase()).not.toContain('secure')
  })

  test('behind TLS are Secure with the __Host- prefix, and HSTS is sent', async () => {
    const secure = await openDashboardSite({ secureCookies: true })
    try {
      await secure.addPerson({ email: 'ada@example.org' })
      const visitor = createVisitorClient(secure.url)
      const answer = await visitor.signIn('ada@example.org', PASSWORD)
      const cookie = answer.headers.getSetCookie().find((line) => line.includes('session'))
      expect(cookie).toMatch(/^__Host-verbatim_session=vbs_/u)
      expect(cookie?.toLowerCase()).toMatch(/path=\/;.*secure/u)
      expect(answer.headers.get('strict-transport-security')).toContain('max-age=')
      expect((await visitor.get('/keys')).status).toBe(200)
    } finally {
      await secure.close()
    }
  })
})
