// The compiled service in dist/, made anew when a source file has changed. Types are checked by `npm run types`, not here.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { findCompiler } from './dependencies.mjs'
import { digestOf, filesBelow, ROOT } from './files.mjs'
import { runCommand } from './run-command.mjs'

const DIST = join(ROOT, 'dist')
const BUILT = join(DIST, '.built')

const stateOfSources = () => digestOf(['tsconfig.json', 'tsconfig.build.json', ...filesBelow('src')])

export const isBuilt = () => existsSync(BUILT) && readFileSync(BUILT, 'utf8') === stateOfSources()

/** Needs the compiler and nothing else: no type is looked up, so no package has to be there. */
export async function build() {
  const state = stateOfSources()
  rmSync(DIST, { recursive: true, force: true })
  const args = [findCompiler(), '-p', 'tsconfig.build.json', '--noCheck', '--types', 'null']
  const { ok, output } = await runCommand(execPath, args)
  if (!ok) throw new Error(`the build failed:\n${output}`)
  writeFileSync(BUILT, state)
}
