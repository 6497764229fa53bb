// The table of tested clients in docs/clients.md says what is tested: the versions that are pinned here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/config.ts'

const read = (...path: string[]): string => readFileSync(join(PACKAGE_ROOT, ...path), 'utf8')
const here = (...path: string[]): string => readFileSync(join(import.meta.dirname, ...path), 'utf8')

const rows = new Map(
  [...read('docs', 'clients.md').matchAll(/^\| `([^`]+)` \| (\d[\w.]*) \|/gmu)].map(
    ([, name = '', version = '']) => [name, version],
  ),
)
const { dependencies } = JSON.parse(here('npm', 'package.json')) as { dependencies: Record<string, string> }
const npm = Object.entries(dependencies).map(([name, version]) => [name, version.replace(/^npm:.*@/u, '')])
const python = here('requirements.txt')
  .trim()
  .split('\n')
  .map((line) => line.split('=='))

/** What a program of test/clients/python imports, where the package is called otherwise. */
const PACKAGES: Readonly<Record<string, string>> = {
  tavily: 'tavily-python',
  langchain_tavily: 'langchain-tavily',
  firecrawl: 'firecrawl-py',
  exa_py: 'exa-py',
}

test('each client in the table is tested at its version', () => {
  const pins = new Map([...npm, ...python].map(([name = '', version = '']) => [name, version]))
  expect(rows.size).toBeGreaterThan(10)
  for (const [name, version] of rows) expect([name, pins.get(name)]).toEqual([name, version])
})

test('each client that is tested stands in the table', () => {
  const imported = here('python', 'clients.py').matchAll(/^ {4}(?:from|import) (\w+)/gmu)
  // It carries the requests of the SDK for MCP, and is no client of ours.
  const names = [...imported]
    .map(([, name = '']) => PACKAGES[name] ?? name)
    .filter((name) => name !== 'httpx2')
  for (const name of [...names, ...npm.map(([one]) => one)]) expect([...rows.keys()]).toContain(name)
})

test('every version is pinned, and no list names the host that it comes from', () => {
  for (const line of python) expect(line).toHaveLength(2)
  for (const [, version] of npm) expect(version).toMatch(/^\d+\.\d+\.\d+$/u)
  expect(here('npm', 'package-lock.json')).not.toContain('"resolved"')
})
