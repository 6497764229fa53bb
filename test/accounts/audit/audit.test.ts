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
    const { entries: all } = await audit.list({ limit: 10 })
    expect(new Set(all.map(({ action }) => action))).toEqual(new Set(['key_created', 'key_deleted']))
    expect(await audit.list({ action: 'key_created', limit: 10 })).toMatchObject({
      entries: [{ action: 'key_created', subject: 'Website', actorEmail: null }],
      next: null,
    })
    expect(all.every(({ subject }) => subject.length <= 200)).toBe(true)
    await audit.close()
  })

  it('leaves no entry out between two pages, however many were noted in one moment', async () => {
    const moment = { occurred_at: Date.now(), actor_id: null, action: AUDIT_ACTIONS[0] }
    const subjects = ['a', 'b', 'c', 'd', 'e']
    await current()
      .store.database.insertInto('audit_log')
      .values(subjects.map((subject) => ({ ...moment, entry_id: `event_${subject}`, subject })))
      .execute()
    const audit = createAudit({ store: current().store, log: silent })
    const listed: string[] = []
    for (let page = await audit.list({ limit: 2 }); ;) {
      listed.push(...page.entries.map(({ subject }) => subject))
      if (page.next === null) break
      page = await audit.list({ limit: 2, before: page.next })
    }
    expect(listed).toEqual(subjects.toReversed())
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
    const { entries } = await audit.list({ limit: 10 })
    expect(entries.map(({ subject }) => subject)).toEqual(['now'])
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
