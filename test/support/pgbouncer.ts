// A real PgBouncer in transaction mode before a database, on a random loopback port.
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { endProgram, findProgram, freePort, pathFolders, startProgram, waitUntil } from './programs.ts'
import { unprivilegedIdentity } from './postgres.ts'

const server = findProgram('pgbouncer', () => [...pathFolders(), '/usr/sbin'], 'pgbouncer')

/** False when PgBouncer is neither here nor installable: skip with `describe.skipIf(!hasPgbouncer)`. */
export const hasPgbouncer = server !== null

/** So few connections to the server that clients must share them. Its settings are those a package comes with. */
export async function startPgbouncer(databaseUrl: string, connections = 2) {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: serverPort, pathname } = new URL(databaseUrl)
  const lines = [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${serverPort} user=verbatim`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${connections}`,
    'unix_socket_dir =',
  ]
  writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`)
  const identity = unprivilegedIdentity()
  for (const path of [folder, join(folder, 'pgbouncer.ini')])
    if (identity.uid !== undefined) chownSync(path, identity.uid, identity.gid ?? identity.uid)
  const child = startProgram(server ?? 'pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], identity)
  const url = `postgres://verbatim@127.0.0.1:${port}${pathname}`
  await waitUntil(async () => {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    await client.end()
  })
  return {
    url,
    async stop() {
      await endProgram(child, 'SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
