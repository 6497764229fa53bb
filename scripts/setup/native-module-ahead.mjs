// SQLite made while the packages are still being installed: its package is brought first, alone, into a folder of its own.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installAlone } from './dependencies.mjs'
import { ROOT } from './files.mjs'
import { binaryIn, keptFile, makeNativeModule } from './native-module.mjs'

/** One set-up works in a checkout at a time; what one that was killed has left is removed by the next. */
const FOLDER = join(ROOT, '.setup-sqlite')
let isBegun = false

/** Whether this user's cache has it, so that there is nothing to be made. */
export function isNativeModuleKept() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return existsSync(keptFile(packages['node_modules/better-sqlite3'].version))
}

/**
 * @returns {Promise<{ file: string, source: string } | null>} null where it cannot be made so: whoever makes it in its place
 * finds out why, and says it
 */
export async function makeNativeModuleAhead() {
  try {
    isBegun = true
    removeFolder()
    const { ok } = await installAlone('better-sqlite3', FOLDER)
    const modules = join(FOLDER, 'node_modules')
    return ok ? { source: await makeNativeModule(modules), file: binaryIn(modules) } : null
  } catch {
    return null
  }
}

/** What was made ahead is in its place by now, or no longer wanted. What another set-up makes is left alone. */
export function forgetNativeModuleAhead() {
  try {
    if (isBegun) removeFolder()
  } catch {}
}

/** A program that is just ending may still write there. */
const removeFolder = () => rmSync(FOLDER, { recursive: true, force: true, maxRetries: 5 })
