// Documents in the library's schema of PostgreSQL, in pieces: the driver takes a value apart in one go, on the thread
// that serves.
import { open } from 'node:fs/promises'
import type { Kysely, Transaction } from 'kysely'
import { captureFile, type FileContent } from '../../pages/local-file.ts'
import type { LibraryTables } from '../schema.ts'
import type { DocumentFiles } from './document-files.ts'

const PIECE_BYTES = 256 * 1024

export function createPostgresFiles(database: Kysely<LibraryTables>): DocumentFiles {
  return {
    keep: (name, path) =>
      database.transaction().execute(async (transaction) => {
        // Whoever else keeps one of this name waits here.
        await transaction
          .insertInto('document')
          .values({ name, bytes: 0, added_at: new Date() })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ added_at: new Date() }))
          .execute()
        await transaction.deleteFrom('document_piece').where('name', '=', name).execute()
        const bytes = await writePieces(transaction, name, path)
        await transaction.updateTable('document').set({ bytes }).where('name', '=', name).execute()
      }),
    load: async (url, name) => captureFile(url, await readContent(database, name)),
    async describe(names) {
      if (names.length === 0) return new Map()
      const rows = await database.selectFrom('document').selectAll().where('name', 'in', names).execute()
      return new Map(rows.map(({ name, bytes, added_at: addedAt }) => [name, { bytes, addedAt }]))
    },
    async remove(name) {
      // Its pieces go with it.
      await database.deleteFrom('document').where('name', '=', name).execute()
    },
  }
}

async function writePieces(
  transaction: Transaction<LibraryTables>,
  name: string,
  path: string,
): Promise<number> {
  const file = await open(path)
  try {
    const piece = Buffer.alloc(PIECE_BYTES)
    let written = 0
    for (let position = 0; ; position += 1) {
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES)
      if (bytesRead === 0) return written
      const content = piece.subarray(0, bytesRead)
      await transaction.insertInto('document_piece').values({ name, position, content }).execute()
      written += bytesRead
    }
  } finally {
    await file.close()
  }
}

/** In one statement, so that a document that is replaced meanwhile is read whole, old or new; null when there is none. */
async function readContent(database: Kysely<LibraryTables>, name: string): Promise<FileContent | null> {
  const rows = await database
    .selectFrom('document')
    .leftJoin('document_piece', 'document_piece.name', 'document.name')
    .select(['document.added_at', 'document_piece.content'])
    .where('document.name', '=', name)
    .orderBy('document_piece.position')
    .execute()
  const [first] = rows
  if (first === undefined) return null
  return { bytes: Buffer.concat(rows.flatMap(({ content }) => content ?? [])), modifiedAt: first.added_at }
}
