// Walks the recipes of docs/architecture.md in a copy of the tree, one after the other; what each may change is read from
// the recipe itself.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { installedBrowsers } from '../../src/pages/browser/detection.ts'
import { copyTree, type CopiedTree } from './recipes/copied-tree.ts'
import { DUMMIES } from './recipes/dummies.ts'

const RECIPE_LINES_MAX = 10
/** The compiler and a whole run of tests in each, on a machine that may have more to do. */
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'architecture.md'), 'utf8')
const recipes = new Map(
  /^## Recipes\n([^]*?)^## /mu
    .exec(page)?.[1]
    ?.split(/^(?=\*\*)/mu)
    .slice(1)
    .map((text): [string, string] => [/^\*\*(.*)\.\*\*/u.exec(text)?.[1] ?? '', text]),
)
const recipeOf = (name: string): string => recipes.get(name) ?? ''

/** Files of the tree that a recipe names, and folders, which end in a slash. */
const placesIn = (recipe: string): string[] =>
  [...recipe.matchAll(/`((?:src|test|scripts|docs|public|deploy|packages)\/[^`\s]+)`/gu)].map(
    ([, path = '']) => path.replaceAll('NAME', 'dummy'),
  )

let tree: CopiedTree
/** By recipe, the files that walking it changed. */
const changes = new Map<string, string[]>()
beforeAll(() => {
  tree = copyTree()
  for (const [name, add] of DUMMIES) {
    add(tree)
    if (recipeOf(name).includes('`npm run openapi`')) tree.runScript('scripts/openapi.ts')
    changes.set(name, tree.takeChanges())
  }
})
afterAll(() => tree.remove())

test('every recipe is walked, and none is longer than ten lines', () => {
  expect(DUMMIES.map(([name]) => name)).toEqual([...recipes.keys()])
  for (const [name, text] of recipes) {
    const lines = text.split('\n').filter((line) => line !== '')
    expect([name, lines.length <= RECIPE_LINES_MAX]).toEqual([name, true])
  }
})

test.each(DUMMIES.map(([name]) => name))(
  '%s changes the files that its recipe names, and no other',
  (name) => {
    const named = placesIn(recipeOf(name))
    const placeOf = (path: string): string =>
      named.find((place) => place === path || (place.endsWith('/') && path.startsWith(place))) ?? path
    const changed = new Set((changes.get(name) ?? []).map(placeOf))
    expect([...changed].toSorted()).toEqual(named.toSorted())
  },
)

test('with a dummy of each the types, the rules of the rooms and what is generated are in order', () => {
  tree.run('node', 'node_modules/typescript/bin/tsc', '--noEmit')
  expect(tree.runScript('scripts/lint.ts')).toContain(' 0 imports, places or promises')
  tree.runScript('scripts/openapi.ts', '--check')
})

test('a new engine is one file, one line of the registry and one folder of fixtures; all else derives from it', () => {
  const set =
    'import("./src/config.ts").then(({ loadConfig }) => console.log(loadConfig({ DUMMY_API_KEY: "k" }).providers.settings.dummy.apiKey))'
  expect(tree.runScript('-e', set).trim()).toBe('k')
  expect(tree.read('docs/providers.md')).toContain('| `dummy` | `DUMMY_API_KEY` |')
})

interface Report {
  testResults: { assertionResults: { fullName: string; status: string }[] }[]
}

test('the tests that hold each kind of thing to its contract know its dummy, and pass', async () => {
  const browsers = await installedBrowsers()
  const suites: readonly (readonly [file: string, ...titles: string[]])[] = [
    [
      'test/providers/engines/engines.test.ts',
      'every engine of the table has its folder',
      'the dummy provider',
    ],
    ['test/providers/documentation.test.ts', 'the table says of every engine'],
    ['test/http/routes/dummy.test.ts', 'the dummy route has its door'],
    ['test/http/openapi.test.ts', 'is valid OpenAPI'],
    ['test/http/compat/field-tables.test.ts', 'Dummy search at', 'the tables name each field'],
    ['test/http/compat/honoured-fields.test.ts', 'there is a probe', "'Dummy search': "],
    ['test/deploy/monitoring.test.ts', 'asks only for metrics'],
    ['test/dashboard/docs/docs.test.ts', 'every setting of the service is documented'],
    ['test/extract/documents/broken-documents.test.ts', 'what is loaded as', 'lighthouse.dummy'],
    ...(browsers.length > 0
      ? [['test/dashboard/accessibility.heavy.test.ts', 'page has no finding: dummy'] as const]
      : []),
  ]
  const titles = suites.flatMap(([, ...words]) => words)
  const files = suites.map(([file]) => file)
  const projects = ['--project', 'pure', '--project', 'service', '--project', 'heavy']
  const options = ['--reporter', 'json', '--outputFile', 'report.json', '-t', titles.join('|')]
  tree.run('node', 'node_modules/vitest/vitest.mjs', 'run', ...projects, ...options, ...files)
  const { testResults } = JSON.parse(tree.read('report.json')) as Report
  const passed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed')
  expect(titles.filter((title) => !passed.some(({ fullName }) => fullName.includes(title)))).toEqual([])
})
