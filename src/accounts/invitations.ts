// Invitations: a link that lets one person become a user, once, before it expires. Only the link's hash is stored.
import type { Store, StoreTransaction } from './store.ts'
import type { OidcIdentity, User } from './users.ts'

export interface Invitation {
  id: string
  /** The only address it may be accepted with; null for any. */
  email: string | null
  isAdmin: boolean
  createdAt: Date
  expiresAt: Date
  acceptedAt: Date | null
}

export type Accepted =
  | { ok: true; user: User }
  | { ok: false; reason: 'invalid_invitation' | 'invalid_email' | 'email_taken' | 'identity_taken' | 'weak_password' }

export interface NewInvitation { isAdmin: boolean; email?: string | null; createdBy: string | null; lifetimeMs?: number }

export interface Invitations {
  create(request: NewInvitation): Promise<{ invitation: Invitation; token: string }>
  /** The invitation of a link that can still be accepted, or null. */
  find(token: string): Promise<Invitation | null>
  accept(token: string, person: { email: string; name: string } & ({ password: string } | { oidc: OidcIdentity })): Promise<Accepted>
  /** Newest first, at most 500. */
  list(): Promise<Invitation[]>
  /** Takes an invitation back; false when there is none that is still open. */
  withdraw(id: string): Promise<boolean>
}
export declare function createInvitations(options: { store: Store }): Invitations
export declare function insertInvitation(transaction: StoreTransaction, request: NewInvitation): Promise<{ invitation: Invitation; token: string }>
