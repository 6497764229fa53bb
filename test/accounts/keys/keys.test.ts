import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openKeys, type Keys } from '../../../src/accounts/keys/keys.ts'
import { mintKey } from '../../../src/accounts/keys/key.ts'
import { openStore } from '../../../src/accounts/store/open-store.ts'
import { describeEachStore, silent } from '../each-store.ts'

describeEachStore('API keys', (current) => {
  let keys: Keys
  beforeEach(() => {
    keys = openKeys({ store: current().store, log: silent })
  })
  afterEach(() => keys.close())

  it('a new key is accepted and its record tells what may be shown', async () => {
    const { key, record } = await keys.create({ name: '  Laptop ', ownerId: null, rateLimitPoints: 7 })
    expect(await keys.verify(key)).toEqual(record)
    expect(record).toMatchObject({
      name: 'Laptop',
      ownerId: null,
      rateLimitPoints: 7,
      revokedAt: null,
      expiresAt: null,
    })
    expect(key.startsWith(record.prefix) && key.endsWith(record.lastFour)).toBe(true)
  })

  it('missing, malformed, unknown, expired and revoked keys are all refused alike', async () => {
    const expired = await keys.create({ name: 'old', ownerId: null, expiresAt: new Date(Date.now() - 1) })
    const revoked = await keys.create({ name: 'gone', ownerId: null })
    await keys.revoke(revoked.key, { userId: null })
    for (const key of [
      undefined,
      null,
      '',
      'vbt_x',
      mintKey(),
      expired.key,
      revoked.key,
      revoked.record.id,
    ]) {
      expect(await keys.verify(key)).toBeNull()
    }
  })

  it('a key that expires later is accepted until then', async () => {
    const { key } = await keys.create({
      name: 'soon',
      ownerId: null,
      expiresAt: new Date(Date.now() + 60_000),
    })
    expect(await keys.verify(key)).not.toBeNull()
  })

  it('a revoked key is refused at once by another process that shares the store', async () => {
    const other = await openStore(current().location, { log: silent })
    const otherKeys = openKeys({ store: other, log: silent })
    try {
      const { key, record } = await keys.create({ name: 'shared', ownerId: null })
      expect(await otherKeys.verify(key)).not.toBeNull()
      await keys.revoke(record.id, { userId: null })
      expect(await otherKeys.verify(key)).toBeNull()
    } finally {
      await otherKeys.close()
      await other.close()
    }
  })

  it('only the hash of a key is stored', async () => {
    const { key } = await keys.create({ name: 'secret', ownerId: null })
    const rows = JSON.stringify(await current().store.database.selectFrom('api_keys').selectAll().execute())
    expect(rows).not.toContain(key)
    expect(rows).not.toContain(key.slice(8, -4))
  })

  it('revoking again keeps the first moment and the first event', async () => {
    const { key, record } = await keys.create({ name: 'twice', ownerId: null })
    const first = await keys.revoke(key, { userId: 'user_a' })
    const second = await keys.revoke(record.id, { userId: 'user_b' })
    expect(first?.revokedAt).toBeInstanceOf(Date)
    expect(second).toEqual(first)
    const events = await keys.events({ keyId: record.id })
    expect(events.map(({ event }) => event).toSorted()).toEqual(['created', 'revoked'])
    expect(events.find(({ event }) => event === 'revoked')?.byUserId).toBe('user_a')
  })

  it('revoking what does not exist answers null', async () => {
    expect(await keys.revoke(mintKey(), { userId: null })).toBeNull()
    expect(await keys.revoke('key_unknown', { userId: null })).toBeNull()
  })

  it('names and own limits outside their range are refused', async () => {
    for (const name of [
      '',
      '   ',
      'x'.repeat(101),
      'two\nlines',
      'a\0b',
      '\u001B[2Jcleared',
      '\u200B',
      '\u202Eyek',
    ]) {
      await expect(keys.create({ name, ownerId: null })).rejects.toThrow(RangeError)
    }
    for (const rateLimitPoints of [0, -1, 1.5, Number.NaN, 1_000_001, 2 ** 31, 2 ** 53]) {
      await expect(keys.create({ name: 'n', ownerId: null, rateLimitPoints })).rejects.toThrow(RangeError)
    }
  })

  describe('of two owners', () => {
    const OWNERS = ['user_ada', 'user_bob'] as const
    beforeEach(async () => {
      for (const id of OWNERS) {
        await current()
          .store.database.insertInto('users')
          .values({
            id,
            email: `${id}@example.org`,
            name: id,
            password_hash: null,
            is_admin: 0,
            oidc_issuer: null,
            oidc_subject: null,
            created_at: 0,
            disabled_at: null,
          })
          .execute()
      }
    })

    it('are listed apart, and together for admins; revoked ones only on request', async () => {
      const ada = await keys.create({ name: 'a', ownerId: 'user_ada' })
      const bob = await keys.create({ name: 'b', ownerId: 'user_bob' })
      expect((await keys.list({ ownerId: 'user_ada' })).map(({ id }) => id)).toEqual([ada.record.id])
      expect((await keys.list()).map(({ id }) => id).toSorted()).toEqual(
        [ada.record.id, bob.record.id].toSorted(),
      )
      await keys.revoke(bob.key, { userId: 'user_bob' })
      expect((await keys.list()).map(({ id }) => id)).toEqual([ada.record.id])
      expect(await keys.list({ withRevoked: true })).toHaveLength(2)
    })

    it('one owner can neither see, revoke nor read the events of the key of another', async () => {
      const { record, key } = await keys.create({ name: 'b', ownerId: 'user_bob' })
      expect(await keys.get(record.id, 'user_ada')).toBeNull()
      expect(await keys.revoke(record.id, { userId: 'user_ada', ownerId: 'user_ada' })).toBeNull()
      expect(await keys.events({ ownerId: 'user_ada' })).toEqual([])
      expect(await keys.verify(key)).not.toBeNull()
      expect((await keys.events({ ownerId: 'user_bob' }))[0]?.byEmail).toBe('user_bob@example.org')
    })
  })

  it('a key that was just used says so at once, before its last use is written', async () => {
    const { key, record } = await keys.create({ name: 'used', ownerId: null })
    await keys.verify(key, 'curl/8.5.0')
    const used = { lastUsedAt: expect.any(Date), lastUsedClient: 'curl/8.5.0' }
    expect([await keys.get(record.id), await keys.list()]).toMatchObject([used, [used]])
  })

  it('the last use of a key is kept when the service closes', async () => {
    const { key, record } = await keys.create({ name: 'used', ownerId: null })
    await keys.verify(key)
    await keys.close()
    expect((await keys.get(record.id))?.lastUsedAt).toBeInstanceOf(Date)
  })
})
