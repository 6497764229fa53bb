// What keeps the embedded engine from being opened or used, in words for the operator.
import { errorCode, OperatorError } from '../errors.ts'

const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:SQLITE_(?:READONLY|CANTOPEN|PERM|AUTH|IOERR)|EACCES|EPERM|EROFS|EEXIST|ENOENT|ENOTDIR|EISDIR)/u,
    'the place cannot be written. Point DATA_DIR to a folder that the service may write',
  ],
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/u, 'the disk is full. Make room, or point DATA_DIR to another one'],
  [/^SQLITE_(?:BUSY|LOCKED)/u, 'another process keeps it locked. End that process'],
]

/** The operator's sentence for an error met while `path` was opened or used; errors of no known kind are returned as they are. */
export function toLibraryError(error: unknown, path: string): unknown {
  const code = errorCode(error)
  const reason = REASONS.find(([codes]) => codes.test(code))?.[1]
  return reason === undefined
    ? error
    : new OperatorError(`The search index ${path} cannot be used: ${reason}.`, { cause: error })
}
