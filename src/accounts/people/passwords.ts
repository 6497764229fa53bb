// Signing in with a password without telling a stranger anything, and changing it.
import { hashSecret, mintToken } from '../keys/key.ts'
import { isAcceptablePassword, type PasswordHasher } from './password-hasher.ts'
import { createPasswordResets, withdrawResets } from './password-resets.ts'
import { addressSubject, type RateLimiter } from '../keys/rate-limiter.ts'
import { endSessions } from './sessions.ts'
import type { Store } from '../store/store.ts'
import { toUser, type User } from './user.ts'
import { normaliseEmail } from './users.ts'

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

  return {
    ...createPasswordResets({ store, hasher }),

    /**
     * One outcome and the same work for a wrong password, an unknown address, a disabled user and one without a
     * password, so that nobody can learn which addresses have an account.
     */
    async signIn(attempt: { email: string; password: string; address: string }): Promise<SignIn> {
      const email = normaliseEmail(attempt.email)
      const row = await database
        .selectFrom('users')
        .selectAll()
        .where('email', '=', email ?? '')
        .where('disabled_at', 'is', null)
        .executeTakeFirst()
      // A new password is a new thing to guess: who forgot the old one and was sent a link does not wait for it.
      const account = hashSecret(`${email ?? ''} ${row?.password_hash ?? ''}`)
      const wait = await countAttempt(attempts, account, addressSubject(attempt.address))
      if (wait > 0) return { outcome: 'rate_limited', retryAfterSeconds: wait }
      const matches = await hasher.matches(row?.password_hash ?? (await unmatchedHash), attempt.password)
      if (row === undefined || row.password_hash === null || !matches) return { outcome: 'refused' }
      return { outcome: 'signed_in', user: toUser(row) }
    },

    /** Changes one's own password, ends every other session (all but `keepToken`'s) and withdraws links to reset it. */
    async change(
      userId: string,
      passwords: { current: string; next: string; keepToken?: string },
    ): Promise<'changed' | 'wrong_password' | 'weak_password' | 'rate_limited'> {
      const counted = await attempts.consume(`change:${userId}`, ATTEMPTS.accountFromAddress)
      if (!counted.allowed) return 'rate_limited'
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
        await withdrawResets(transaction, userId)
      })
      return 'changed'
    },
  }
}

/**
 * Counts a sign-in; returns the seconds to wait, 0 when it may go on. The first limit that is used up ends the
 * counting, so that one address cannot use up an account's attempts and lock its owner out.
 */
async function countAttempt(attempts: RateLimiter, account: string, address: string): Promise<number> {
  const limits: [subject: string, points: number][] = [
    [`address:${address}`, ATTEMPTS.address],
    [`pair:${account}:${address}`, ATTEMPTS.accountFromAddress],
    [`account:${account}`, ATTEMPTS.account],
  ]
  for (const [subject, points] of limits) {
    const { allowed, retryAfterSeconds } = await attempts.consume(subject, points)
    if (!allowed) return retryAfterSeconds
  }
  return 0
}
