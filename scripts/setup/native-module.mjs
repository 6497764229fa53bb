// better-sqlite3, the one package that is machine code of ours to make: from this user's cache, else its own prebuilt
// file, else compiled here, and then kept in the cache for the next clone of the same version.
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { arch, execPath, pid, platform, report, versions } from 'node:process'
import { readNote, ROOT, USER_CACHE, writeNote } from './files.mjs'
import { runCommand, runNpm } from './run-command.mjs'

/** Packages lie below a checkout, and beside ourselves where we are a package. */
const modules = () =>
  [join(ROOT, 'node_modules'), dirname(ROOT)].find((folder) => existsSync(join(folder, 'better-sqlite3')))
const packageFolder = () => join(modules() ?? '', 'better-sqlite3')
const binary = () => join(packageFolder(), 'build', 'Release', 'better_sqlite3.node')
const NOTE = 'native-module'
/** Longer than a download of 1 MB takes, shorter than anybody waits for one that never comes. */
const DOWNLOAD_TIMEOUT_MS = 20_000

/** It can open a database and search in full text. */
const selfTest = () =>
  `new (require(${JSON.stringify(packageFolder())}))(':memory:').exec('create virtual table t using fts5(x)')`

/** Version of the package, of Node's binary interface, and system: what a compiled file is good for. */
function identity() {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'))
  const libc = platform === 'linux' && !report.getReport().header.glibcVersionRuntime ? '-musl' : ''
  return `better-sqlite3-${version}-node${versions.modules}-${platform}${libc}-${arch}`
}

/** Whether there is a file at all. */
export const isNativeModuleThere = () => existsSync(binary())

/** Whether it is there, was seen to work, and belongs to this Node. */
export const isNativeModuleReady = () => isNativeModuleThere() && readNote(NOTE) === identity()

/** What keeps this user from making it, in a sentence, as in a package that root installed; null when nothing does. */
export function nativeModuleObstacle() {
  try {
    accessSync(packageFolder(), constants.W_OK)
    return null
  } catch {
    return (
      `SQLite is put once into ${packageFolder()}, where this user may not write. ` +
      'Run "sudo verbatim --version" once; whoever starts the service then needs no more rights.'
    )
  }
}

/** @returns {Promise<string>} where it came from. @throws {Error} with the compiler's words when there is no way */
export async function prepareNativeModule() {
  const kept = join(USER_CACHE, `${identity()}.node`)
  const source = await ((await works()) ? 'there already' : takeOrMake(kept))
  writeNote(NOTE, identity())
  return source
}

async function takeOrMake(kept) {
  if (existsSync(kept)) {
    copyWhole(kept, binary())
    if (await works()) return 'from the cache'
    rmSync(kept)
  }
  const source = (await download()) ? 'prebuilt' : await compile()
  copyWhole(binary(), kept)
  return source
}

async function download() {
  const installer = join(modules() ?? '', 'prebuild-install', 'bin.js')
  const { ok } = await runCommand(execPath, [installer], {
    cwd: packageFolder(),
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
  })
  return ok && (await works())
}

/** With Node's own headers where they lie beside the binary, so that no network is needed; -O2 takes half of -O3's time. */
async function compile() {
  const prefix = dirname(dirname(execPath))
  const hasHeaders = existsSync(join(prefix, 'include', 'node', 'node.h'))
  const { ok, output } = await runNpm(['rebuild', 'better-sqlite3', '--ignore-scripts=false'], {
    cwd: dirname(modules() ?? ''),
    env: {
      npm_config_build_from_source: 'true',
      ...(hasHeaders ? { npm_config_nodedir: prefix } : {}),
      JOBS: String(availableParallelism()),
      CFLAGS: '-O2',
      CXXFLAGS: '-O2',
    },
  })
  if (!ok || !(await works()))
    throw new Error(`SQLite could not be compiled. Are g++, make and python3 here?\n${output}`)
  for (const rest of ['obj', 'obj.target'])
    rmSync(join(dirname(binary()), rest), { recursive: true, force: true })
  return 'compiled'
}

async function works() {
  if (!isNativeModuleThere()) return false
  return (await runCommand(execPath, ['-e', selfTest()])).ok
}

function copyWhole(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, `${to}.${pid}.part`)
  renameSync(`${to}.${pid}.part`, to)
}
