// What keeps a file of SQLite from being opened or used, in words for the operator.
import type { ReasonsByCode } from '../errors.ts'

export const SQLITE_REASONS: ReasonsByCode = [
  [
    /^(?:SQLITE_(?:READONLY|CANTOPEN|PERM|AUTH|IOERR)|EACCES|EPERM|EROFS|EEXIST|ENOENT|ENOTDIR|EISDIR)/u,
    'it cannot be written. Check the owner and mode of the file and its folder and that the disk has room, or set another DATA_DIR',
  ],
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/u, 'the disk is full. Make room, or point DATA_DIR to another one'],
  [/^SQLITE_(?:BUSY|LOCKED)/u, 'another process keeps it locked. End that process'],
]
