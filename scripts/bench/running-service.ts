// The compiled service as a process of its own, and what can be seen of it from outside: metrics, memory, processes.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { childProcesses } from '../../test/support/browser.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const START_LIMIT_MS = 60_000
const MEBIBYTE = 2 ** 20

export type RunningService = Awaited<ReturnType<typeof startCompiledService>>

/** Builds, and starts `serve` in a temporary folder; MODEL_DIR and the like are taken from the environment. */
export async function startCompiledService(environment: NodeJS.ProcessEnv) {
  const build = spawnSync('npm', ['run', '-s', 'build'], { cwd: ROOT, encoding: 'utf8' })
  if (build.status !== 0) throw new Error(`the build failed:\n${build.stdout}`)
  const dataDir = mkdtempSync(join(tmpdir(), 'verbatim-load-'))
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'main.js'), 'serve'], {
    env: {
      MODEL_DIR: join(ROOT, 'data', 'models'),
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      SEARCH_PROVIDERS: 'searxng',
      EGRESS_ALLOW: '127.0.0.0/8',
      RATE_LIMIT_POINTS: '100000000',
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += String(chunk)))
  const giveUpAt = Date.now() + START_LIMIT_MS
  while (!/API key {2,}\S+/u.test(printed)) {
    if (child.exitCode !== null || Date.now() > giveUpAt)
      throw new Error(`the service did not start:\n${printed}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const url = /is up at (\S+)/u.exec(printed)?.[1] ?? ''
  const key = /API key {2,}(\S+)/u.exec(printed)?.[1] ?? ''
  const pid = child.pid ?? 0
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return {
    url,
    headers,
    /** One balanced search of five pages, read to its end; gives its `Server-Timing`. */
    async search(query: string): Promise<{ serverTiming: string }> {
      const body = JSON.stringify({ query, num_results: 5 })
      const response = await fetch(`${url}/v1/search`, { method: 'POST', headers, body })
      await response.json()
      if (response.status !== 200) throw new Error(`a search was answered with ${response.status}`)
      return { serverTiming: response.headers.get('Server-Timing') ?? '' }
    },
    /** The samples of /metrics by series. */
    async scrape(): Promise<ReadonlyMap<string, number>> {
      const text = await (await fetch(`${url}/metrics`)).text()
      const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      return new Map(
        samples.map((line) => {
          const space = line.lastIndexOf(' ')
          return [line.slice(0, space), Number(line.slice(space + 1))]
        }),
      )
    },
    /** Resident memory of the service alone, and how many processes it runs, browser included. */
    inspect: () => ({ residentMegabytes: residentMegabytes(pid), processes: childProcesses(/./u).length }),
    async close(): Promise<void> {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Which machine the figures are from, and how busy others keep it. */
export function describeMachine(): string {
  const [first] = cpus()
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  const busy = loadavg()[0]?.toFixed(1)
  return `${cpus().length} × ${first?.model.trim()}, ${gibibytes} GiB, Node ${process.version}, load average before ${busy}`
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round((Number(/^VmRSS:\s+(\d+) kB/mu.exec(status)?.[1] ?? 0) * 1_024) / MEBIBYTE)
}
