// The files set-up works with: where they lie, digests of them, and notes of what was done when.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { env, pid } from 'node:process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The address of a file of the bundle, to import it by: nobody who checks types reads a bundle then. */
export const bundled = (name) => new URL(`../../dist/${name}`, import.meta.url).href
/** Goes with the dependencies: a new `npm ci` forgets what was noted about the old ones. */
export const NOTES = join(ROOT, 'node_modules', '.verbatim')
/** What was compiled once, for every clone of this user. */
export const USER_CACHE = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'verbatim')

/** What failed for want of a network is tried again after a day, not at every start. */
const RETRY_AFTER_MS = 24 * 60 * 60_000

/** Writes as a whole or not at all, and never through a hard link that another checkout shares. */
export function writeWhole(path, content) {
  mkdirSync(dirname(path), { recursive: true })
  const part = `${path}.${pid}.part`
  writeFileSync(part, content)
  renameSync(part, path)
}

/** What was noted under `name`, or null. */
export function readNote(name) {
  const file = join(NOTES, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

export const writeNote = (name, text) => writeWhole(join(NOTES, name), text)

/** Whether something that was out of reach was tried so lately that it is not worth trying again. */
export function wasTriedLately(name) {
  const file = join(NOTES, name)
  return existsSync(file) && Date.now() - statSync(file).mtimeMs < RETRY_AFTER_MS
}

/** One digest over names and contents of `paths`, which are relative to the root. */
export function digestOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0')
  return hash.digest('hex')
}

/** Every file below `folder`, relative to the root, in order. */
export function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .toSorted()
}
