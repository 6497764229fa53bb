// What keeps a file of SQLite from being opened or used, in words for the operator.
import type { ReasonsByCode } from '../errors.ts'

export const SQLITE_REASONS: ReasonsByCode = [
  [
    /^(?:SQLITE_(?:READONLY|CANTOPEN|PERM|AUTH|IOERR)|EACCES|EPERM|EROFS|EEXIST|ENOENT|ENOTDIR|EISDIR)/u,
    'the place cannot be written. Point DATA_DIR to a folder that the service may write, on a disk with room',
  ],
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/u, 'the disk is full. Make room, or point DATA_DIR to another one'],
  [/^SQLITE_(?:BUSY|LOCKED)/u, 'another process keeps it locked. End that process'],
]
