// Opens the embedded engine: in a file of the data folder, or in PostgreSQL where replicas share it.
import type { Library } from './engine.ts'
import { openSqliteLibrary } from './sqlite.ts'

export type { Library, LibraryPage } from './engine.ts'

export interface LibraryOptions {
  dataDir: string
  /** Told when a damaged SQLite file was set aside and an empty engine opened in its place. */
  onDamaged?: (setAsidePath: string) => void
}

export async function openLibrary(options: LibraryOptions): Promise<Library> {
  return openSqliteLibrary(options)
}
