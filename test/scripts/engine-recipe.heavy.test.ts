// Walks the recipe for a new engine (docs/architecture.md) in a copy of the tree.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const FIXTURES = 'test/fixtures/providers'
let tree: string

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: tree, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}\n${stderr}`)
  return stdout
}

/** "exa", and not the beginning of "example" or "exact". */
const renamed = (text: string): string =>
  text
    .replaceAll(/exa(?![mc])/gu, 'dummy')
    .replaceAll(/Exa(?![mc])/gu, 'Dummy')
    .replaceAll(/EXA(?![MC])/gu, 'DUMMY')

/** Writes `to` as the dummy's version of the file `from`. */
function copyRenamed(from: string, to: string): void {
  mkdirSync(dirname(join(tree, to)), { recursive: true })
  writeFileSync(join(tree, to), renamed(readFileSync(join(tree, from), 'utf8')))
}

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'verbatim-recipe-'))
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  // The models are large; only the scripts beside them are part of the program.
  const isWanted = (name: string): boolean =>
    name !== '' && (!name.startsWith('models/') || name.endsWith('.ts'))
  for (const path of listed.split('\0').filter(isWanted))
    cpSync(join(ROOT, path), join(tree, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  run('git', 'init', '-q')
  run('git', 'add', '-A')
})
afterAll(() => rmSync(tree, { recursive: true, force: true }))

test('a new engine is one file, one line of the registry and one folder of fixtures; all else derives from it', () => {
  copyRenamed('src/providers/engines/exa.ts', 'src/providers/engines/dummy.ts')
  for (const name of readdirSync(join(tree, FIXTURES, 'exa')))
    copyRenamed(`${FIXTURES}/exa/${name}`, `${FIXTURES}/dummy/${name}`)
  const registry = join(tree, 'src/providers/registry.ts')
  const text = readFileSync(registry, 'utf8')
  const withImport = text.replace(/^import \{ exa \}.*$/mu, (line) => `${renamed(line)}\n${line}`)
  writeFileSync(registry, withImport.replace(/^ {2}exa,$/mu, '  exa,\n  dummy,'))

  run('node', 'node_modules/tsx/dist/cli.mjs', 'scripts/openapi.ts')
  run('node', 'node_modules/typescript/bin/tsc', '--noEmit')
  const suite = ['test/providers/engines/engines.test.ts', 'test/providers/documentation.test.ts']
  run('node', 'node_modules/vitest/vitest.mjs', 'run', '--project', 'service', '--project', 'pure', ...suite)

  const changed = run('git', 'status', '--porcelain', '--untracked-files=all').split('\n')
  const touched = changed.filter((line) => !line.startsWith('A ')).map((line) => line.slice(3))
  expect(touched.filter((path) => path !== '' && !path.startsWith(`${FIXTURES}/dummy/`)).toSorted()).toEqual([
    'docs/providers.md',
    'src/providers/engines/dummy.ts',
    'src/providers/registry.ts',
  ])
  const set =
    'import("./src/config.ts").then(({ loadConfig }) => console.log(loadConfig({ DUMMY_API_KEY: "k" }).providers.settings.dummy.apiKey))'
  expect(run('node', 'node_modules/tsx/dist/cli.mjs', '-e', set).trim()).toBe('k')
  expect(readFileSync(join(tree, 'docs/providers.md'), 'utf8')).toContain('| `dummy` | `DUMMY_API_KEY` |')
})
