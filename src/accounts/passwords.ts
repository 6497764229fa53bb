// Passwords: argon2id, sign-in that tells a stranger nothing, change, and reset by a link an admin makes.
import type { Store } from './store.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { User } from './users.ts'

export const PASSWORD_LENGTH = { min: 10, max: 256 } as const

export type SignIn =
  | { outcome: 'signed_in'; user: User }
  | { outcome: 'refused' }
  | { outcome: 'rate_limited'; retryAfterSeconds: number }

export interface Passwords {
  /** One outcome and the same work for a wrong password, an unknown address and a disabled user. */
  signIn(attempt: { email: string; password: string; address: string }): Promise<SignIn>
  /** Changes one's own password; ends every other session (all but `keepToken`'s). */
  change(userId: string, passwords: { current: string; next: string; keepToken?: string }): Promise<'changed' | 'wrong_password' | 'weak_password' | 'rate_limited'>
  /** A one-time link token, by an admin or the command line; earlier ones of that user stop working. */
  createReset(userId: string, createdBy: string | null): Promise<{ token: string; expiresAt: Date }>
  /** The user a reset link is for, or null when it is used, expired or unknown. */
  findReset(token: string): Promise<User | null>
  /** Sets a new password, uses the link up, ends every session of the user. */
  reset(token: string, password: string): Promise<'changed' | 'invalid_link' | 'weak_password'>
}
export declare function createPasswords(options: { store: Store; attempts: RateLimiter }): Passwords
