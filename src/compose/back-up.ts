// Copies the databases of the data folder while the service runs, by SQLite's own backup: each copy is the state of one
// moment, with everything that was committed before; and the keys that sign proofs.
import SqliteDatabase from 'better-sqlite3'
import { chmod, copyFile, readdir, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../errors.ts'
import { makeNamedFolder } from '../folders.ts'
import { KEY_FILE } from '../search/bundles/key-file.ts'

const DATABASE = /\.sqlite$/u
/** All that are left, because a write between two steps begins the copy anew; writers of a WAL need not wait for it. */
const PAGES_PER_STEP = 2 ** 31 - 1

/**
 * Copies every database and the signing keys of `dataDir` into `folder`, which is made where it is missing; a copy of
 * the same name is replaced when the new one is whole. Returns the paths of the copies.
 * @throws OperatorError when there is nothing to copy, a copy is damaged, or `folder` is `dataDir` itself.
 */
export async function backUp(dataDir: string, folder: string, signal: AbortSignal): Promise<string[]> {
  const all: string[] = await readdir(dataDir).catch(() => [])
  const names = all.filter((name) => DATABASE.test(name)).toSorted()
  if (names.length === 0) throw new OperatorError(`There is no database in ${dataDir}. Check DATA_DIR.`)
  makeNamedFolder(folder, 'Name one', 0o700)
  // A copy in place of a database that is in use would take from it all that is written from then on.
  if ((await realpath(folder)) === (await realpath(dataDir)))
    throw new OperatorError(`${folder} is the data folder itself. Name another one for the copies.`)
  for (const name of names) await copy(join(dataDir, name), join(folder, name), signal)
  const copied = names.map((name) => join(folder, name))
  if (!all.includes(KEY_FILE)) return copied
  await copyKeys(join(dataDir, KEY_FILE), join(folder, KEY_FILE))
  return [...copied, join(folder, KEY_FILE)]
}

/** The file is never written in place, so that any copy of it is whole. */
async function copyKeys(from: string, to: string): Promise<void> {
  const part = `${to}.part`
  await copyFile(from, part)
  await chmod(part, 0o600)
  await rename(part, to)
}

async function copy(from: string, to: string, signal: AbortSignal): Promise<void> {
  const part = `${to}.part`
  await rm(part, { force: true })
  const source = new SqliteDatabase(from, { readonly: true, fileMustExist: true })
  try {
    await source.backup(part, {
      progress: () => {
        signal.throwIfAborted()
        return PAGES_PER_STEP
      },
    })
    check(part)
    await chmod(part, 0o600)
    await rename(part, to)
  } finally {
    source.close()
    for (const rest of [part, `${part}-journal`, `${part}-wal`, `${part}-shm`])
      await rm(rest, { force: true })
  }
}

function check(path: string): void {
  const copied = new SqliteDatabase(path)
  try {
    // As a single file: what restores it shall not have to know of a second one.
    copied.pragma('journal_mode = delete')
    const found: unknown = copied.pragma('quick_check', { simple: true })
    if (found !== 'ok') throw new OperatorError(`The copy ${path} is damaged: ${String(found)}`)
  } finally {
    copied.close()
  }
}
