// What `npm pack` makes runs where it is installed: outside of this checkout, with what it carries and nothing else.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../support/programs.ts'
import { spawnInstalled } from '../support/installed-package.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'verbatim-package-'))
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** As npm lays it out: the package and those it needs side by side. The latter are this checkout's, to need no registry. */
async function install(): Promise<string> {
  const home = mkdtempSync(join(folder, 'home-'))
  const modules = join(home, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((entry) => !entry.startsWith('.')))
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  await run('npm', ['pack', '--pack-destination', home], { cwd: ROOT })
  const packed = readdirSync(home).find((name) => name.endsWith('.tgz')) ?? ''
  await run('tar', ['-xzf', packed], { cwd: home })
  await run('mv', ['package', join(modules, 'verbatim')], { cwd: home })
  symlinkSync(join(modules, 'verbatim', 'scripts', 'verbatim.mjs'), join(modules, '.bin', 'verbatim'))
  return home
}

test('a packed and installed package prints its version, serves, and answers from its own documentation', async () => {
  const home = await install()
  const version = await run('npx', ['--no-install', 'verbatim', '--version'], { cwd: home })
  expect(version.stdout.trim()).toMatch(/^\d+\.\d+\.\d+/u)

  const settings = { PORT: String(await freePort()), BROWSER: 'off', LOG_LEVEL: 'error' }
  const service = await spawnInstalled(home, { ...process.env, ...settings })
  closers.push(service.close)
  expect(service.output).toMatch(/to add pages: (?:npx )?verbatim index add URL$/mu)
  expect(service.output).not.toContain('npm run')

  const response = await fetch(`${service.url}/v1/search`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'How do I revoke an API key?' }),
  })
  expect(await response.text()).toContain('To revoke an API key')
  expect(response.status).toBe(200)
  for (const path of ['/docs/api-keys', '/openapi.json', '/docs/reference'])
    expect([path, (await fetch(service.url + path)).status]).toEqual([path, 200])
})
