// Where documents lie once they are kept, by name: in a folder of this machine, or in PostgreSQL, where every replica
// finds them.
import type { Capture } from '../../pages/capture.ts'

export interface DocumentFacts {
  bytes: number
  addedAt: Date
}

export interface DocumentFiles {
  /** Keeps the file at `path`, in place of one of the same name; `path` may be gone afterwards. */
  keep(name: string, path: string): Promise<void>
  /** @throws {PageError} when there is none of this name. */
  load(url: string, name: string): Promise<Capture>
  /** Those of `names` that are there. */
  describe(names: readonly string[]): Promise<ReadonlyMap<string, DocumentFacts>>
  remove(name: string): Promise<void>
}
