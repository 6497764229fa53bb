// Who stands behind a link: one that was made by a person is worth nothing once that person was shut out.
import { sql, type RawBuilder } from 'kysely'

/** A condition on rows with a `created_by`: made on the command line or at the first run, or by a user who is active. */
export const isVouchedFor = (createdBy: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(createdBy)} is null or ${sql.ref(createdBy)} in (select id from users where disabled_at is null))`
