// Forms that make something secret and show it once: sent again, by a reload or a second click, they make nothing.
import { hashSecret } from '../keys/key.ts'
import type { Store } from '../store/store.ts'

/** A page that is reloaded after longer than a session lasts is no reload of ours. */
const KEPT_MS = 30 * 86_400_000

export function createSentForms({ store: { database } }: { store: Store }) {
  return {
    /** True for the first of all requests, on any replica, that carry this mark of a form. */
    async take(mark: string): Promise<boolean> {
      const now = Date.now()
      await database
        .deleteFrom('sent_forms')
        .where('sent_at', '<', now - KEPT_MS)
        .execute()
      const inserted = await database
        .insertInto('sent_forms')
        .values({ mark_hash: hashSecret(mark), sent_at: now })
        .onConflict((conflict) => conflict.column('mark_hash').doNothing())
        .executeTakeFirst()
      return inserted.numInsertedOrUpdatedRows === 1n
    },
  }
}
