// The packages that running needs, or the tests' besides; of the former, what no run of this machine ever reads is left
// out. No package runs code while it is installed (.npmrc): the one that has to be compiled is compiled by native-module.mjs.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { arch, platform } from 'node:process'
import { digestOf, NOTES, readNote, ROOT, writeNote, writeWhole } from './files.mjs'
import { foldersOutside } from './packages-outside.mjs'
import { runNpm } from './run-command.mjs'

const NOTE = 'dependencies'
const QUIETLY = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
const MODULES = join(ROOT, 'node_modules')

const readLockFile = () => JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))

/** Which set is there for exactly this lock file: `all`, `running` or null. */
export function installedSet() {
  const [set, lock] = (readNote(NOTE) ?? '').split(' ')
  return lock === digestOf(['package-lock.json']) ? set : null
}

/** @param {'running' | 'all'} set */
export async function installDependencies(set) {
  const { ok, output } = await cleanInstall(set === 'running' ? ['--omit=dev'] : [])
  if (!ok) throw new Error(`npm ci failed. Is the npm registry within reach?\n${output}`)
  if (set === 'running') leaveOut(MODULES)
  writeNote(NOTE, `${set} ${digestOf(['package-lock.json'])}`)
}

/**
 * Removes from a folder of packages what only other systems, browsers or debuggers read: ONNX Runtime's libraries for
 * other systems (240 MB), its browser edition (140 MB; transformers.js has what it needs inside) and source maps (70 MB).
 */
export function leaveOut(modules, system = { platform, arch }) {
  const runtimes = join(modules, 'onnxruntime-node', 'bin')
  for (const version of existsSync(runtimes) ? readdirSync(runtimes) : [])
    for (const name of readdirSync(join(runtimes, version)))
      for (const cpu of readdirSync(join(runtimes, version, name)))
        if (name !== system.platform || cpu !== system.arch)
          rmSync(join(runtimes, version, name, cpu), { recursive: true })
  for (const part of ['dist', 'lib', 'docs'])
    rmSync(join(modules, 'onnxruntime-web', part), { recursive: true, force: true })
  for (const path of readdirSync(modules, { recursive: true, encoding: 'utf8' }))
    if (/\.(?:js|mjs|cjs|ts|mts|cts|css)\.map$/u.test(path)) rmSync(join(modules, path))
}

/**
 * The same for a package that npm gave a folder of packages of its own, as `npm install --global` does: 450 of 815 MB.
 * Packages beside it, in somebody's project, may be read by others, and stay as they are.
 * @param {string} [modules]
 * @returns {string} what was done
 */
export function leaveOutOfOurs(modules = MODULES) {
  if (!existsSync(join(modules, 'onnxruntime-node'))) return 'kept, since others may read them'
  leaveOut(modules)
  return 'left out'
}

/** What is only read while a package is compiled or written against, and editions for others than Node. */
const READ_BY_NOBODY =
  /\.(?:[cm]?tsx?|a|tsbuildinfo)$|^(?:better-sqlite3\/(?:deps|src)|pdfjs-dist\/build|playwright\/lib|@xenova\/transformers\/src|swagger-ui-dist\/swagger-ui-es-bundle\b.*)(?:\/|$)/u

/**
 * Removes, from a folder of packages beside a bundle, those that the bundle holds and what no run reads of the others: 150
 * of 250 MB. For the image, where nobody builds again.
 * @param {string} [modules]
 * @param {{ packages: Record<string, any> }} [lockFile]
 */
export function keepOutside(modules = MODULES, lockFile = readLockFile()) {
  const kept = foldersOutside(lockFile).map((path) => `${path.slice('node_modules/'.length)}/`)
  for (const path of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
    const isKept = kept.some((folder) => path.startsWith(folder) || folder.startsWith(`${path}/`))
    if (!isKept || READ_BY_NOBODY.test(path)) rmSync(join(modules, path), { recursive: true, force: true })
  }
}

/** Where the bundler is: among the tests' packages, or on its own beside those that running needs. */
export function findBundler() {
  const bundler = join('node_modules', 'esbuild', 'lib', 'main.js')
  return [ROOT, TOOLS].map((folder) => join(folder, bundler)).find(existsSync) ?? null
}

const TOOLS = join(NOTES, 'tools')

/** esbuild alone, as the lock file has it: building needs it, running does not. Its program is a package for this system. */
export async function installBundler() {
  const { ok, output } = await installAlone('esbuild', TOOLS)
  if (!ok) throw new Error(`the bundler could not be installed:\n${output}`)
}

/** One package with what it needs, as the lock file has them, in a folder of its own. */
export async function installAlone(name, folder) {
  const { manifest, lock } = lockOf(name, readLockFile())
  writeWhole(join(folder, 'package.json'), JSON.stringify(manifest))
  writeWhole(join(folder, 'package-lock.json'), JSON.stringify(lock))
  return cleanInstall(['--prefix', folder], { cwd: folder })
}

/**
 * What npm's own cache has is not asked of the registry again: the lock file names every package by its digest. A list of
 * versions in the cache may be older than the lock file, though.
 */
async function cleanInstall(args, options) {
  const install = (more) => runNpm(['ci', ...QUIETLY, ...more, ...args], options)
  const result = await install(['--prefer-offline'])
  return !result.ok && result.output.includes('ETARGET') ? install([]) : result
}

/**
 * The part of a lock file that `name` needs, with its digests, and the manifest that asks for it.
 * @param {string} name
 * @param {{ packages: Record<string, any> }} lockFile
 */
export function lockOf(name, { packages }) {
  /** @type {Record<string, any>} */
  const kept = {}
  const keep = (wanted) => {
    const path = `node_modules/${wanted}`
    if (packages[path] === undefined || kept[path] !== undefined) return
    const { dev: _dev, ...entry } = packages[path]
    kept[path] = entry
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) keep(next)
  }
  keep(name)
  /** @type {Record<string, string>} */
  const dependencies = { [name]: packages[`node_modules/${name}`].version }
  return {
    manifest: { private: true, dependencies },
    lock: { lockfileVersion: 3, requires: true, packages: { ...kept, '': { dependencies } } },
  }
}
