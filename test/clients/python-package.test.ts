// packages/python, as pip installs it: its own tests against a running service, and its types.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/config.ts'
import { outputOf, pythonPath, run, startClientService, type ClientService } from './client-service.ts'

const PACKAGE = join(PACKAGE_ROOT, 'packages', 'python')

let clients: ClientService
let folder: string
beforeAll(async () => {
  clients = await startClientService()
  folder = mkdtempSync(join(tmpdir(), 'verbatim-python-'))
  // Without isolation the pinned build backend is taken, and nothing is fetched.
  const options = ['--no-deps', '--no-build-isolation', '--no-cache-dir', '--quiet', '--target', folder]
  await outputOf(pythonPath(), ['-m', 'pip', 'install', ...options, PACKAGE], {})
})
afterAll(async () => {
  await clients.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the Python client keeps its promises, blocking and with asyncio, in LangChain and LlamaIndex', async () => {
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(PACKAGE, 'tests')]
  const stdout = await outputOf(pythonPath(), args, { ...clients.environment, PYTHONPATH: folder })
  expect(stdout).toMatch(/\b\d{2,} passed/u)
  expect(stdout).not.toMatch(/failed|skipped|xfail/u)
})

test('its types hold strictly, and are found by whoever installs it', async () => {
  const config = join(PACKAGE, 'pyproject.toml')
  const args = ['-m', 'mypy', '--config-file', config, '--cache-dir', join(folder, 'mypy')]
  const paths = [join(PACKAGE, 'src'), join(PACKAGE, 'tests')]
  expect(await outputOf(pythonPath(), [...args, ...paths], {})).toContain('no issues found')
  const wrong = 'from verbatim_client import Verbatim; Verbatim("", "").search("q", search_depth="deep")'
  const check = [...args, '--python-executable', pythonPath(), '-c', wrong]
  const refused = await run(pythonPath(), check, { MYPYPATH: folder })
  expect(refused.stdout).toContain("Literal['deep']")
})
