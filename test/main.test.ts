import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../src/contract.ts'
import { freePort, waitUntil } from './support/programs.ts'
import { article, startSearchSite } from './support/search-site.ts'

const MAIN = join(import.meta.dirname, '..', 'dist', 'main.js')
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-main-'))
  folders.push(folder)
  return folder
}

/** Starts the built service and waits until it is up. */
async function launch(environment: NodeJS.ProcessEnv) {
  const port = environment['PORT'] ?? String(await freePort())
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: { ...process.env, LOG_LEVEL: 'warn', EGRESS_ALLOW: '127.0.0.1', ...environment, PORT: port },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await waitUntil(() => {
    if (child.exitCode === null && !output.includes('is up at'))
      throw new Error(`it does not come up: ${output}`)
  }, 120_000)
  if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${output}`)
  return { child, url: `http://127.0.0.1:${port}`, port, output: () => output }
}

/** What it has said when its greeting, which may arrive in pieces, has come to the end of what the first run is told. */
async function firstRunOf({ output }: { output: () => string }): Promise<string> {
  await expect.poll(output, { timeout: 30_000 }).toMatch(/\}'\n/u)
  return output()
}

/** One that ends with its test at the latest. */
async function start(environment: NodeJS.ProcessEnv) {
  const service = await launch(environment)
  closers.push(() => (service.child.exitCode === null ? service.child.kill('SIGKILL') : true))
  return service
}

/** One that has been started before and runs on to the end of this file, for tests that need no other. */
let lasting: {
  folder: string
  /** The home folder of its user. */
  home: string
  first: string
  service: Promise<Awaited<ReturnType<typeof launch>>>
} | null = null
async function startLasting() {
  if (lasting === null) {
    const [folder, home] = [newFolder(), newFolder()]
    // Where CI is set some parts keep from reporting to their makers by themselves.
    const environment = { DATA_DIR: folder, HOME: home, CI: undefined, BROWSER: 'off' }
    const first = await start(environment)
    const told = await firstRunOf(first)
    first.child.kill('SIGTERM')
    expect(await exitOf(first.child)).toBe(0)
    lasting = { folder, home, first: told, service: launch(environment) }
  }
  return { ...lasting, ...(await lasting.service) }
}
afterAll(async () => void (await lasting?.service)?.child.kill('SIGKILL'))

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode)
    else child.once('exit', (code) => resolve(code))
  })

const command = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], { env: { ...process.env, ...environment }, encoding: 'utf8' })

let refused: ReturnType<typeof command> | null = null
/** What any command says that does need the configuration, which is wrong; run once for the tests that compare with it. */
const commandThatNeedsConfiguration = () => (refused ??= command({ PORT: 'none' }, 'keys', 'list'))

/** Every process that descends from `pid`, zombies left out. */
function descendants(pid: number): number[] {
  const rows = spawnSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' }).stdout.trim().split('\n')
  const parents = rows.map((row) => row.trim().split(/\s+/u)).filter((row) => !row[2]?.startsWith('Z'))
  const childrenOf = (parent: number): number[] =>
    parents.flatMap((row) =>
      Number(row[1]) === parent ? [Number(row[0])].concat(childrenOf(Number(row[0]))) : [],
    )
  return childrenOf(pid)
}

const isRunning = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

describe('the first start', () => {
  test('prints a key, an invitation and a curl line; the line works as it stands and its answer answers', async () => {
    const service = await start({ DATA_DIR: newFolder() })
    const output = await firstRunOf(service)
    expect(output).toMatch(/vbt_[0-9A-Za-z]{36}/u)
    expect(output).toMatch(/http:\/\/127\.0\.0\.1:\d+\/invitations\/\S+/u)
    const line = /curl -s [\s\S]*?\}'/u.exec(output)?.[0] ?? ''
    const { stdout, status } = spawnSync('bash', ['-c', line], { encoding: 'utf8' })
    expect(status).toBe(0)
    const answer = JSON.parse(stdout) as SearchResponse
    expect(answer.query).toBe('How do I revoke an API key?')
    expect(answer.results[0]?.url).toContain(`${service.url}/docs/`)
    const best = answer.results.flatMap((result) => result.snippets).map((snippet) => snippet.text)
    expect(best.join('\n')).toMatch(/revoke/iu)
    const warnings = answer.results.flatMap(({ warning }) => warning ?? [])
    // A busy machine renders no ten pages in the time of a search, and says so.
    expect(warnings.filter((warning) => !/\btime\b/u.test(warning))).toEqual([])
  })

  test('is the only one to print them, and the next start is healthy', async () => {
    const second = await startLasting()
    expect(second.first).toMatch(/vbt_[^]*invitations|invitations[^]*vbt_/u)
    expect(second.output()).not.toMatch(/vbt_|invitations/u)
    expect(await (await fetch(`${second.url}/health`)).json()).toEqual({ status: 'ok' })
  })

  test('leaves nothing in the home folder of its user: no part keeps an identifier there, or what it would report', async () => {
    const { home } = await startLasting()
    expect(readdirSync(home, { recursive: true })).toEqual([])
  })
})

describe.each(['SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  test('stops accepting, finishes what is under way, ends with 0 and leaves no process behind', async () => {
    let answerPage: (() => unknown) | null = null
    const page = article('Slow', ['A slow page about keys.'])
    const site = await startSearchSite({
      '/slow': {
        answer: (_, response) =>
          (answerPage = () => response.setHeader('Content-Type', 'text/html').end(page)),
      },
    })
    closers.push(() => site.close())
    const service = await start({
      DATA_DIR: newFolder(),
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: site.engineUrl,
    })
    const key = /vbt_[0-9A-Za-z]{36}/u.exec(await firstRunOf(service))?.[0] ?? ''
    const processes = descendants(service.child.pid ?? 0)
    expect(processes.length).toBeGreaterThan(0)
    const underWay = fetch(`${service.url}/v1/search`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: '{"query":"slow keys"}',
    })
    await expect.poll(() => answerPage, { timeout: 30_000 }).not.toBeNull()
    service.child.kill(signal)
    const isRefused = () =>
      fetch(`${service.url}/health`).then(
        () => false,
        () => true,
      )
    await expect.poll(isRefused, { timeout: 30_000 }).toBe(true)
    answerPage!()
    expect((await underWay).status).toBe(200)
    expect(await exitOf(service.child)).toBe(0)
    expect(processes.filter(isRunning)).toEqual([])
  })
})

describe('the command line', () => {
  test('makes keys that a running service accepts, and revokes them within a second', async () => {
    const { folder, ...service } = await startLasting()
    const made = command({ DATA_DIR: folder }, 'keys', 'create', 'from the terminal')
    const key = made.stdout.trimEnd().split('\n').at(-1) ?? ''
    expect(key).toMatch(/^vbt_[0-9A-Za-z]{36}$/u)
    const statusNow = async (): Promise<number> => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      return (await fetch(`${service.url}/v1/search`, { method: 'POST', headers, body: '{}' })).status
    }
    expect(await statusNow()).toBe(400)
    expect(command({ DATA_DIR: folder }, 'keys', 'list').stdout).toContain('from the terminal')
    expect(command({ DATA_DIR: folder }, 'keys', 'revoke', key).status).toBe(0)
    expect(await statusNow()).toBe(401)
  })

  test.each([
    [{ PORT: 'eighty' }, /PORT must be a port number/u],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be/u],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must be an address that begins with postgres/u],
    [{ SEARCH_PROVIDERS: 'altavista' }, /altavista/u],
    [{ SEARCH_PROVIDERS: 'searxng' }, /searxng/u],
    [{ SEARCH_PROVIDERS: ',' }, /SEARCH_PROVIDERS must be auto, or names/u],
    [{ HOST: '192.0.2.1', PORT: '0' }, /HOST is "192.0.2.1", which is no address of this machine/u],
    [{ HOST: 'nowhere.invalid', PORT: '0' }, /HOST is "nowhere.invalid"/u],
  ])('refuses settings that make no sense, naming them: %j', (environment, says) => {
    const { status, stderr } = command({ DATA_DIR: newFolder(), BROWSER: 'off', ...environment }, 'serve')
    expect(status).toBe(1)
    expect(stderr).toMatch(says)
    expect(stderr).not.toMatch(/\n\s+at /u)
  })

  test('says at once that it waits for a PostgreSQL that does not answer, and for how long at most', async () => {
    const place = `127.0.0.1:${await freePort()}/verbatim`
    const child = spawn(process.execPath, [MAIN, 'keys', 'list'], {
      env: { ...process.env, DATABASE_URL: `postgres://ada:a-password-of-mine@${place}` },
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await waitUntil(() => {
      if (child.exitCode === null && !said.includes('\n')) throw new Error('it says nothing')
    })
    expect(said).toBe(`waiting for PostgreSQL at ${place}, for up to 10 s …\n`)
    child.kill('SIGKILL')
  })

  test('says in one sentence that a port is taken', async () => {
    const { port } = await startLasting()
    const { status, stderr } = command({ DATA_DIR: newFolder(), PORT: port, BROWSER: 'off' }, 'serve')
    expect(status).toBe(1)
    expect(stderr).toMatch(/Port \d+ is taken/u)
    expect(stderr).not.toMatch(/\n\s+at /u)
  })

  test('ends in silence when nobody reads on, as filters do, and says in one sentence that a disk is full', async () => {
    const environment = { ...process.env, DATA_DIR: newFolder() }
    const child = spawn(process.execPath, [MAIN, 'keys', 'list'], { env: environment })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.stdout.destroy()
    await once(child, 'close')
    expect([child.exitCode, said]).toEqual([141, ''])

    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'keys', 'list'], {
      env: environment,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    closeSync(full)
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^The output cannot be written: [^\n]+\n$/u)])
  })

  test('explains every command', () => {
    const { stdout } = command({}, '--help')
    for (const name of ['serve', 'search', 'keys', 'users', 'index', 'models', 'doctor'])
      expect(stdout).toContain(name)
  })

  test('--version prints the version of the package, alone', () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'))
    expect(command({}, '--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
  })

  test.each([
    [['--help'], 'Usage: verbatim'],
    [['--version'], '.'],
    [['search', '--help'], 'Usage: verbatim search'],
    [['completion', 'bash'], 'complete'],
  ])('%j needs no configuration: it answers while a variable of the environment is wrong', (words, says) => {
    const { status, stdout, stderr } = command({ PORT: 'none' }, ...words)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain(says)
    expect(commandThatNeedsConfiguration()).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'PORT must be a port number from 0 to 65535.\n',
    })
  })

  test('PORT=0, which leaves the port to the system, is a port for every command', () => {
    const variables = { PORT: '0', DATA_DIR: newFolder(), CHROMIUM_PATH: '/nowhere/chromium' }
    const { stdout, stderr } = command(variables, 'doctor', '--no-probe')
    expect(stderr).toBe('')
    expect(stdout).toContain('search engine library')
  })

  test('doctor tells what there is and what is missing, with the command that mends it', () => {
    const { status, stdout } = command(
      { DATA_DIR: newFolder(), CHROMIUM_PATH: '/nowhere/chromium' },
      'doctor',
    )
    expect(status).toBe(2)
    expect(stdout).toMatch(/MISSING\s+browser Chromium/u)
    expect(stdout).toMatch(/npx playwright@[\d.]+ install/u)
  })
})
