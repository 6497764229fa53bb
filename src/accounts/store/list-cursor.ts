// Lists of what happened, newest first and page by page: where a page ends, as a condition on rows and as text in an
// address. Two rows of one moment are told apart by their ids, so that none falls between two pages.
import { sql, type RawBuilder } from 'kysely'

/** Names a row's place in the list. */
export interface ListCursor {
  occurredAt: number
  entryId: string
}

/** The condition of rows that come after `cursor` in the list. */
export const isOlderThan = ({ occurredAt, entryId }: ListCursor): RawBuilder<boolean> =>
  sql<boolean>`(occurred_at, entry_id) < (${occurredAt}, ${entryId})`

/** The first `limit` of the rows, of which one more was asked for; `next` is null when these are the last. */
export function cutPage<Row extends { occurred_at: number; entry_id: string }>(
  rows: readonly Row[],
  limit: number,
): { shown: Row[]; next: ListCursor | null } {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    shown: rows.slice(0, limit),
    next: last === undefined ? null : { occurredAt: last.occurred_at, entryId: last.entry_id },
  }
}

/** As it stands in a link to older rows. */
export const cursorText = ({ occurredAt, entryId }: ListCursor): string => `${occurredAt}.${entryId}`

/** Null for anything but a text of `cursorText`. */
export function readCursor(text: unknown): ListCursor | null {
  const [, occurredAt, entryId] =
    /^(\d{1,15})\.([\w-]{1,32})$/u.exec(typeof text === 'string' ? text : '') ?? []
  return occurredAt === undefined || entryId === undefined
    ? null
    : { occurredAt: Number(occurredAt), entryId }
}
