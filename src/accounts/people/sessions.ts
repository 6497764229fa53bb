// Sign-in sessions as rows, so that they survive restarts, are shared by replicas and can be revoked. The cookie holds
// a random token, the row its hash.
import { hashSecret, mintToken } from '../keys/key.ts'
import type { StoreDatabase, StoreTransaction } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { createOpenSessions, IDLE_MS } from './open-sessions.ts'
import type { User } from './user.ts'

const DAY_MS = 86_400_000
const LIFETIME_MS = 30 * DAY_MS
/** A session's last use is written at most this often. */
const SEEN_PRECISION_MS = 3_600_000

export interface Session {
  user: User
  createdAt: Date
  /** The latest moment it can last to; seven days without use end it sooner. */
  expiresAt: Date
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({
  store,
  users,
}: {
  store: Store
  users: { get(id: string): Promise<User | null> }
}) {
  const { database } = store

  return {
    ...createOpenSessions(database),

    /** Starts a session: a new token at every sign-in, so that none can be planted beforehand. It is for the cookie. */
    async create(userId: string): Promise<{ token: string; expiresAt: Date }> {
      const token = mintToken('session')
      const now = Date.now()
      await database.deleteFrom('sessions').where('expires_at', '<', now).execute()
      const row = {
        token_hash: hashSecret(token),
        user_id: userId,
        created_at: now,
        last_seen_at: now,
        expires_at: now + LIFETIME_MS,
      }
      await database.insertInto('sessions').values(row).execute()
      await noteSeen(database, userId, now)
      return { token, expiresAt: new Date(row.expires_at) }
    },

    /** The live session of a cookie, or null: missing, unknown, expired, ended, or its user disabled alike. */
    async find(token: string | undefined): Promise<Session | null> {
      if (token === undefined) return null
      const now = Date.now()
      const row = await store.read(() =>
        database
          .selectFrom('sessions')
          .selectAll()
          .where('token_hash', '=', hashSecret(token))
          .where('expires_at', '>', now)
          .where('last_seen_at', '>', now - IDLE_MS)
          .executeTakeFirst(),
      )
      if (row === undefined) return null
      const user = await store.read(() => users.get(row.user_id))
      if (user === null || user.disabledAt !== null) return null
      if (row.last_seen_at < now - SEEN_PRECISION_MS) {
        await database
          .updateTable('sessions')
          .set({ last_seen_at: now })
          .where('token_hash', '=', row.token_hash)
          .execute()
        await noteSeen(database, row.user_id, now)
      }
      return { user, createdAt: new Date(row.created_at), expiresAt: new Date(row.expires_at) }
    },

    /** Signs out: the session of this token ends. */
    async revoke(token: string): Promise<void> {
      await database.deleteFrom('sessions').where('token_hash', '=', hashSecret(token)).execute()
    },

    /** Signs a user out everywhere, save (when given) the session of `keepToken`. Returns how many sessions ended. */
    async revokeAll(userId: string, keepToken?: string): Promise<number> {
      return database.transaction().execute((transaction) => endSessions(transaction, userId, keepToken))
    },
  }
}

const noteSeen = async (database: StoreDatabase, userId: string, now: number): Promise<void> => {
  await database.updateTable('users').set({ last_seen_at: now }).where('id', '=', userId).execute()
}

/** Ends a user's sessions inside the caller's transaction. */
export async function endSessions(
  transaction: StoreTransaction,
  userId: string,
  keepToken?: string,
): Promise<number> {
  let ending = transaction.deleteFrom('sessions').where('user_id', '=', userId)
  if (keepToken !== undefined) ending = ending.where('token_hash', '!=', hashSecret(keepToken))
  return Number((await ending.executeTakeFirst()).numDeletedRows)
}
