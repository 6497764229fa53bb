// Documents as files of one folder, which nobody but this service needs to read.
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { loadLocalFile } from '../../pages/local-file.ts'
import type { DocumentFacts, DocumentFiles } from './document-files.ts'

/** `folder` must lie on the file system that files are kept from. */
export function createFolderFiles(folder: string): DocumentFiles {
  const pathOf = (name: string): string => join(folder, name)
  return {
    keep: (name, path) => rename(path, pathOf(name)),
    load: (url, name) => loadLocalFile(url, pathOf(name)),
    async describe(names) {
      const facts = new Map<string, DocumentFacts>()
      for (const name of names) {
        const file = await stat(pathOf(name)).catch(ignoreMissing)
        if (file !== null) facts.set(name, { bytes: file.size, addedAt: file.mtime })
      }
      return facts
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}

/** Between asking and looking, somebody may have removed it. */
export function ignoreMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
