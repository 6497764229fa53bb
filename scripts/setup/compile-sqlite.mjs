// Compiles better-sqlite3 where it lies. Nearly all of it is one file of SQLite, which one core takes a minute for.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { env, execPath, platform } from 'node:process'
import { runCommand, runNpm } from './run-command.mjs'

/** Parts of SQLite that better-sqlite3 turns on and no statement of ours names. */
const UNUSED = ['DBSTAT_VTAB', 'FTS3', 'FTS3_PARENTHESIS', 'FTS4', 'GEOPOLY', 'PERCENTILE', 'RTREE']

/**
 * With Node's own headers where they lie beside the binary, so that no network is needed; -O2 takes half of -O3's time.
 * @param {string} modules the folder of packages
 * @param {{ seemsRight: () => Promise<boolean> }} options whether what came of it can be used
 * @throws {Error} with the compiler's words
 */
export async function compileSqlite(modules, { seemsRight }) {
  let told = ''
  for (const how of [await onAllCores(), {}]) {
    if (how === null) continue
    const { ok, output } = await rebuild(modules, how)
    if (ok && (await seemsRight())) return
    told = output
  }
  throw new Error(`SQLite could not be compiled. Are g++, make and python3 here?\n${told}`)
}

/**
 * GCC's optimiser at link time cuts the one file into pieces and works at as many as there are cores: half the time on
 * two. Null where that is of no use, or the compiler is another one.
 */
async function onAllCores() {
  const cores = availableParallelism()
  if (platform !== 'linux' || cores < 2 || env.CC !== undefined || env.AR !== undefined) return null
  for (const program of ['cc', 'gcc-ar']) {
    const { ok, output } = await runCommand(program, ['--version'])
    if (!ok || output.includes('clang')) return null
  }
  return { CFLAGS: '-flto', LDFLAGS: `-flto=${cores}`, AR: 'gcc-ar' }
}

function rebuild(modules, { CFLAGS = '', ...how }) {
  const prefix = dirname(dirname(execPath))
  const hasHeaders = existsSync(join(prefix, 'include', 'node', 'node.h'))
  const without = UNUSED.map((name) => `-USQLITE_ENABLE_${name}`).join(' ')
  return runNpm(['rebuild', 'better-sqlite3', '--ignore-scripts=false'], {
    cwd: dirname(modules),
    env: {
      npm_config_build_from_source: 'true',
      ...(hasHeaders ? { npm_config_nodedir: prefix } : {}),
      JOBS: String(availableParallelism()),
      CFLAGS: `-O2 ${without} ${CFLAGS}`,
      CXXFLAGS: '-O2',
      ...how,
    },
  })
}
