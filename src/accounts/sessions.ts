// Sign-in sessions as rows, so that they survive restarts, are shared by replicas and can be revoked. The cookie holds
// a random token, the row its hash.
import type { Store } from './store.ts'
import type { User } from './users.ts'

export interface Session { user: User; createdAt: Date; expiresAt: Date }

export interface Sessions {
  /** Always make a fresh one at sign-in (no fixation). `token` is for the cookie. */
  create(userId: string): Promise<{ token: string; expiresAt: Date }>
  /** The live session of a cookie, or null: unknown, expired, revoked, user disabled alike. */
  find(token: string | undefined): Promise<Session | null>
  revoke(token: string): Promise<void>
  /** Signs a user out everywhere, except (when given) the session of `keepToken`. Returns how many ended. */
  revokeAll(userId: string, keepToken?: string): Promise<number>
}
export declare function createSessions(options: { store: Store }): Sessions
