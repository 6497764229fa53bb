// What keeps the embedded engine from being opened or used, in words for the operator.
import { SQLITE_REASONS } from '../connections/sqlite-reasons.ts'
import { explainByCode } from '../errors.ts'

/** The operator's sentence for an error met while `path` was opened or used; errors of no known kind are returned as they are. */
export const toLibraryError = (error: unknown, path: string): unknown =>
  explainByCode(error, SQLITE_REASONS, (reason) => `The search index ${path} cannot be used: ${reason}.`)
