// `npm run mutation [-- MODULE …]`: changes each listed module in thousands of small ways, runs its own tests over every
// change, and prints how many the tests noticed and which they did not. Stryker does both, in a copy of the tree; it is
// installed beside that copy and no dependency of the project, because nothing but this asks for it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'

/** The last one for Node 20. */
const STRYKER_VERSION = '9.6.1'
const KILLED_MIN = 0.85
const ROOT = join(import.meta.dirname, '..')
const COPIED = ['src', 'test', 'docs', 'public', 'package.json', 'tsconfig.json', 'LICENSE']

/** Module below src -> its own tests below test. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  'search/filters': ['search/filters'],
  'search/rank': ['search/rank', 'search/rank.least-score'],
  'pages/egress/address-policy': ['pages/egress/address-policy'],
  'pages/egress/ip-address': ['pages/egress/ip-address'],
  'accounts/keys/key': ['accounts/keys/key'],
  contract: ['contract'],
  'pages/robots/robots-rules': ['pages/robots/robots-rules'],
  'search/proof/find-quote': ['search/proof/find-quote'],
  'extract/passages/cut-passages': ['extract/passages/cut-passages', 'extract/passages/what-stays-together'],
  'pages/fetch/charset': ['pages/fetch/charset'],
  'pages/fetch/media-type': ['pages/fetch/media-type'],
}

const placeSchema = z.object({ line: z.int(), column: z.int() })
const reportSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          mutatorName: z.string(),
          replacement: z.string().optional(),
          static: z.boolean().optional(),
          status: z.enum([
            'Killed',
            'Timeout',
            'Survived',
            'NoCoverage',
            'RuntimeError',
            'CompileError',
            'Ignored',
          ]),
          location: z.object({ start: placeSchema, end: placeSchema }),
        }),
      ),
    }),
  ),
})
type Mutant = z.infer<typeof reportSchema>['files'][string]['mutants'][number]

function run(command: string, args: readonly string[], cwd: string, stdio: 'inherit' | 'ignore'): void {
  const { status } = spawnSync(command, args, { cwd, stdio })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}

/** A tree that may be changed, with Stryker in the folder above it, where the tree's own modules are not disturbed. */
function copyTree(folder: string): string {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const packages = [
    `@stryker-mutator/core@${STRYKER_VERSION}`,
    `@stryker-mutator/vitest-runner@${STRYKER_VERSION}`,
  ]
  run(
    'npm',
    ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', ...packages],
    folder,
    'inherit',
  )
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
  const tree = join(folder, 'tree')
  mkdirSync(tree)
  for (const name of COPIED) cpSync(join(ROOT, name), join(tree, name), { recursive: true })
  // What a hundred inputs tell of the whole, twenty-five tell of a mutant.
  const fewRuns = `import fc from 'fast-check'\nfc.configureGlobal({ numRuns: 25 })\n`
  writeFileSync(join(tree, 'test/few-runs.ts'), fewRuns)
  for (const name of ['node_modules', 'models']) symlinkSync(join(ROOT, name), join(tree, name))
  return tree
}

function findMutants(
  tree: string,
  name: string,
  tests: readonly string[],
): { source: string; mutants: Mutant[] } {
  const include = tests.map((file) => `test/${file}.test.ts`)
  const test = { include, setupFiles: ['test/few-runs.ts'], testTimeout: 60_000 }
  writeFileSync(join(tree, 'vitest.config.ts'), `export default ${JSON.stringify({ test })}\n`)
  const file = `src/${name}.ts`
  const options = {
    mutate: [file],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    inPlace: true,
    concurrency: 2,
    // TypeScript 7 has no interface that Stryker could read tsconfig.json with.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    reporters: ['json'],
    jsonReporter: { fileName: 'report.json' },
    allowConsoleColors: false,
  }
  writeFileSync(join(tree, 'stryker.config.json'), JSON.stringify(options))
  run('node', [join(tree, '../node_modules/@stryker-mutator/core/bin/stryker.js'), 'run'], tree, 'ignore')
  const report = reportSchema.parse(JSON.parse(readFileSync(join(tree, 'report.json'), 'utf8')))
  const found = report.files[file]
  if (found === undefined) throw new Error(`Stryker says nothing of ${file}`)
  return found
}

/** Stryker misses what every importer notices: a module that cannot be loaded any more. */
function isLoadable(tree: string, file: string, source: string, mutant: Mutant): boolean {
  if (mutant.static !== true) return true
  const path = join(tree, file)
  const { start, end } = mutant.location
  writeFileSync(
    path,
    source.slice(0, offsetOf(source, start)) +
      (mutant.replacement ?? '') +
      source.slice(offsetOf(source, end)),
  )
  const { status } = spawnSync('node', ['--import', 'tsx', file], { cwd: tree, stdio: 'ignore' })
  writeFileSync(path, source)
  return status === 0
}

/** Lines and columns count from 1. */
function offsetOf(source: string, { line, column }: z.infer<typeof placeSchema>): number {
  const before = source.split('\n').slice(0, line - 1)
  return before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1
}

function describeMutant(
  file: string,
  source: string,
  { location, mutatorName, replacement }: Mutant,
): string {
  const { start, end } = location
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  lines[last] = lines[last]!.slice(0, end.column - 1)
  lines[0] = lines[0]!.slice(start.column - 1)
  const [before, after] = [lines.join(' '), replacement ?? ''].map((code) =>
    code.replace(/\s+/gu, ' ').slice(0, 140),
  )
  return `${file}:${start.line} ${mutatorName}: ${before} -> ${after}`
}

const { positionals } = parseArgs({ allowPositionals: true })
const wanted = Object.entries(MODULES).filter(
  ([name]) => positionals.length === 0 || positionals.some((word) => name.split('/').at(-1) === word),
)
if (wanted.length === 0) throw new Error(`No such module; known are ${Object.keys(MODULES).join(', ')}`)
const folder = mkdtempSync(join(tmpdir(), 'verbatim-mutation-'))
try {
  const tree = copyTree(folder)
  for (const [name, tests] of wanted) {
    const { source, mutants } = findMutants(tree, name, tests)
    const counted = mutants.filter(({ status }) => !status.endsWith('Error') && status !== 'Ignored')
    const survivors = counted.filter(
      (mutant) =>
        (mutant.status === 'Survived' || mutant.status === 'NoCoverage') &&
        isLoadable(tree, `src/${name}.ts`, source, mutant),
    )
    const killed = 1 - survivors.length / counted.length
    console.log(
      `\n${name}: ${counted.length} mutants, ${survivors.length} survived, ${(100 * killed).toFixed(1)} % killed`,
    )
    for (const mutant of survivors) console.log(`  ${describeMutant(`src/${name}.ts`, source, mutant)}`)
    if (killed < KILLED_MIN) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
