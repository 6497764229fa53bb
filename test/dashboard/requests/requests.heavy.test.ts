// The list of requests outlives processes and is one for all replicas: real processes over a real store.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { waitUntil } from '../../support/programs.ts'
import { startServiceProcess, type ServiceProcess } from '../../support/service-process.ts'
import { createVisitorClient, type VisitorClient } from '../visitor-client.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function start(environment: NodeJS.ProcessEnv): Promise<ServiceProcess> {
  const replica = await startServiceProcess(environment)
  closers.push(() => replica.end('SIGKILL'))
  return replica
}

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-requests-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** What a first start prints: the key, and the link that the administrator follows here. */
async function takeOver(replica: ServiceProcess): Promise<{ key: string; admin: VisitorClient }> {
  const [, key = ''] = /(vbt_[0-9A-Za-z]{36})/u.exec(replica.output()) ?? []
  const [, invitation = ''] = /(\/invitations\/vbi_\S+)/u.exec(replica.output()) ?? []
  const admin = createVisitorClient(replica.url)
  const fields = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery 7' }
  await admin.post(invitation, invitation, fields)
  return { key, admin }
}

const ask = async ({ post }: ServiceProcess, key: string, id: string): Promise<void> => {
  const headers = { 'X-Request-Id': id }
  expect((await post('/v1/search', { key, body: { query: '' }, headers })).status).toBe(400)
}

/** The requests that are listed, newest first. */
const idsOn = async (visitor: VisitorClient): Promise<string[]> => [
  ...new Set((await visitor.text('/requests')).match(/asked-\w+/gu)),
]

test('requests are listed after a restart, the last before it among them', async () => {
  const DATA_DIR = await openFolder()
  const before = await start({ DATA_DIR, SEARCH_PROVIDERS: 'library' })
  const { key, admin } = await takeOver(before)
  await ask(before, key, 'asked-first')
  await ask(before, key, 'asked-last')
  expect(await before.end()).toBe(0)
  await start({ DATA_DIR, SEARCH_PROVIDERS: 'library', PORT: String(before.port) })
  expect(await idsOn(admin)).toEqual(['asked-last', 'asked-first'])
})

test.skipIf(!hasPostgres)(
  'each of two replicas lists what both were asked, after both were restarted too',
  async () => {
    const postgres = await startPostgres()
    closers.push(() => postgres.stop())
    const environment = { DATABASE_URL: await postgres.createDatabase(), SEARCH_PROVIDERS: 'library' }
    const startAgain = async (port?: number) =>
      start({
        ...environment,
        DATA_DIR: await openFolder(),
        ...(port === undefined ? {} : { PORT: String(port) }),
      })
    const one = await startAgain()
    const other = await startAgain()
    const { key, admin } = await takeOver(one)
    const onOther = createVisitorClient(other.url)
    for (const [name, value] of admin.cookies) onOther.cookies.set(name, value)
    await ask(one, key, 'asked-one')
    await ask(other, key, 'asked-other')
    for (const visitor of [admin, onOther])
      await waitUntil(async () =>
        expect((await idsOn(visitor)).toSorted()).toEqual(['asked-one', 'asked-other']),
      )
    for (const replica of [one, other]) {
      expect(await replica.end()).toBe(0)
      await startAgain(replica.port)
    }
    for (const visitor of [admin, onOther])
      expect((await idsOn(visitor)).toSorted()).toEqual(['asked-one', 'asked-other'])
  },
)
