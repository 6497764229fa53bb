// The packages that running needs, or the tests' besides; of the former, what no run of this machine ever reads is left
// out. No package runs code while it is installed (.npmrc): the one that has to be compiled is compiled by native-module.mjs.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { arch, platform } from 'node:process'
import { digestOf, NOTES, readNote, ROOT, writeNote, writeWhole } from './files.mjs'
import { runNpm } from './run-command.mjs'

const NOTE = 'dependencies'
const QUIETLY = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
const MODULES = join(ROOT, 'node_modules')

/** Which set is there for exactly this lock file: `all`, `running` or null. */
export function installedSet() {
  const [set, lock] = (readNote(NOTE) ?? '').split(' ')
  return lock === digestOf(['package-lock.json']) ? set : null
}

/** @param {'running' | 'all'} set */
export async function installDependencies(set) {
  const { ok, output } = await runNpm(['ci', ...QUIETLY, ...(set === 'running' ? ['--omit=dev'] : [])])
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
  rmSync(join(modules, 'onnxruntime-web', 'dist'), { recursive: true, force: true })
  for (const path of readdirSync(modules, { recursive: true, encoding: 'utf8' }))
    if (/\.(?:js|mjs|cjs|ts|mts|cts|css)\.map$/u.test(path)) rmSync(join(modules, path))
}

/** Where the bundler is: among the tests' packages, or on its own beside those that running needs. */
export function findBundler() {
  const bundler = join('node_modules', 'esbuild', 'lib', 'main.js')
  return [ROOT, TOOLS].map((folder) => join(folder, bundler)).find(existsSync) ?? null
}

const TOOLS = join(NOTES, 'tools')

/** esbuild alone, as the lock file has it: building needs it, running does not. Its program is a package for this system. */
export async function installBundler() {
  const { manifest, lock } = lockOf(
    'esbuild',
    JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')),
  )
  writeWhole(join(TOOLS, 'package.json'), JSON.stringify(manifest))
  writeWhole(join(TOOLS, 'package-lock.json'), JSON.stringify(lock))
  const { ok, output } = await runNpm(['ci', ...QUIETLY, '--prefix', TOOLS], { cwd: TOOLS })
  if (!ok) throw new Error(`the bundler could not be installed:\n${output}`)
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
