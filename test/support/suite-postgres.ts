// The one PostgreSQL that tests share, for as long as a run lasts: whoever neither ends nor copies its server needs no
// other, and starting one takes most of a second.
import { env, pid } from 'node:process'
import { hasPostgres, query, startPostgres } from './postgres.ts'

/** Variable by which workers learn where the server listens. */
const PORT = 'VERBATIM_SUITE_POSTGRES_PORT'
let databases = 0

/** Starts it for vitest, which calls this once around the tests of a project, and what it returns after them. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!hasPostgres) return undefined
  const server = await startPostgres()
  env[PORT] = String(server.port)
  return () => server.stop()
}

/** A fresh database of that server, empty or as `template` is, to which nobody may be connected; returns its address. */
export async function createDatabase(template?: string): Promise<string> {
  databases += 1
  const name = `test_${pid}_${databases}`
  const copied = template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)}`
  await query(addressOf('postgres'), `create database ${name}${copied}`)
  return addressOf(name)
}

function addressOf(database: string): string {
  const { [PORT]: port } = env
  if (port === undefined)
    throw new Error('The tests of this project are not given a PostgreSQL: see vitest.config.ts')
  return `postgres://verbatim@127.0.0.1:${port}/${database}`
}
