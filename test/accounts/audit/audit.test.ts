import { expect, it } from 'vitest'
import { AUDIT_ACTIONS, createAudit } from '../../../src/accounts/audit/audit.ts'
import { openStore } from '../../../src/accounts/store/open-store.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { describeEachStore, silent } from '../each-store.ts'

const DAY_MS = 86_400_000

describeEachStore('the audit log', (current) => {
  it('tells what was done, newest first, all of it or one kind, page by page', async () => {
    const audit = createAudit({ store: current().store, log: silent })
    await audit.note({ actorId: null, action: 'key_created', subject: 'Website' })
    await audit.note({ actorId: 'user_gone', action: 'key_deleted', subject: 'x'.repeat(1_000) })
    const all = await audit.list({ limit: 10 })
    expect(new Set(all.map(({ action }) => action))).toEqual(new Set(['key_created', 'key_deleted']))
    expect(await audit.list({ action: 'key_created', limit: 10 })).toMatchObject([
      { action: 'key_created', subject: 'Website', actorEmail: null },
    ])
    expect(all.every(({ subject }) => subject.length <= 200)).toBe(true)
    expect(await audit.list({ before: new Date(Date.now() - DAY_MS), limit: 10 })).toEqual([])
    await audit.close()
  })

  it('forgets entries after 400 days', async () => {
    const { database } = current().store
    const old = { occurred_at: Date.now() - 401 * DAY_MS, entry_id: 'old', actor_id: null }
    await database
      .insertInto('audit_log')
      .values({ ...old, action: AUDIT_ACTIONS[0], subject: 'long ago' })
      .execute()
    const audit = createAudit({ store: current().store, log: silent })
    await audit.note({ actorId: null, action: 'key_created', subject: 'now' })
    await audit.close()
    expect((await audit.list({ limit: 10 })).map(({ subject }) => subject)).toEqual(['now'])
  })

  it('leaves an entry in the log that the store cannot take, and what was done stands', async () => {
    const lines: string[] = []
    const log = createLogger('info', { write: (line) => lines.push(line) })
    const gone = await openStore(current().location, { log: silent })
    const audit = createAudit({ store: gone, log })
    await gone.close()
    await audit.note({ actorId: null, action: 'key_created', subject: 'Website' })
    expect(lines.join('')).toContain('"subject":"Website"')
  })
})
