// The sessions that are open, as people see them: their own, and how many everybody has.
import { hashSecret } from '../keys/key.ts'
import type { StoreDatabase } from '../store/schema.ts'

/** A session that was not used for so long has ended. */
export const IDLE_MS = 7 * 86_400_000
const LISTED_MAX = 100
/** Characters of the token's hash that name a session. */
const SESSION_ID_LENGTH = 16

/** A session as its owner sees it. */
export interface OpenSession {
  /** Names it; opens nothing. */
  id: string
  createdAt: Date
  /** Up to an hour behind. */
  lastSeenAt: Date
  /** Whether it is the one that asks. */
  isCurrent: boolean
}

const idOf = (tokenHash: string): string => tokenHash.slice(0, SESSION_ID_LENGTH)

export function createOpenSessions(database: StoreDatabase) {
  return {
    /** A user's live sessions, the one used last first. `currentToken` is that of the cookie. */
    async list(userId: string, currentToken: string | null = null): Promise<OpenSession[]> {
      const now = Date.now()
      const rows = await database
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .where('last_seen_at', '>', now - IDLE_MS)
        .orderBy('last_seen_at', 'desc')
        .limit(LISTED_MAX)
        .execute()
      const currentId = currentToken === null ? null : idOf(hashSecret(currentToken))
      return rows.map((row) => {
        const id = idOf(row.token_hash)
        return {
          id,
          createdAt: new Date(row.created_at),
          lastSeenAt: new Date(row.last_seen_at),
          // By the ids, which the page shows: hashes are compared by the database alone.
          isCurrent: id === currentId,
        }
      })
    },

    /** How many live sessions each user has; users without one are absent. */
    async counts(): Promise<ReadonlyMap<string, number>> {
      const now = Date.now()
      const rows = await database
        .selectFrom('sessions')
        .select(({ fn }) => ['user_id', fn.countAll<number>().as('count')])
        .where('expires_at', '>', now)
        .where('last_seen_at', '>', now - IDLE_MS)
        .groupBy('user_id')
        .execute()
      return new Map(rows.map(({ user_id, count }) => [user_id, count]))
    },

    /** Ends one session of a user by its id; false when there is none. */
    async end(userId: string, id: string): Promise<boolean> {
      if (id.length !== SESSION_ID_LENGTH || !/^[0-9a-f]+$/u.test(id)) return false
      const ended = await database
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where('token_hash', 'like', `${id}%`)
        .executeTakeFirst()
      return ended.numDeletedRows > 0n
    },
  }
}
