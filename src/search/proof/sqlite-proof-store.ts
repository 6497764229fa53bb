// Texts of pages lately quoted from, in a file of the data folder: known after a restart, and to every process on this
// machine. All of it may be lost at any time, so a damaged file is started anew.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase, { type Database } from 'better-sqlite3'
import { SQLITE_REASONS } from '../../connections/sqlite-reasons.ts'
import { explainByCode } from '../../errors.ts'
import { makeFolder, makePrivateFile } from '../../folders.ts'
import { packPage, unpackPage } from './packed-page.ts'
import { contentSha256, type ProofStore, type ProofStoreOptions } from './proof-store.ts'

const FILE = 'proofs.sqlite'
/** The thread that serves waits while another process writes: shorter than anybody notices. */
const BUSY_MS = 100
/** Pages are forgotten at most this often, and after so much of what all may take is new. */
const FORGET_MS = 60_000
const FORGET_SHARE = 1 / 16

const SCHEMA = `
  create table if not exists page (digest text primary key, content blob not null, kept_at integer not null) without rowid;
  create index if not exists page_kept_at on page (kept_at);`

const KEEP = `
  insert into page (digest, content, kept_at) values (?, ?, ?)
  on conflict (digest) do update set content = excluded.content, kept_at = excluded.kept_at`

const FIND = 'select content from page where digest = ? and kept_at > ?'

const FORGET_OLD = 'delete from page where kept_at <= ?'

const FORGET_EXCESS = `
  delete from page where digest in (
    select digest from (
      select digest, sum(length(content)) over (order by kept_at desc, digest) as total from page
    ) where total > ?
  )`

export interface SqliteProofStoreOptions extends ProofStoreOptions {
  dataDir: string
}

/** Opens (or makes) `proofs.sqlite` in `dataDir`. Throws when the place cannot be written. */
export function openSqliteProofStore({ dataDir, maxBytes, maxAgeMs }: SqliteProofStoreOptions) {
  const file = openFile(dataDir)
  const [keep, find] = [file.prepare(KEEP), file.prepare<[string, number], { content: Buffer }>(FIND)]
  const [forgetOld, forgetExcess] = [file.prepare(FORGET_OLD), file.prepare(FORGET_EXCESS)]
  let forgottenAt = performance.now()
  let newBytes = 0

  function forget(): void {
    if (newBytes < FORGET_SHARE * maxBytes && performance.now() - forgottenAt < FORGET_MS) return
    forgottenAt = performance.now()
    newBytes = 0
    forgetOld.run(Date.now() - maxAgeMs)
    forgetExcess.run(maxBytes)
  }

  const store: ProofStore = {
    async keep(page) {
      const digest = contentSha256(page.text)
      if (maxAgeMs === 0) return digest
      const content = await packPage(page)
      if (content.length > maxBytes) return digest
      newBytes += content.length
      keep.run(digest, content, Date.now())
      forget()
      return digest
    },
    async find(digest) {
      const row = maxAgeMs === 0 ? undefined : find.get(digest, Date.now() - maxAgeMs)
      return row === undefined ? null : unpackPage(row.content)
    },
  }
  return {
    ...store,
    async close(): Promise<void> {
      file.close()
    },
  }
}

function openFile(dataDir: string): Database {
  makeFolder(dataDir, 0o700)
  const path = join(dataDir, FILE)
  try {
    return openPrepared(path)
  } catch (error) {
    if (!isDamage(error))
      throw explainByCode(
        error,
        SQLITE_REASONS,
        (reason) => `The texts behind proofs in ${path} cannot be kept: ${reason}.`,
      )
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    return openPrepared(path)
  }
}

const isDamage = (error: unknown): boolean =>
  error instanceof SqliteDatabase.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/u.test(error.code)

function openPrepared(path: string): Database {
  // What was read for somebody is nobody else's to read.
  makePrivateFile(path)
  const file = new SqliteDatabase(path)
  try {
    file.pragma(`busy_timeout = ${BUSY_MS}`)
    file.pragma('journal_mode = wal')
    file.pragma('synchronous = normal')
    file.exec(SCHEMA)
    return file
  } catch (error) {
    file.close()
    throw error
  }
}
