// Passwords: argon2id, a sign-in that tells a stranger nothing, change, and reset by a link that an admin makes.
import { hashSecret, mintToken } from './key.ts'
import { isAcceptablePassword, type PasswordHasher } from './password-hasher.ts'
import { addressSubject, type RateLimiter } from './rate-limiter.ts'
import { endSessions } from './sessions.ts'
import type { Store, StoreTransaction } from './store.ts'
import { normaliseEmail, toUser, type User } from './users.ts'

const RESET_LIFETIME_MS = 24 * 3_600_000
/** Attempts in one window of the sign-in limiter: for one account from one address, per address, per account. */
const ATTEMPTS = { accountFromAddress: 10, address: 50, account: 100 } as const

export type SignIn =
  | { outcome: 'signed_in'; user: User }
  | { outcome: 'refused' }
  | { outcome: 'rate_limited'; retryAfterSeconds: number }

export type Passwords = ReturnType<typeof createPasswords>

interface PasswordsOptions {
  store: Store
  hasher: PasswordHasher
  attempts: RateLimiter
}

/** `attempts` limits sign-ins; its own points are not used, only its window (15 minutes as built by openAccounts). */
export function createPasswords({ store, hasher, attempts }: PasswordsOptions) {
  const { database } = store
  /** What passwords without an account are compared with, so that they take as long as the others. */
  const unmatchedHash = hasher.hash(mintToken('reset'))
  const findReset = (token: string): Promise<User | null> =>
    database.transaction().execute((transaction) => resetUser(transaction, token))

  return {
    /**
     * One outcome and the same work for a wrong password, an unknown address, a disabled user and one without a
     * password, so that nobody can learn which addresses have an account.
     */
    async signIn(attempt: { email: string; password: string; address: string }): Promise<SignIn> {
      const email = normaliseEmail(attempt.email)
      const wait = await countAttempt(attempts, email ?? '', addressSubject(attempt.address))
      if (wait > 0) return { outcome: 'rate_limited', retryAfterSeconds: wait }
      const row = await database
        .selectFrom('users')
        .selectAll()
        .where('email', '=', email ?? '')
        .where('disabled_at', 'is', null)
        .executeTakeFirst()
      const matches = await hasher.matches(row?.password_hash ?? (await unmatchedHash), attempt.password)
      if (row === undefined || row.password_hash === null || !matches) return { outcome: 'refused' }
      return { outcome: 'signed_in', user: toUser(row) }
    },

    /** Changes one's own password and ends every other session (all but `keepToken`'s). */
    async change(
      userId: string,
      passwords: { current: string; next: string; keepToken?: string },
    ): Promise<'changed' | 'wrong_password' | 'weak_password' | 'rate_limited'> {
      if (!(await attempts.consume(`change:${userId}`, ATTEMPTS.accountFromAddress)).allowed)
        return 'rate_limited'
      const row = await database.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
      const matches = await hasher.matches(row?.password_hash ?? (await unmatchedHash), passwords.current)
      if (row === undefined || row.password_hash === null || !matches) return 'wrong_password'
      if (!isAcceptablePassword(passwords.next, row.email)) return 'weak_password'
      const nextHash = await hasher.hash(passwords.next)
      await database.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('users')
          .set({ password_hash: nextHash })
          .where('id', '=', userId)
          .execute()
        await endSessions(transaction, userId, passwords.keepToken)
      })
      return 'changed'
    },

    /** Makes a link that lets a user set a new password, once, within a day. Earlier links of the user stop working. */
    async createReset(userId: string, createdBy: string | null): Promise<{ token: string; expiresAt: Date }> {
      const token = mintToken('reset')
      const now = Date.now()
      await database.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('password_resets').where('user_id', '=', userId).execute()
        await transaction
          .insertInto('password_resets')
          .values({
            token_hash: hashSecret(token),
            user_id: userId,
            created_by: createdBy,
            created_at: now,
            expires_at: now + RESET_LIFETIME_MS,
            used_at: null,
          })
          .execute()
      })
      return { token, expiresAt: new Date(now + RESET_LIFETIME_MS) }
    },

    /** The user a reset link is for, or null: used, expired, unknown, or the user disabled. */
    findReset,

    /** Sets a new password by a reset link, uses the link up and ends every session of the user. */
    async reset(token: string, password: string): Promise<'changed' | 'invalid_link' | 'weak_password'> {
      const user = await findReset(token)
      if (user === null) return 'invalid_link'
      if (!isAcceptablePassword(password, user.email)) return 'weak_password'
      const passwordHash = await hasher.hash(password)
      return store.exclusively(async (transaction) => {
        if ((await resetUser(transaction, token)) === null) return 'invalid_link'
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

/** Counts a sign-in; returns the seconds to wait, 0 when it may go on. The e-mail goes into the count as a hash. */
async function countAttempt(attempts: RateLimiter, email: string, address: string): Promise<number> {
  const account = hashSecret(email)
  const results = [
    await attempts.consume(`address:${address}`, ATTEMPTS.address),
    await attempts.consume(`pair:${account}:${address}`, ATTEMPTS.accountFromAddress),
    await attempts.consume(`account:${account}`, ATTEMPTS.account),
  ]
  return Math.max(...results.map(({ retryAfterSeconds }) => retryAfterSeconds))
}

async function resetUser(transaction: StoreTransaction, token: string): Promise<User | null> {
  const row = await transaction
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .selectAll('users')
    .where('token_hash', '=', hashSecret(token))
    .where('password_resets.expires_at', '>', Date.now())
    .where('used_at', 'is', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row === undefined ? null : toUser(row)
}
