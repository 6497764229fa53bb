import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { article, hangingPage, startSearchSite, type SearchSite } from '../support/search-site.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'main.js')
const TEXT =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for.'

let dataDir: string
let site: SearchSite
const hanging = { asked: 0, closed: 0 }
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'verbatim-search-'))
  site = await startSearchSite({
    '/keys': { html: article('Managing keys', [TEXT]) },
    '/hang': hangingPage(hanging),
  })
})
afterAll(async () => {
  await site.close()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Run {
  status: number | null
  stdout: string
  stderr: string
}

/** A person's environment: by these, continuous integration tells Node not to colour anything. */
const { CI: _ci, NO_COLOR: _noColor, FORCE_COLOR: _forceColor, ...environment } = process.env

const commandEnvironment = (): NodeJS.ProcessEnv => ({
  ...environment,
  DATA_DIR: dataDir,
  BROWSER: 'off',
  EGRESS_ALLOW: '127.0.0.1',
  SEARCH_PROVIDERS: 'searxng',
  SEARXNG_URL: site.engineUrl,
  TERM: 'xterm-256color',
})

/** Not spawnSync: the site answers from this very process. */
async function run(program: string, args: readonly string[], own: NodeJS.ProcessEnv = {}): Promise<Run> {
  const child = spawn(program, args, {
    env: { ...commandEnvironment(), ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => (output[stream] += chunk.toString()))
  const status = await new Promise<number | null>((resolve) => void child.once('close', resolve))
  return { status, ...output }
}

const search = (...args: string[]): Promise<Run> => run(process.execPath, [MAIN, 'search', ...args])
const deep = ['revoke a key', '--depth', 'exhaustive']

describe('verbatim search', () => {
  test('prints plain lines when it is piped: no colour, no progress, passages unbroken', async () => {
    site.find('/keys')
    const { status, stdout, stderr } = await search(...deep)
    expect(status).toBe(0)
    expect(stderr).toBe('')
    expect(stdout).toBe(stripVTControlCharacters(stdout))
    expect(stdout).toMatch(/^1\. Managing keys\n {3}http\S+\/keys\n {3}[01]\.\d\d {2}Managing keys\n/u)
    expect(stdout).toContain(TEXT)
  })

  test('on a terminal it colours, shows progress and keeps passages inside their column', async () => {
    site.find('/keys')
    const line = `stty cols 50; ${process.execPath} ${MAIN} search 'revoke a key' --depth exhaustive`
    const { status, stdout } = await run('script', ['-qec', line, '/dev/null'])
    expect(status).toBe(0)
    expect(stdout).toContain('exhaustive: 1 page read …')
    expect(stdout).toContain('\u001B[1mManaging keys')
    expect(stdout).toContain('\u001B[4m')
    const lines = stripVTControlCharacters(stdout).split(/\r?\n/u)
    const first = lines.findIndex((text) => /^ {3}[01]\.\d\d /u.test(text))
    const passage = lines.slice(first, lines.indexOf('', first))
    expect(passage.length).toBeGreaterThan(3)
    for (const text of passage) expect(text.length).toBeLessThanOrEqual(50)
    expect(passage.map((text) => text.slice(9)).join(' ')).toBe(`Managing keys  ${TEXT}`)
    for (const text of passage.slice(1)) expect(text.slice(0, 9)).toBe(' '.repeat(9))
  })

  test('--explain tells in words who found the pages, where the time went and how each page was read', async () => {
    site.find('/keys')
    const { status, stdout } = await search(...deep, '--explain')
    expect(status).toBe(0)
    expect(stdout).toContain('How it was made\n1 hit of searxng; left out: none\n')
    expect(stdout).toMatch(/^ {2}pages +\d+ ms {2}█/mu)
    expect(stdout).toMatch(/^static +\d+ ms +\d+ +(?:[01]\.\d\d|–) +http\S+\/keys$/mu)
  })

  test('--depth compare asks at each depth and shows them side by side', async () => {
    site.find('/keys')
    const { status, stdout } = await search('revoke a key', '--depth', 'compare')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^DEPTH +TIME +PAGES +PASSAGES +CHARACTERS\nprecise +\d+ ms +\d\/1 +/u)
    expect(stdout).toMatch(/^exhaustive {2}http\S+\/keys\n {3}[01]\.\d\d {2}/mu)
  })

  test('--json prints the answer of the API and nothing else', async () => {
    site.find('/keys')
    const { stdout } = await search(...deep, '--json', '--explain')
    const answer = JSON.parse(stdout) as SearchResponse
    expect(answer).toMatchObject({ query: 'revoke a key', explain: { depth: 'exhaustive' } })
    expect(answer.results[0]?.snippets[0]?.text).toBe(`Managing keys\n\n${TEXT}`)
  })

  test('ends with 1 when nothing was found, which is told to people and not to a script', async () => {
    site.find()
    expect(await search(...deep)).toMatchObject({ status: 1, stdout: '', stderr: 'Nothing was found.\n' })
  })

  test('says what to do where there is nothing to search: no engine is set up, and the library is empty', async () => {
    const own = { SEARCH_PROVIDERS: 'auto', SEARXNG_URL: '' }
    const { status, stderr } = await run(process.execPath, [MAIN, 'search', 'revoke a key'], own)
    expect(status).toBe(1)
    expect(stderr).toContain('set SEARXNG_URL or the key of an engine')
    expect(stderr).toContain('npm run -s verbatim -- index add URL')
  })

  test('takes a query of several words without quotes, and behind domains', async () => {
    site.find('/keys')
    const flags = ['--depth', 'exhaustive', '--json', '--exclude', 'example.com, example.org']
    const { status, stdout } = await search(...flags, '--exclude', 'example.net', 'revoke', 'a', 'key')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ query: 'revoke a key', results: [{ title: 'Managing keys' }] })
    expect(await search(...flags, '--include', 'example.com', 'revoke a key')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('"results": []'),
    })
  })

  test('--help names the default of every option that has one', async () => {
    const { stdout } = await search('--help')
    const help = stdout.replaceAll(/\s+/gu, ' ')
    for (const says of [
      '(default: balanced)',
      '1 to 10 (default: 5)',
      '1 to 5 (default: 3)',
      '(default: that of the query, or en)',
    ])
      expect(help).toContain(says)
  })

  test.each([
    [['q', '--depth', 'deep'], /precise/u],
    [['q', '--results', '11'], /^--results must be .*1 to 10/u],
    [['q', '--colour'], /unknown option[^]*"npm run -s verbatim -- search --help" tells/u],
    [[], /missing required argument/u],
    [['  '], /blank/u],
    [['q', '--include', 'https://example.com/'], /^--include must be .*domain/u],
  ])('ends with 2 and a reason for wrong usage: %j', async (args, says) => {
    const { status, stdout, stderr } = await search(...args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(says)
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends with 130 on %s and lets its pages go',
    async (signal) => {
      site.find('/hang')
      const { asked, closed } = hanging
      const child = spawn(process.execPath, [MAIN, 'search', ...deep], { env: commandEnvironment() })
      await expect.poll(() => hanging.asked, { timeout: 30_000 }).toBe(asked + 1)
      const exit = once(child, 'exit')
      child.kill(signal)
      expect(await exit).toEqual([130, null])
      await expect.poll(() => hanging.closed).toBe(closed + 1)
    },
  )

  test('ends with 3 and advice when no search engine can be reached', async () => {
    site.breakEngine(500)
    const { status, stderr } = await search(...deep)
    site.breakEngine(null)
    expect(status).toBe(3)
    expect(stderr).toContain('"npm run -s verbatim -- doctor"')
  })
})
