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
import { dirname, join } from 'node:path'
import { arch, execPath, pid, platform, report, versions } from 'node:process'
import { compileSqlite } from './compile-sqlite.mjs'
import { readNote, ROOT, USER_CACHE, writeNote } from './files.mjs'
import { runCommand } from './run-command.mjs'

/** Packages lie below a checkout, and beside ourselves where we are a package. */
const ourModules = () =>
  [join(ROOT, 'node_modules'), dirname(ROOT)].find((folder) => existsSync(packageIn(folder))) ?? ''
const packageIn = (modules) => join(modules, 'better-sqlite3')
/** The file that is made, in a folder of packages. */
export const binaryIn = (modules) => join(packageIn(modules), 'build', 'Release', 'better_sqlite3.node')
const NOTE = 'native-module'
/** Longer than a download of 1 MB takes, shorter than anybody waits for one that never comes. */
const DOWNLOAD_TIMEOUT_MS = 20_000

/** It can open a database and search in full text. */
const selfTest = (modules) =>
  `new (require(${JSON.stringify(packageIn(modules))}))(':memory:').exec('create virtual table t using fts5(x)')`

/** Version of the package, of Node's binary interface, and system: what a compiled file is good for. */
function identityOf(version) {
  const libc = platform === 'linux' && !report.getReport().header.glibcVersionRuntime ? '-musl' : ''
  return `better-sqlite3-${version}-node${versions.modules}-${platform}${libc}-${arch}`
}

function identity() {
  const { version } = JSON.parse(readFileSync(join(packageIn(ourModules()), 'package.json'), 'utf8'))
  return identityOf(version)
}

/** Where what was made of this version is kept for this user. */
export const keptFile = (version) => join(USER_CACHE, `${identityOf(version)}.node`)

/** Whether there is a file at all. */
export const isNativeModuleThere = () => existsSync(binaryIn(ourModules()))

/** Whether it is there, was seen to work, and belongs to this Node. */
export const isNativeModuleReady = () => isNativeModuleThere() && readNote(NOTE) === identity()

/** What keeps this user from making it, in a sentence, as in a package that root installed; null when nothing does. */
export function nativeModuleObstacle() {
  const folder = packageIn(ourModules())
  try {
    accessSync(folder, constants.W_OK)
    return null
  } catch {
    return (
      `SQLite is put once into ${folder}, where this user may not write. ` +
      'Run "sudo verbatim --version" once; whoever starts the service then needs no more rights.'
    )
  }
}

/**
 * @param {{ file: string, source: string } | null} [ahead] what was made before the packages were there
 * @returns {Promise<string>} where it came from. @throws {Error} with the compiler's words when there is no way
 */
export async function prepareNativeModule(ahead = null) {
  const modules = ourModules()
  const source = (await works(modules)) ? 'there already' : await takeOrMake(modules, ahead)
  writeNote(NOTE, identity())
  return source
}

async function takeOrMake(modules, ahead) {
  const kept = join(USER_CACHE, `${identity()}.node`)
  for (const { file, source } of [
    ...(ahead === null ? [] : [ahead]),
    { file: kept, source: 'from the cache' },
  ])
    if (existsSync(file)) {
      copyWhole(file, binaryIn(modules))
      if (await works(modules)) return keep(modules, kept, source)
      rmSync(file)
    }
  return keep(modules, kept, await makeNativeModule(modules))
}

/** Where nothing can be kept for the next clone, this one works all the same. */
function keep(modules, kept, source) {
  try {
    if (!existsSync(kept)) copyWhole(binaryIn(modules), kept)
  } catch {}
  return source
}

/** @returns {Promise<string>} how the file came into `modules`. @throws {Error} with the compiler's words when there is no way */
export async function makeNativeModule(modules) {
  if (await download(modules)) return 'prebuilt'
  await compileSqlite(modules, { seemsRight: () => works(modules) })
  for (const rest of ['obj', 'obj.target'])
    rmSync(join(dirname(binaryIn(modules)), rest), { recursive: true, force: true })
  return 'compiled'
}

async function download(modules) {
  const installer = join(modules, 'prebuild-install', 'bin.js')
  const { ok } = await runCommand(execPath, [installer], {
    cwd: packageIn(modules),
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
  })
  return ok && (await works(modules))
}

async function works(modules) {
  if (!existsSync(binaryIn(modules))) return false
  return (await runCommand(execPath, ['-e', selfTest(modules)])).ok
}

function copyWhole(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, `${to}.${pid}.part`)
  renameSync(`${to}.${pid}.part`, to)
}
