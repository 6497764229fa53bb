// A person who may sign in, as the rest of accounts/ sees the row.
import type { AccountTables } from '../store/schema.ts'

export interface User {
  id: string
  /** Lower case. */
  email: string
  name: string
  isAdmin: boolean
  /** False for someone who only ever signs in through OpenID Connect. */
  hasPassword: boolean
  createdAt: Date
  /** Set when the user may no longer sign in. */
  disabledAt: Date | null
  /** Up to an hour behind; null for never since this is noted. */
  lastSeenAt: Date | null
}

/** Who someone is at an OpenID Connect issuer: the `iss` and `sub` of the ID token. */
export interface OidcIdentity {
  issuer: string
  subject: string
}

/** A row as everybody else knows it. */
export function toUser(row: AccountTables['users']): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isAdmin: row.is_admin === 1,
    hasPassword: row.password_hash !== null,
    createdAt: new Date(row.created_at),
    disabledAt: row.disabled_at === null ? null : new Date(row.disabled_at),
    lastSeenAt: row.last_seen_at === null ? null : new Date(row.last_seen_at),
  }
}
