// Real Redis servers for tests: one alone, one behind a sentinel, or a Redis Cluster of three masters, on random loopback ports.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProgram, findProgram, freePort, pathFolders, startProgram, waitUntil } from './programs.ts'

const server = findProgram('redis-server', pathFolders, 'redis-server')
const client = findProgram('redis-cli', pathFolders, 'redis-tools')

/** False when Redis is neither here nor installable: skip with `describe.skipIf(!hasRedis)`. */
export const hasRedis = server !== null && client !== null

export type RedisServer = Awaited<ReturnType<typeof startRedis>>

/** One Redis that keeps nothing. `extra` are further options of redis-server; `password`, when they ask for one. */
export async function startRedis(extra: string[] = [], password?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-redis-'))
  const port = await freePort()
  const options = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const start = () => startProgram(server ?? 'redis-server', [...options, ...extra])
  const login = password === undefined ? [] : ['--no-auth-warning', '-a', password]
  const ask = (...words: string[]): string => command(port, ...login, ...words)
  let child = start()
  const answers = (): void => {
    if (ask('ping') !== 'PONG') throw new Error(`Redis on ${port} does not answer`)
  }
  await waitUntil(answers)
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    /** Sends one command through redis-cli and returns what it prints. */
    command: ask,
    /** kill -9; everything in it is gone. */
    kill: () => endProgram(child, 'SIGKILL'),
    /** SIGSTOP: connections stay open and nothing answers. */
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    /** Starts it again on the same port after `kill`. */
    async start() {
      child = start()
      await waitUntil(answers)
    },
    async stop() {
      await endProgram(child, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A Redis Cluster of three masters that go on when one of them is down. */
export async function startRedisCluster() {
  const nodes = await Promise.all([0, 1, 2].map(() => startClusterNode()))
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
  const created = spawnSync(client ?? 'redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'])
  if (created.status !== 0) throw new Error(`no cluster: ${String(created.stdout)} ${String(created.stderr)}`)
  await waitUntil(() => {
    for (const node of nodes) {
      if (!node.command('cluster', 'info').includes('cluster_state:ok'))
        throw new Error('the cluster is not ready')
    }
  })
  return {
    nodes,
    url: `redis://${addresses.join(',')}`,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

async function startClusterNode(): Promise<RedisServer> {
  const busPort = String(await freePort())
  const cluster = [
    '--cluster-enabled',
    'yes',
    '--cluster-config-file',
    'nodes.conf',
    '--cluster-port',
    busPort,
  ]
  return startRedis([...cluster, '--cluster-require-full-coverage', 'no', '--cluster-node-timeout', '2000'])
}

/** One sentinel that alone decides on a failover, half a second after the master named `name` falls silent. */
export async function startSentinel(name: string, master: RedisServer) {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-sentinel-'))
  const port = await freePort()
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${name} 127.0.0.1 ${master.port} 1`,
    `sentinel down-after-milliseconds ${name} 500`,
    `sentinel failover-timeout ${name} 3000`,
  ]
  writeFileSync(join(folder, 'sentinel.conf'), `${lines.join('\n')}\n`)
  const child = startProgram(server ?? 'redis-server', [join(folder, 'sentinel.conf'), '--sentinel'])
  await waitUntil(() => {
    if (command(port, 'ping') !== 'PONG') throw new Error(`the sentinel on ${port} does not answer`)
  })
  return {
    url: `redis://127.0.0.1:${port}?sentinel=${name}`,
    command: (...words: string[]) => command(port, ...words),
    async stop() {
      await endProgram(child, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function command(port: number, ...words: string[]): string {
  const done = spawnSync(client ?? 'redis-cli', ['-p', String(port), ...words], { timeout: 5_000 })
  return String(done.stdout).trim()
}
