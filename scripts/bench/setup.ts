// How long a fresh clone takes from `npm start` to the first answer, what it puts on the disk, and how large the image
// becomes: the layers that are ours, and where buildah is, the whole. The clone is of HEAD, in a temporary folder, with an
// empty cache of compiled files and then with a filled one; npm's own cache of packages stays.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/programs.ts'
import { benchImage } from './image.ts'
import { describeMachine } from './running-service.ts'
import { describeFigure, sizesOf } from './setup-figures.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const READY_MS = 15 * 60_000
const POLL_MS = 50
/** Seconds until it is ready. */
const AIMS = { compiled: 75, prebuilt: 45, pulled: 10 }

interface Start {
  seconds: number
  /** Of each step of the set-up. */
  steps: Readonly<Record<string, number>>
}

export async function benchSetup({ isImageApart }: { isImageApart: boolean }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-setup-'))
  try {
    console.log(describeMachine())
    const first = clone(folder, 'first')
    const fresh = await start(first, folder)
    const isCompiled = Object.keys(fresh.steps).includes('SQLite, compiled')
    tell(`fresh clone, SQLite ${isCompiled ? 'compiled' : 'prebuilt'}`, fresh, {
      aim: isCompiled ? AIMS.compiled : AIMS.prebuilt,
    })
    tell('the same clone again', await start(first, folder), {})
    rmSync(join(first, 'dist'), { recursive: true })
    tell('after a pull, when sources changed', await start(first, folder), { aim: AIMS.pulled })
    const cached = await start(clone(folder, 'second'), folder)
    tell('another clone, SQLite from the cache', cached, { aim: AIMS.prebuilt })
    for (const figure of sizesOf(first, folder)) console.log(describeFigure(figure))
    if (isImageApart) return
    if (spawnSync('buildah', ['--version']).status === 0) await benchImage()
    else console.log('NOT MEASURED: the whole image, since buildah is not here (npm run bench -- image)')
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

function tell(what: string, { seconds, steps }: Start, aim: { aim?: number }): void {
  const told = Object.entries(steps).map(([step, time]) => `${step} ${time} s`)
  const figure = describeFigure({ what: `${what}: ready after`, value: seconds, unit: 's', ...aim })
  console.log(told.length > 0 ? `${figure}; ${told.join(', ')}` : figure)
}
