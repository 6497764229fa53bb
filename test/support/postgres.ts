// A real PostgreSQL for tests, on a random loopback port, in a temporary folder, trusting everyone on it.
import { spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { endProgram, findProgram, freePort, pathFolders, startProgram, waitUntil } from './programs.ts'

const server = findProgram('postgres', postgresFolders, 'postgresql')
const initdb = findProgram('initdb', postgresFolders, 'postgresql')

/** False when PostgreSQL is neither here nor installable: skip with `describe.skipIf(!hasPostgres)`. */
export const hasPostgres = server !== null && initdb !== null

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>

/**
 * One server. Its files are not synchronised to the disk: tests kill processes, not the machine. It compiles no query, which
 * takes seconds where others use the processor too.
 */
export async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-postgres-'))
  const identity = unprivilegedIdentity()
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid ?? identity.uid)
  const options: SpawnOptions = { ...identity, cwd: folder }
  const made = spawnSync(
    initdb ?? 'initdb',
    ['-D', join(folder, 'data'), '-U', 'verbatim', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    options,
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr)}`)
  const port = await freePort()
  const words = wordsOf(join(folder, 'data'), port, folder)
  const start = () => startProgram(server ?? 'postgres', words, options)
  let child = start()
  const copies: { stop: () => Promise<void> }[] = []
  const urlOf = (database: string): string => `postgres://verbatim@127.0.0.1:${port}/${database}`
  const answers = (): Promise<void> => query(urlOf('postgres'), 'select 1')
  await waitUntil(answers)
  let databases = 0
  return {
    port,
    /** A fresh empty database; returns its address. */
    async createDatabase(): Promise<string> {
      databases += 1
      await query(urlOf('postgres'), `create database test_${databases}`)
      return urlOf(`test_${databases}`)
    },
    /** Ends the server: fast shutdown, or kill -9. */
    kill: (signal: 'SIGINT' | 'SIGKILL' = 'SIGKILL') =>
      signal === 'SIGKILL' ? endWithItsOwn(child) : endProgram(child, signal),
    /** Starts it again on the same port after `kill`. */
    async start() {
      child = start()
      await waitUntil(async () => {
        // It refuses to start while a process of the killed one still holds the memory they share.
        if (child.exitCode !== null) child = start()
        await answers()
      })
    },
    /** A second server that streams every change of this one and can only be read. */
    async startReplica() {
      const replica = await copyServer(port, folder, options)
      copies.push(replica)
      return replica
    },
    async stop() {
      for (const copy of copies) await copy.stop()
      await endProgram(child, 'SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** kill -9; what it has started would answer its clients for a moment longer. */
async function endWithItsOwn(child: ChildProcess): Promise<void> {
  const own = `/proc/${child.pid}/task/${child.pid}/children`
  const started = existsSync(own) ? (readFileSync(own, 'utf8').match(/\d+/gu) ?? []) : []
  await endProgram(child, 'SIGKILL')
  for (const pid of started) {
    if (existsSync(`/proc/${pid}`)) spawnSync('kill', ['-9', pid])
  }
}

/** How a server is started over the files in `data`, with its socket in `folder`. */
function wordsOf(data: string, port: number, folder: string): string[] {
  const settings = ['-c', 'fsync=off', '-c', 'jit=off']
  return ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder, ...settings]
}

async function copyServer(primaryPort: number, folder: string, options: SpawnOptions) {
  const port = await freePort()
  const data = join(folder, `replica-${port}`)
  const source = ['-h', '127.0.0.1', '-p', String(primaryPort), '-U', 'verbatim']
  const flags = ['-D', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
  const copied = spawnSync(join(dirname(initdb ?? ''), 'pg_basebackup'), [...source, ...flags], options)
  if (copied.status !== 0) throw new Error(`pg_basebackup failed: ${String(copied.stderr)}`)
  const words = wordsOf(data, port, folder)
  const start = () => startProgram(server ?? 'postgres', words, options)
  let child = start()
  const urlOf = (database: string): string => `postgres://verbatim@127.0.0.1:${port}/${database}`
  const answers = (): Promise<void> => query(urlOf('postgres'), 'select 1')
  await waitUntil(answers)
  return {
    /** The address of the copy of a database, given the original's. */
    urlOf: (databaseUrl: string): string => urlOf(new URL(databaseUrl).pathname.slice(1)),
    kill: () => endProgram(child, 'SIGQUIT'),
    pause: () => child.kill('SIGSTOP'),
    async start() {
      child = start()
      await waitUntil(answers)
    },
    stop: () => endProgram(child, 'SIGKILL'),
  }
}

function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql'
  try {
    return [...readdirSync(root).map((version) => join(root, version, 'bin')), ...pathFolders()]
  } catch {
    return pathFolders()
  }
}

/** PostgreSQL refuses to run as root: there the package's own user runs it. */
export function unprivilegedIdentity(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const ask = (flag: string): number => Number(String(spawnSync('id', [flag, 'postgres']).stdout).trim())
  return { uid: ask('-u'), gid: ask('-g') }
}

/** Asks one thing of a database, over a connection of its own. */
export async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
