// The first run: a store with neither user nor key gets one API key and one admin invitation. They hold from the moment
// they are made, and count as handed out only once somebody was shown them: a process that is killed in between leaves
// the next start to make others.
import { setTimeout as sleep } from 'node:timers/promises'
import { insertInvitation } from './people/invitations.ts'
import { insertKey } from './keys/make-key.ts'
import type { StoreTransaction } from './store/schema.ts'
import type { Store } from './store/store.ts'

const FIRST_KEY_NAME = 'First key'
/** How long a process that made a first key is given to show it, before it is taken for one that ended. */
const SHOWING_MS = 3_000
const ASK_AGAIN_MS = 100

/** What the first start prints; neither can be had again. */
export interface FirstRun {
  key: string
  invitationToken: string
  /** Told that both were shown: from then on no start makes others. */
  confirmShown: () => Promise<void>
}

/**
 * Makes the first key and an admin invitation. Null when the store already has a user, or a key (revoked ones count) that
 * somebody was shown, so that of several processes that start at once exactly one gets them. Where another made them and
 * has not shown them within three seconds, others are made; the earlier ones hold, too, for they may have been read.
 */
export async function prepareFirstRun(store: Store): Promise<FirstRun | null> {
  const untilMs = performance.now() + SHOWING_MS
  for (;;) {
    const isOver = performance.now() >= untilMs
    const made = await store.exclusively((transaction) => makeWhereNoneIs(transaction, isOver))
    if (made !== 'being shown') return made === null ? null : confirmable(store, made)
    await sleep(ASK_AGAIN_MS)
  }
}

interface Made {
  keyId: string
  key: string
  invitationToken: string
}

async function makeWhereNoneIs(
  transaction: StoreTransaction,
  isAgain: boolean,
): Promise<Made | 'being shown' | null> {
  const user = await transaction.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (user !== undefined) return null
  const unshown = transaction.selectFrom('first_run_keys').select('key_id')
  const keys = transaction.selectFrom('api_keys').select('id').limit(1)
  if ((await keys.where('id', 'not in', unshown).executeTakeFirst()) !== undefined) return null
  if (!isAgain && (await keys.executeTakeFirst()) !== undefined) return 'being shown'
  const { record, key } = await insertKey(transaction, { name: FIRST_KEY_NAME, ownerId: null })
  await transaction.insertInto('first_run_keys').values({ key_id: record.id }).execute()
  const invited = await insertInvitation(transaction, { isAdmin: true, createdBy: null })
  return { keyId: record.id, key, invitationToken: invited.token }
}

function confirmable(store: Store, { keyId, key, invitationToken }: Made): FirstRun {
  return {
    key,
    invitationToken,
    confirmShown: async () => {
      await store.exclusively((transaction) =>
        transaction.deleteFrom('first_run_keys').where('key_id', '=', keyId).execute(),
      )
    },
  }
}
