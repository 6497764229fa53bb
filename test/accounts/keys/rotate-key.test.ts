import { expect, it } from 'vitest'
import { openKeys } from '../../../src/accounts/keys/keys.ts'
import { clientOf } from '../../../src/accounts/keys/last-used.ts'
import { rotateKey, type Rotation } from '../../../src/accounts/keys/rotate-key.ts'
import { describeEachStore, silent } from '../each-store.ts'

const HOUR_MS = 3_600_000

describeEachStore('a key that is rotated', (current) => {
  const rotate = (rotation: Omit<Rotation, 'userId'>) =>
    current().store.exclusively((transaction) => rotateKey(transaction, { userId: 'user_ada', ...rotation }))

  it('is followed by one of the same name, limit and scopes, and works until the time that was set', async () => {
    const keys = openKeys({ store: current().store, log: silent })
    const old = await keys.create({ name: 'Website', ownerId: null, rateLimitPoints: 7, scopes: ['read'] })
    const fresh = await rotate({ id: old.record.id, graceMs: HOUR_MS })
    expect(fresh?.record).toMatchObject({
      name: 'Website',
      rateLimitPoints: 7,
      scopes: ['read'],
      isPathToken: false,
      expiresAt: null,
    })
    expect(fresh?.key).not.toBe(old.key)
    const dying = await keys.verify(old.key)
    expect(dying?.name).toBe('Website (old)')
    const left = (dying?.expiresAt?.getTime() ?? 0) - Date.now()
    expect(left).toBeGreaterThan(HOUR_MS - 60_000)
    expect(left).toBeLessThanOrEqual(HOUR_MS)
    expect((await keys.verify(fresh?.key))?.id).toBe(fresh?.record.id)
    await keys.close()
  })

  it('dies at once when no time is given, and never later than it was to expire', async () => {
    const keys = openKeys({ store: current().store, log: silent })
    const [first, second] = [
      await keys.create({ name: 'x'.repeat(100), ownerId: null }),
      await keys.create({ name: 'Soon', ownerId: null, expiresAt: new Date(Date.now() + 60_000) }),
    ]
    expect((await rotate({ id: first.record.id, graceMs: 0 }))?.record.name).toBe('x'.repeat(100))
    expect(await keys.verify(first.key)).toBeNull()
    await rotate({ id: second.record.id, graceMs: HOUR_MS })
    expect((await keys.verify(second.key))?.expiresAt).toEqual(second.record.expiresAt)
    await keys.close()
  })

  it('is called old once, however often it is rotated, and what follows it is not', async () => {
    const keys = openKeys({ store: current().store, log: silent })
    const { record } = await keys.create({ name: 'Website', ownerId: null })
    await rotate({ id: record.id, graceMs: HOUR_MS })
    expect((await rotate({ id: record.id, graceMs: HOUR_MS }))?.record.name).toBe('Website')
    expect((await keys.get(record.id))?.name).toBe('Website (old)')
    await keys.close()
  })

  it('must be usable, and one’s own where that is asked', async () => {
    const keys = openKeys({ store: current().store, log: silent })
    const { record } = await keys.create({ name: 'Website', ownerId: null })
    expect(await rotate({ id: record.id, graceMs: 0, ownerId: 'user_other' })).toBeNull()
    await keys.revoke(record.id, { userId: null })
    expect(await rotate({ id: record.id, graceMs: 0 })).toBeNull()
    expect(await rotate({ id: 'key_none', graceMs: 0 })).toBeNull()
    await keys.close()
  })

  it('tells by which client it was used last', async () => {
    const keys = openKeys({ store: current().store, log: silent })
    const { key, record } = await keys.create({ name: 'Website', ownerId: null })
    await keys.verify(key, 'python-requests/2.32.3 extra')
    await keys.close()
    expect(await keys.get(record.id)).toMatchObject({ lastUsedClient: 'python-requests/2.32.3' })
  })
})

it('a client is told by the product it names first, and by nothing else it sends', () => {
  expect(clientOf('curl/8.5.0')).toBe('curl/8.5.0')
  expect(clientOf('node')).toBe('node')
  expect(clientOf('Mozilla/5.0 (X11; Linux)')).toBe('Mozilla/5.0')
  for (const odd of ['', '<script>alert(1)</script>', 'x'.repeat(500), '/1.0'])
    expect(clientOf(odd)).toBeNull()
})
