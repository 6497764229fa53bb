// What keeps the embedded engine from being opened or used, in words for the operator.
import { explainByCode, type ReasonsByCode } from '../errors.ts'

const REASONS: ReasonsByCode = [
  [
    /^(?:SQLITE_(?:READONLY|CANTOPEN|PERM|AUTH|IOERR)|EACCES|EPERM|EROFS|EEXIST|ENOENT|ENOTDIR|EISDIR)/u,
    'the place cannot be written. Point DATA_DIR to a folder that the service may write, on a disk with room',
  ],
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/u, 'the disk is full. Make room, or point DATA_DIR to another one'],
  [/^SQLITE_(?:BUSY|LOCKED)/u, 'another process keeps it locked. End that process'],
]

/** The operator's sentence for an error met while `path` was opened or used; errors of no known kind are returned as they are. */
export const toLibraryError = (error: unknown, path: string): unknown =>
  explainByCode(error, REASONS, (reason) => `The search index ${path} cannot be used: ${reason}.`)
