import { beforeEach, expect, it } from 'vitest'
import { createInvitations, type Invitations } from '../../../src/accounts/people/invitations.ts'
import { openKeys } from '../../../src/accounts/keys/keys.ts'
import { createPasswordHasher } from '../../../src/accounts/people/password-hasher.ts'
import { createPasswords, type Passwords } from '../../../src/accounts/people/passwords.ts'
import { createRateLimiter } from '../../../src/accounts/keys/rate-limiter.ts'
import { createSentForms } from '../../../src/accounts/people/sent-forms.ts'
import { createSessions, type Sessions } from '../../../src/accounts/people/sessions.ts'
import type { User } from '../../../src/accounts/people/user.ts'
import { createUsers, type Users } from '../../../src/accounts/people/users.ts'
import { describeEachStore, silent } from '../each-store.ts'

const PASSWORD = 'correct horse battery'
const OTHER_PASSWORD = 'wrong donkey toaster'
const DAY_MS = 86_400_000

describeEachStore('people', (current) => {
  let invitations: Invitations
  let passwords: Passwords
  let sessions: Sessions
  let users: Users

  beforeEach(() => {
    const { store } = current()
    const hasher = createPasswordHasher()
    const attempts = createRateLimiter({
      name: 't',
      points: 1,
      durationSeconds: 900,
      redis: null,
      log: silent,
    })
    users = createUsers({ store })
    invitations = createInvitations({ store, hasher })
    sessions = createSessions({ store, users })
    passwords = createPasswords({ store, hasher, attempts })
  })

  async function join(email: string, isAdmin = false): Promise<User> {
    const { token } = await invitations.create({ isAdmin, createdBy: null })
    const accepted = await invitations.accept(token, { email, name: 'Someone', password: PASSWORD })
    if (!accepted.ok) throw new Error(accepted.reason)
    return accepted.user
  }
  const signIn = (email: string, password: string, address = '192.0.2.1') =>
    passwords.signIn({ email, password, address })

  it('an invitation makes one user, however many accept it at once', async () => {
    const { token, invitation } = await invitations.create({ isAdmin: true, createdBy: null })
    expect(await invitations.find(token)).toEqual(invitation)
    const tries = ['a', 'b', 'c', 'd'].map((name) =>
      invitations.accept(token, { email: `${name}@example.org`, name, password: PASSWORD }),
    )
    const results = await Promise.all(tries)
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(results.filter((result) => !result.ok && result.reason === 'invalid_invitation')).toHaveLength(3)
    expect(await users.list()).toMatchObject([{ isAdmin: true, hasPassword: true }])
    expect(await invitations.find(token)).toBeNull()
  })

  it('a name of several lines, or with a zero character, becomes one line', async () => {
    const { token } = await invitations.create({ isAdmin: false, createdBy: null })
    const newcomer = { email: 'ada@example.org', name: 'Ada\0\r\nLovelace\u001B[2J', password: PASSWORD }
    expect(await invitations.accept(token, newcomer)).toMatchObject({ user: { name: 'Ada Lovelace [2J' } })
  })

  it('a name that shows nothing becomes the e-mail address, and none turns what stands beside it', async () => {
    const named = async (email: string, name: string) => {
      const { token } = await invitations.create({ isAdmin: false, createdBy: null })
      return invitations.accept(token, { email, name, password: PASSWORD })
    }
    expect(await named('ada@example.org', '\u200b\u2060')).toMatchObject({
      user: { name: 'ada@example.org' },
    })
    expect(await named('bob@example.org', 'Bob\u202e nimda')).toMatchObject({ user: { name: 'Bob  nimda' } })
  })

  it('an expired, withdrawn or invented invitation is refused', async () => {
    const expired = await invitations.create({ isAdmin: false, createdBy: null, lifetimeMs: -1 })
    const withdrawn = await invitations.create({ isAdmin: false, createdBy: null })
    expect(await invitations.withdraw(withdrawn.invitation.id)).toBe(true)
    expect(await invitations.withdraw(withdrawn.invitation.id)).toBe(false)
    for (const token of [expired.token, withdrawn.token, 'vbi_invented', '']) {
      expect(await invitations.find(token)).toBeNull()
      const accepted = await invitations.accept(token, {
        email: 'a@example.org',
        name: '',
        password: PASSWORD,
      })
      expect(accepted).toEqual({ ok: false, reason: 'invalid_invitation' })
    }
  })

  it('an invitation for one address is of no use to another, and stays open after a refusal', async () => {
    await join('taken@example.org')
    const { token } = await invitations.create({ isAdmin: false, createdBy: null, email: 'Ada@Example.org' })
    const accept = (email: string, password: string) =>
      invitations.accept(token, { email, name: ' ', password })
    expect(await accept('bob@example.org', PASSWORD)).toEqual({ ok: false, reason: 'invalid_email' })
    expect(await accept('not an address', PASSWORD)).toEqual({ ok: false, reason: 'invalid_email' })
    for (const weak of ['short', 'aaaaaaaaaaaa', 'ada@example.org', 'x'.repeat(257)]) {
      expect(await accept('ada@example.org', weak)).toEqual({ ok: false, reason: 'weak_password' })
    }
    expect(await accept(' ADA@example.org', PASSWORD)).toMatchObject({
      ok: true,
      user: { email: 'ada@example.org', name: 'ada@example.org', isAdmin: false },
    })
    const again = await invitations.create({ isAdmin: false, createdBy: null })
    const taken = { email: 'TAKEN@example.org', name: '', password: PASSWORD }
    expect(await invitations.accept(again.token, taken)).toEqual({ ok: false, reason: 'email_taken' })
  })

  it('an OpenID Connect identity belongs to one account', async () => {
    const identity = { issuer: 'https://id.example.org', subject: '42' }
    const { token } = await invitations.create({ isAdmin: false, createdBy: null })
    const accepted = await invitations.accept(token, {
      email: 'ada@example.org',
      name: 'Ada',
      oidc: identity,
    })
    expect(accepted).toMatchObject({ ok: true, user: { hasPassword: false } })
    expect(await users.findByOidc(identity)).toMatchObject({ email: 'ada@example.org' })
    expect(await users.findByOidc({ ...identity, issuer: 'https://other.example.org' })).toBeNull()
    const bob = await join('bob@example.org')
    expect(await users.linkOidc(bob.id, identity)).toBe(false)
    expect(await users.linkOidc(bob.id, { ...identity, subject: '43' })).toBe(true)
    expect(await users.linkOidc(bob.id, { ...identity, subject: '44' })).toBe(false)
    expect(await signIn('ada@example.org', '')).toEqual({ outcome: 'refused' })
  })

  it('who was shut out and is invited again gets a new account, with the address and the identity of the old one', async () => {
    await join('admin@example.org', true)
    const oidc = { issuer: 'https://id.example.org', subject: '42' }
    const enter = async (): Promise<string> => {
      const { token } = await invitations.create({ isAdmin: false, createdBy: null })
      const accepted = await invitations.accept(token, { email: 'ada@example.org', name: 'Ada', oidc })
      return accepted.ok ? accepted.user.id : accepted.reason
    }
    const [first, refused] = [await enter(), await enter()]
    expect(refused).toBe('email_taken')
    await users.disable(first, null)
    const second = await enter()
    await users.disable(second, null)
    const third = await enter()
    expect((await users.list()).map(({ id, email }) => [id, email]).slice(1)).toEqual([
      [first, 'ada@example.org (closed)'],
      [second, 'ada@example.org (closed 2)'],
      [third, 'ada@example.org'],
    ])
    expect(await users.findByOidc(oidc)).toMatchObject({ id: third })
    await users.disable(third, null)
    const bob = await join('bob@example.org')
    expect(await users.linkOidc(bob.id, oidc)).toBe(true)
  })

  it('sign-in answers alike to a wrong password, an unknown address and a disabled user', async () => {
    await join('admin@example.org', true)
    const ada = await join('ada@example.org')
    expect(await signIn('ADA@example.org ', PASSWORD)).toMatchObject({
      outcome: 'signed_in',
      user: { id: ada.id },
    })
    await users.disable(ada.id, null)
    for (const [email, password] of [
      ['admin@example.org', OTHER_PASSWORD],
      ['nobody@example.org', PASSWORD],
      ['ada@example.org', PASSWORD],
      ['no address', PASSWORD],
    ] as const) {
      expect(await signIn(email, password)).toEqual({ outcome: 'refused' })
    }
  })

  it('guessing one account from one address ends after ten attempts and does not lock the owner out', async () => {
    await join('ada@example.org')
    for (let index = 0; index < 10; index += 1) {
      expect(await signIn('ada@example.org', OTHER_PASSWORD)).toEqual({ outcome: 'refused' })
    }
    for (let index = 0; index < 45; index += 1) {
      expect(await signIn('ada@example.org', PASSWORD)).toMatchObject({ outcome: 'rate_limited' })
    }
    expect(await signIn('ada@example.org', PASSWORD, '198.51.100.7')).toMatchObject({ outcome: 'signed_in' })
  })

  it('who forgot a password, tried in vain and sets a new one by a link signs in with it at once', async () => {
    const ada = await join('ada@example.org')
    for (let index = 0; index < 11; index += 1) await signIn('ada@example.org', OTHER_PASSWORD)
    expect(await signIn('ada@example.org', PASSWORD)).toMatchObject({ outcome: 'rate_limited' })
    const { token } = await passwords.createReset(ada.id, null)
    expect(await passwords.reset(token, OTHER_PASSWORD)).toBe('changed')
    expect(await signIn('ada@example.org', OTHER_PASSWORD)).toMatchObject({ outcome: 'signed_in' })
  })

  it('a session lives until it is ended, and its cookie is not in the store', async () => {
    const ada = await join('ada@example.org')
    const { token } = await sessions.create(ada.id)
    expect(await sessions.find(token)).toMatchObject({ user: { id: ada.id } })
    const rows = await current().store.database.selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    await sessions.revoke(token)
    for (const other of [token, undefined, '', 'vbs_invented']) expect(await sessions.find(other)).toBeNull()
  })

  it('signing out everywhere ends every session of that user and no other', async () => {
    const ada = await join('ada@example.org')
    const bob = await join('bob@example.org')
    const tokens = await Promise.all([0, 1, 2].map(async () => (await sessions.create(ada.id)).token))
    const bobs = await sessions.create(bob.id)
    expect(await sessions.revokeAll(ada.id, tokens[0])).toBe(2)
    expect(await sessions.find(tokens[0])).not.toBeNull()
    expect(await sessions.revokeAll(ada.id)).toBe(1)
    expect(await sessions.find(tokens[0])).toBeNull()
    expect(await sessions.find(bobs.token)).not.toBeNull()
  })

  it('a session ends by age and by a week without use', async () => {
    const ada = await join('ada@example.org')
    for (const aged of [{ expires_at: Date.now() }, { last_seen_at: Date.now() - 7 * DAY_MS }]) {
      const { token } = await sessions.create(ada.id)
      await current().store.database.updateTable('sessions').set(aged).execute()
      expect(await sessions.find(token)).toBeNull()
    }
  })

  it('using a session keeps it from falling idle', async () => {
    const { token } = await sessions.create((await join('ada@example.org')).id)
    const { database } = current().store
    await database
      .updateTable('sessions')
      .set({ last_seen_at: Date.now() - 6 * DAY_MS })
      .execute()
    expect(await sessions.find(token)).not.toBeNull()
    const row = await database.selectFrom('sessions').select('last_seen_at').executeTakeFirstOrThrow()
    expect(row.last_seen_at).toBeGreaterThan(Date.now() - DAY_MS)
  })

  it('changing the password needs the current one and ends the other sessions', async () => {
    const ada = await join('ada@example.org')
    const here = await sessions.create(ada.id)
    const elsewhere = await sessions.create(ada.id)
    const change = (passwordNow: string, next: string) =>
      passwords.change(ada.id, { current: passwordNow, next, keepToken: here.token })
    expect(await change(OTHER_PASSWORD, 'a new long password')).toBe('wrong_password')
    expect(await change(PASSWORD, 'short')).toBe('weak_password')
    expect(await change(PASSWORD, OTHER_PASSWORD)).toBe('changed')
    expect(await sessions.find(here.token)).not.toBeNull()
    expect(await sessions.find(elsewhere.token)).toBeNull()
    expect(await signIn('ada@example.org', PASSWORD)).toEqual({ outcome: 'refused' })
    expect(await signIn('ada@example.org', OTHER_PASSWORD)).toMatchObject({ outcome: 'signed_in' })
  })

  it('a reset link works once, replaces earlier ones, and ends every session', async () => {
    const ada = await join('ada@example.org')
    const session = await sessions.create(ada.id)
    const first = await passwords.createReset(ada.id, null)
    const second = await passwords.createReset(ada.id, null)
    expect(await passwords.findReset(first.token)).toBeNull()
    expect(await passwords.reset(first.token, OTHER_PASSWORD)).toBe('invalid_link')
    expect(await passwords.findReset(second.token)).toMatchObject({ id: ada.id })
    expect(await passwords.reset(second.token, 'short')).toBe('weak_password')
    const twice = await Promise.all([0, 1].map(() => passwords.reset(second.token, OTHER_PASSWORD)))
    expect(twice.toSorted()).toEqual(['changed', 'invalid_link'])
    expect(await sessions.find(session.token)).toBeNull()
    expect(await signIn('ada@example.org', OTHER_PASSWORD)).toMatchObject({ outcome: 'signed_in' })
  })

  it('a disabled user loses sessions, keys and reset links at once; the last admin cannot be disabled', async () => {
    const admin = await join('admin@example.org', true)
    const ada = await join('ada@example.org')
    const keys = openKeys({ store: current().store, log: silent })
    const { key } = await keys.create({ name: 'k', ownerId: ada.id })
    const session = await sessions.create(ada.id)
    const link = await passwords.createReset(ada.id, admin.id)
    expect(await users.disable(ada.id, admin.id)).toBe(true)
    expect(await sessions.find(session.token)).toBeNull()
    expect(await keys.verify(key)).toBeNull()
    expect(await passwords.findReset(link.token)).toBeNull()
    expect((await keys.events({ ownerId: ada.id }))[0]).toMatchObject({
      event: 'revoked',
      byEmail: 'admin@example.org',
    })
    await expect(keys.create({ name: 'late', ownerId: ada.id })).rejects.toThrow('active user')
    expect(await users.disable(ada.id, admin.id)).toBe(false)
    expect(await users.disable(admin.id, admin.id)).toBe(false)
    await keys.close()
  })

  it('a disabled administrator leaves no way in: open invitations and reset links of theirs are worth nothing', async () => {
    const [admin, other] = [await join('admin@example.org', true), await join('other@example.org', true)]
    const ada = await join('ada@example.org')
    const invited = await invitations.create({ isAdmin: true, createdBy: other.id })
    const kept = await invitations.create({ isAdmin: false, createdBy: admin.id })
    const link = await passwords.createReset(ada.id, other.id)
    expect(await users.disable(other.id, admin.id)).toBe(true)
    expect(await invitations.find(invited.token)).toBeNull()
    const back = { email: 'back@example.org', name: 'Back', password: PASSWORD }
    expect(await invitations.accept(invited.token, back)).toEqual({ ok: false, reason: 'invalid_invitation' })
    expect((await invitations.list()).map(({ id }) => id)).not.toContain(invited.invitation.id)
    expect(await passwords.findReset(link.token)).toBeNull()
    expect(await passwords.reset(link.token, OTHER_PASSWORD)).toBe('invalid_link')
    expect(await invitations.find(kept.token)).toEqual(kept.invitation)
  })

  it('an invitation from before its maker was disabled, in a store that kept it, is worth nothing either', async () => {
    const [admin, other] = [await join('admin@example.org', true), await join('other@example.org', true)]
    const invited = await invitations.create({ isAdmin: true, createdBy: other.id })
    // As builds did that did not withdraw invitations.
    await current()
      .store.database.updateTable('users')
      .set({ disabled_at: Date.now() })
      .where('id', '=', other.id)
      .execute()
    expect(await invitations.find(invited.token)).toBeNull()
    expect(await users.get(admin.id)).toMatchObject({ disabledAt: null })
  })

  it('a reset link from before a change of the password no longer works', async () => {
    const ada = await join('ada@example.org')
    const link = await passwords.createReset(ada.id, null)
    expect(await passwords.change(ada.id, { current: PASSWORD, next: OTHER_PASSWORD })).toBe('changed')
    expect(await passwords.findReset(link.token)).toBeNull()
    expect(await passwords.reset(link.token, PASSWORD)).toBe('invalid_link')
  })

  it('a form that is sent again is known, on whatever replica, and at the same moment', async () => {
    const forms = [createSentForms(current()), createSentForms(current())]
    const taken = await Promise.all(forms.map((form) => form.take('mark')))
    expect(taken.toSorted()).toEqual([false, true])
    expect(await forms[0]?.take('other mark')).toBe(true)
  })

  it('passwords are stored as argon2id alone', async () => {
    await join('ada@example.org')
    const row = await current()
      .store.database.selectFrom('users')
      .select('password_hash')
      .executeTakeFirstOrThrow()
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u)
  })
})
