// Folders that are made where they are missing, and files that nobody but their owner may read.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { OperatorError } from './errors.ts'

const PRIVATE = 0o600

/**
 * Makes the folder and those above it that are missing, one after another: Node's own recursive `mkdir` never ends where
 * the system says that a folder's parent is missing although it is there, as it does of /proc.
 * @throws the system's error with its `code` where a folder cannot be made, or something else has its name.
 */
export function makeFolder(path: string, mode?: number): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at)
  for (const folder of missing.toReversed()) makeOne(folder, mode)
}

/**
 * The same for a folder that the operator named; `advice` begins the sentence that says what to do, such as "Name
 * one in MODEL_DIR".
 * @throws {OperatorError} where it cannot be made.
 */
export function makeNamedFolder(path: string, advice: string, mode?: number): void {
  try {
    makeFolder(path, mode)
  } catch (cause) {
    throw new OperatorError(`The folder ${path} cannot be made. ${advice} where this user may write.`, {
      cause,
    })
  }
}

/**
 * Makes an empty file that its owner alone may read and write, or takes from others what they may do with the one that is
 * there, as of a build that did not; what SQLite puts beside a database has the database's mode.
 * @throws the system's error where it cannot be made or is not this user's.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE))
  if ((statSync(path).mode & 0o777) !== PRIVATE) chmodSync(path, PRIVATE)
}

/** Another process may have made it meanwhile. */
function makeOne(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, mode === undefined ? {} : { mode })
  } catch (error) {
    if (!existsSync(folder) || !statSync(folder).isDirectory()) throw error
  }
}
