// Copies the databases of the data folder while the service runs, by SQLite's own backup: each copy is the state of one
// moment, with everything that was committed before; and the keys that sign proofs.
import SqliteDatabase from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chmod, copyFile, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { explainByCode, OperatorError, type ReasonsByCode } from '../errors.ts'
import { makeNamedFolder } from '../folders.ts'
import { KEY_FILE } from '../search/bundles/key-file.ts'

const DATABASE = /\.sqlite$/u
/** All that are left, because a write between two steps begins the copy anew; writers of a WAL need not wait for it. */
const PAGES_PER_STEP = 2 ** 31 - 1
/** A copy in the making, under a name that no other backup into the same folder has. */
const PART = /\.[\da-f-]{36}\.part(?:-journal|-wal|-shm)?$/u
/** Nothing is written to it for so long only when its backup was killed. */
const ABANDONED_MS = 24 * 3_600_000

/**
 * Copies every database and the signing keys of `dataDir` into `folder`, which is made where it is missing; a copy of
 * the same name is replaced when the new one is whole. Returns the paths of the copies.
 * @throws OperatorError when there is nothing to copy, a database is damaged or cannot be read, a copy cannot be written,
 * or `folder` is `dataDir` itself.
 */
export async function backUp(dataDir: string, folder: string, signal: AbortSignal): Promise<string[]> {
  const all: string[] = await readdir(dataDir).catch(() => [])
  const names = all.filter((name) => DATABASE.test(name)).toSorted()
  if (names.length === 0) throw new OperatorError(`There is no database in ${dataDir}. Check DATA_DIR.`)
  if (folder === '') throw new OperatorError('The folder for the copies has no name.')
  makeNamedFolder(folder, 'Name one', 0o700)
  // A copy in place of a database that is in use would take from it all that is written from then on.
  if ((await realpath(folder)) === (await realpath(dataDir)))
    throw new OperatorError(`${folder} is the data folder itself. Name another one for the copies.`)
  await removeAbandoned(folder)
  const files = all.includes(KEY_FILE) ? [...names, KEY_FILE] : names
  const copies: string[] = []
  for (const name of files) {
    const [from, to] = [join(dataDir, name), join(folder, name)]
    await checkReadable(from)
    try {
      await (name === KEY_FILE ? copyKeys(from, to) : copy(from, to, signal))
    } catch (error) {
      throw explainByCode(error, REASONS, (reason) => `${from} ${reason}.`)
    }
    copies.push(to)
  }
  return copies
}

const DAMAGED = 'is damaged and is not copied. Restore it from an earlier backup'
/** Node makes the file that the copy is written to: what SQLite cannot open is the database itself. */
const UNREADABLE = 'cannot be read. Run the command as the user of the service'

const REASONS: ReasonsByCode = [
  [/^SQLITE_(?:CANTOPEN|READONLY|PERM|AUTH)/u, UNREADABLE],
  [/^SQLITE_(?:CORRUPT|NOTADB)/u, DAMAGED],
  [/^SQLITE_(?:BUSY|LOCKED)/u, 'is locked by another process. Try again'],
  [
    /^(?:SQLITE_(?:FULL|IOERR)|ENOSPC|EDQUOT|EFBIG|EIO)/u,
    'cannot be copied: the disk of the copies is full or fails. Earlier copies are as they were',
  ],
  [
    /^(?:EACCES|EPERM|EROFS|EISDIR|ENOTDIR|ENOENT|ENOTEMPTY|EEXIST)/u,
    'cannot be copied there. Name a folder where this user may write',
  ],
]

async function checkReadable(path: string): Promise<void> {
  await access(path, constants.R_OK).catch((cause: unknown) => {
    throw new OperatorError(`${path} ${UNREADABLE}.`, { cause })
  })
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const written = PART.test(name) ? await stat(path).catch(() => null) : null
    if (written !== null && Date.now() - written.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
  }
}

const partOf = (to: string): string => `${to}.${randomUUID()}.part`

/** The file is never written in place, so that any copy of it is whole. */
async function copyKeys(from: string, to: string): Promise<void> {
  const part = partOf(to)
  try {
    await copyFile(from, part)
    await chmod(part, 0o600)
    await rename(part, to)
  } finally {
    await rm(part, { force: true })
  }
}

async function copy(from: string, to: string, signal: AbortSignal): Promise<void> {
  const part = partOf(to)
  const source = new SqliteDatabase(from, { readonly: true, fileMustExist: true })
  try {
    // Its owner's alone from the first byte on, also in a folder that others may read.
    await writeFile(part, '', { mode: 0o600, flag: 'wx' })
    await source.backup(part, {
      progress: () => {
        signal.throwIfAborted()
        return PAGES_PER_STEP
      },
    })
    check(part, from)
    await rename(part, to)
  } finally {
    source.close()
    for (const rest of [part, `${part}-journal`, `${part}-wal`, `${part}-shm`])
      await rm(rest, { force: true })
  }
}

function check(part: string, from: string): void {
  const copied = new SqliteDatabase(part, { fileMustExist: true })
  try {
    // As a single file: what restores it shall not have to know of a second one.
    copied.pragma('journal_mode = delete')
    const found: unknown = copied.pragma('quick_check(1)', { simple: true })
    if (found !== 'ok') throw new OperatorError(`${from} ${DAMAGED}.`, { cause: new Error(String(found)) })
  } finally {
    copied.close()
  }
}
