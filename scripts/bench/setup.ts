// How long a fresh clone takes from `npm start` to the first answer, what it puts on the disk, and how large the layers of
// the image become that hold the same files. The clone is of HEAD, in a temporary folder, with an empty cache of compiled
// files and then with a filled one; npm's own cache of packages stays.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/programs.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const READY_MS = 15 * 60_000
const POLL_MS = 50

interface Start {
  seconds: number
  /** Of each step of the set-up. */
  steps: Readonly<Record<string, number>>
}

export async function benchSetup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-setup-'))
  try {
    const first = clone(folder, 'first')
    tell('fresh clone, SQLite compiled or prebuilt', await start(first, folder))
    tell('the same clone again', await start(first, folder))
    rmSync(join(first, 'dist'), { recursive: true })
    tell('the same clone after its sources changed', await start(first, folder))
    tell('another clone, SQLite from the cache', await start(clone(folder, 'second'), folder))
    tellSizes(first)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function clone(folder: string, name: string): string {
  execFileSync('git', ['clone', '-q', ROOT, join(folder, name)])
  return join(folder, name)
}

/** From the command to the first answer of /health; then the service is ended. */
async function start(checkout: string, folder: string): Promise<Start> {
  const port = await freePort()
  const environment = {
    XDG_CACHE_HOME: join(folder, 'cache'),
    DATA_DIR: join(folder, `data-${port}`),
    PORT: String(port),
  }
  const startedAt = Date.now()
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  try {
    await untilHealthy(child, port, () => log)
    return { seconds: (Date.now() - startedAt) / 1000, steps: stepsIn(log) }
  } finally {
    await end(child)
  }
}

async function untilHealthy(child: ChildProcess, port: number, log: () => string): Promise<void> {
  const deadline = Date.now() + READY_MS
  while (child.exitCode === null && Date.now() < deadline) {
    const isUp = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await sleep(POLL_MS)
  }
  throw new Error(`it does not come up:\n${log()}`)
}

function stepsIn(log: string): Record<string, number> {
  const lines = log.split('\n').filter((line) => line.includes('set-up has done a step'))
  const steps = lines.map((line) => JSON.parse(line) as { step: string; detail?: string; seconds: number })
  return Object.fromEntries(
    steps.map(({ step, detail, seconds }) => [
      step === 'SQLite' && detail !== undefined ? `${step}, ${detail}` : step,
      seconds,
    ]),
  )
}

/** npm, its shell and the service are one group. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  process.kill(-child.pid, 'SIGTERM')
  await ended
}

function tell(what: string, { seconds, steps }: Start): void {
  const told = Object.entries(steps).map(([step, time]) => `${step} ${time} s`)
  console.log(`${what}: ready after ${seconds.toFixed(1)} s${told.length > 0 ? ` (${told.join(', ')})` : ''}`)
}

/** Layers of the Dockerfile's last stage that are ours; its base, Chromium and fonts are the distribution's. */
function tellSizes(checkout: string): void {
  const modules = join(checkout, 'node_modules')
  const left = ['.verbatim', 'better-sqlite3/deps', 'better-sqlite3/src'].map((path) =>
    sizeOf(join(modules, path)),
  )
  const layers = {
    'node_modules for running (with the bundler that builds)': sizeOf(modules),
    'layer: packages': sizeOf(modules) - left.reduce((sum, size) => sum + size, 0),
    'layer: models': sizeOf(join(checkout, 'models')),
    'layer: public and docs': sizeOf(join(checkout, 'public')) + sizeOf(join(checkout, 'docs')),
    'layer: the bundled service, all that an edit of the source ships': sizeOf(join(checkout, 'dist')),
    'Node itself': sizeOf(process.execPath),
    'Chromium of this machine': sizeOf('/usr/lib/chromium'),
  }
  for (const [what, bytes] of Object.entries(layers)) console.log(`${what}: ${(bytes / 1e6).toFixed(1)} MB`)
}

function sizeOf(path: string): number {
  if (!existsSync(path)) return 0
  const facts = lstatSync(path)
  if (!facts.isDirectory()) return facts.isSymbolicLink() ? 0 : facts.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
