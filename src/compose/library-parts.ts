// Builds the embedded engine as it is configured, with its documents, and says what of it a search finds and opens.
import { join } from 'node:path'
import { pageReaderOf } from './page-reader.ts'
import type { Config } from '../config.ts'
import type { PostgresWait } from '../connections/postgres-start.ts'
import { createDocumentStore, DOCUMENTS_ORIGIN, type DocumentStore } from '../library/files/document-store.ts'
import { createFolderFiles } from '../library/files/folder-files.ts'
import { createPostgresFiles } from '../library/files/postgres-files.ts'
import { openLibrary, type Library } from '../library/library.ts'
import { loadLocalFile } from '../pages/local-file.ts'
import type { ReadingPool } from '../search/reading/reading-pool.ts'
import type { PipelineParts } from '../search/search-context.ts'
import type { Logger } from '../telemetry/log.ts'

/** Stands for "this service" in the library's index (RFC 6761: .invalid never resolves). */
export const DOCUMENTATION_ORIGIN = 'http://documentation.invalid'

/** The PostgreSQL that holds accounts and whatever else replicas share; null for SQLite in the data folder. */
export const databaseUrlOf = ({ accounts: { store } }: Config): string | null =>
  'databaseUrl' in store ? store.databaseUrl : null

/** The embedded engine alone, for commands that fill it. */
export function openConfiguredLibrary(
  config: Config,
  log: Logger,
  wait: PostgresWait = {},
): Promise<Library> {
  return openLibrary({
    dataDir: config.dataDir,
    databaseUrl: databaseUrlOf(config),
    readUrl: config.databaseReadUrl,
    wait,
    onWarning: (message, detail) => log.warn(detail instanceof Error ? { err: detail } : { detail }, message),
  })
}

/**
 * Our documentation is indexed under an address that no port or host name changes; what is found of it is opened where
 * this very process answers, so that replicas share one index and each reads its own pages. Only a fresh installation,
 * with no engine but the embedded one, is to find it: it must never stand in for an engine that failed or found nothing.
 */
export function withOwnDocumentation(
  library: Library,
  ownUrl: string,
  isFound: () => boolean,
): Pick<Library, 'search'> {
  return {
    async search(query, signal) {
      const found = await library.search(query, signal)
      const hits = isFound() ? found : found.filter(({ url }) => !url.startsWith(`${DOCUMENTATION_ORIGIN}/`))
      return hits.map((hit) => Object.assign(hit, { url: hit.url.replace(DOCUMENTATION_ORIGIN, ownUrl) }))
    },
  }
}

/** Replicas that share one library share its documents, too. */
export function documentsOf(config: Config, library: Library, reading: ReadingPool): DocumentStore {
  const folder = join(config.dataDir, 'uploads')
  const files =
    databaseUrlOf(config) === null ? createFolderFiles(folder) : createPostgresFiles(library.database)
  return createDocumentStore({ folder, files, library, readPage: pageReaderOf(reading) })
}

/** Files are opened that are in the index, and no others, whoever names them. */
export const withIndexedFiles =
  (
    library: Pick<Library, 'hasPage'>,
    documents: Pick<DocumentStore, 'load'>,
    load: PipelineParts['loadPage'],
  ): PipelineParts['loadPage'] =>
  async (url, options, signal) => {
    // As the index spells it, however its caller did.
    const file = /^file:/iu.test(url) && URL.canParse(url) ? new URL(url).href : null
    if (file === null || !(await library.hasPage(file))) return load(url, options, signal)
    return file.startsWith(DOCUMENTS_ORIGIN) ? documents.load(file) : loadLocalFile(file)
  }
