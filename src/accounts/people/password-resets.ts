// Links that let a user who cannot sign in set a new password, made by an admin or on the command line.
import { hashSecret, mintToken } from '../keys/key.ts'
import { isAcceptablePassword, type PasswordHasher } from './password-hasher.ts'
import { endSessions } from './sessions.ts'
import type { StoreDatabase, StoreTransaction } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { toUser, type User } from './user.ts'
import { isVouchedFor } from './vouching.ts'

const LIFETIME_MS = 24 * 3_600_000

export function createPasswordResets({ store, hasher }: { store: Store; hasher: PasswordHasher }) {
  const { database } = store
  const findReset = (token: string): Promise<User | null> => findUser(database, token)

  return {
    /** Makes a link that lets a user set a new password, once, within a day. Earlier links of the user stop working. */
    async createReset(userId: string, createdBy: string | null): Promise<{ token: string; expiresAt: Date }> {
      const token = mintToken('reset')
      const now = Date.now()
      await database.transaction().execute(async (transaction) => {
        await withdrawResets(transaction, userId)
        await transaction
          .insertInto('password_resets')
          .values({
            token_hash: hashSecret(token),
            user_id: userId,
            created_by: createdBy,
            created_at: now,
            expires_at: now + LIFETIME_MS,
            used_at: null,
          })
          .execute()
      })
      return { token, expiresAt: new Date(now + LIFETIME_MS) }
    },

    /** The user a reset link is for, or null: used, expired, unknown, the user or whoever made it disabled. */
    findReset,

    /** Sets a new password by a reset link, uses the link up and ends every session of the user. */
    async reset(token: string, password: string): Promise<'changed' | 'invalid_link' | 'weak_password'> {
      const user = await findReset(token)
      if (user === null) return 'invalid_link'
      if (!isAcceptablePassword(password, user.email)) return 'weak_password'
      const passwordHash = await hasher.hash(password)
      return store.exclusively(async (transaction) => {
        if ((await findUser(transaction, token)) === null) return 'invalid_link'
        await transaction
          .updateTable('users')
          .set({ password_hash: passwordHash })
          .where('id', '=', user.id)
          .execute()
        await transaction
          .updateTable('password_resets')
          .set({ used_at: Date.now() })
          .where('token_hash', '=', hashSecret(token))
          .execute()
        await endSessions(transaction, user.id)
        return 'changed'
      })
    },
  }
}

/** Makes every reset link of a user worthless inside the caller's transaction: it was made for another password. */
export async function withdrawResets(transaction: StoreTransaction, userId: string): Promise<void> {
  await transaction.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

async function findUser(database: StoreDatabase, token: string): Promise<User | null> {
  const row = await database
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .selectAll('users')
    .where('token_hash', '=', hashSecret(token))
    .where('password_resets.expires_at', '>', Date.now())
    .where('used_at', 'is', null)
    .where('disabled_at', 'is', null)
    .where(isVouchedFor('password_resets.created_by'))
    .executeTakeFirst()
  return row === undefined ? null : toUser(row)
}
