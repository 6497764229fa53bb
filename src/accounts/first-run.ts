// The first run: a store with neither user nor key gets one API key and one admin invitation, exactly once.
import { insertInvitation } from './people/invitations.ts'
import { insertKey } from './keys/make-key.ts'
import type { Store } from './store/store.ts'

const FIRST_KEY_NAME = 'First key'

/** What the first start prints; neither can be had again. */
export interface FirstRun {
  key: string
  invitationToken: string
}

/**
 * Makes the first key and an admin invitation. Null when the store already has a user or a key (revoked ones count),
 * so that of several processes that start at once exactly one gets them.
 */
export async function prepareFirstRun(store: Store): Promise<FirstRun | null> {
  return store.exclusively(async (transaction) => {
    const user = await transaction.selectFrom('users').select('id').limit(1).executeTakeFirst()
    const key = await transaction.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()
    if (user !== undefined || key !== undefined) return null
    const made = await insertKey(transaction, { name: FIRST_KEY_NAME, ownerId: null })
    const invited = await insertInvitation(transaction, { isAdmin: true, createdBy: null })
    return { key: made.key, invitationToken: invited.token }
  })
}
