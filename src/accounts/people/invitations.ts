// Invitations: a link that lets one person become a user, once, before it expires. Only the link's hash is stored.
import { hashSecret, mintId, mintToken } from '../keys/key.ts'
import { isSeen, withoutControls } from '../keys/listed-names.ts'
import { isAcceptablePassword, type PasswordHasher } from './password-hasher.ts'
import type { AccountTables } from '../store/schema.ts'
import type { StoreDatabase, StoreTransaction } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { OidcIdentity, User } from './user.ts'
import { insertUser, normaliseEmail } from './users.ts'
import { isVouchedFor } from './vouching.ts'

const LIFETIME_MS = 7 * 86_400_000
const LISTED_MAX = 500
const NAME_LENGTH_MAX = 100

export interface Invitation {
  id: string
  /** The only address it may be accepted with; null for any. */
  email: string | null
  isAdmin: boolean
  createdAt: Date
  expiresAt: Date
  acceptedAt: Date | null
}

export interface NewInvitation {
  isAdmin: boolean
  email?: string | null
  /** The inviting user; null for the command line and the first run. */
  createdBy: string | null
  /** Default seven days. */
  lifetimeMs?: number
}

export type Newcomer = { email: string; name: string } & ({ password: string } | { oidc: OidcIdentity })

export type Acceptance =
  | { ok: true; user: User }
  | {
      ok: false
      reason: 'invalid_invitation' | 'invalid_email' | 'email_taken' | 'identity_taken' | 'weak_password'
    }

export type Invitations = ReturnType<typeof createInvitations>

export function createInvitations({ store, hasher }: { store: Store; hasher: PasswordHasher }) {
  const { database } = store

  return {
    /** Makes an invitation; `token` is the secret of its link and cannot be had again. */
    create: (request: NewInvitation): Promise<{ invitation: Invitation; token: string }> =>
      database.transaction().execute((transaction) => insertInvitation(transaction, request)),

    /** The invitation of a link that can still be accepted, or null: whoever made it must still be active. */
    async find(token: string): Promise<Invitation | null> {
      const row = await findOpen(database, token)
      return row === undefined ? null : toInvitation(row)
    },

    /**
     * Makes the newcomer a user and uses the invitation up. Of several that accept the same link at once one wins.
     * A name left empty becomes the e-mail address.
     */
    async accept(token: string, newcomer: Newcomer): Promise<Acceptance> {
      const open = await findOpen(database, token)
      if (open === undefined) return { ok: false, reason: 'invalid_invitation' }
      const email = normaliseEmail(newcomer.email)
      if (email === null || (open.email !== null && open.email !== email))
        return { ok: false, reason: 'invalid_email' }
      if ('password' in newcomer && !isAcceptablePassword(newcomer.password, email)) {
        return { ok: false, reason: 'weak_password' }
      }
      const name = withoutControls(newcomer.name).trim().slice(0, NAME_LENGTH_MAX)
      const person = {
        email,
        name: isSeen(name) ? name : email,
        passwordHash: 'password' in newcomer ? await hasher.hash(newcomer.password) : null,
        oidc: 'oidc' in newcomer ? newcomer.oidc : null,
      }
      return store.exclusively(async (transaction) => {
        const row = await findOpen(transaction, token)
        if (row === undefined) return { ok: false, reason: 'invalid_invitation' }
        const user = await insertUser(transaction, { ...person, isAdmin: row.is_admin === 1 })
        if (typeof user === 'string') return { ok: false, reason: user }
        const used = { accepted_at: Date.now(), accepted_by: user.id }
        await transaction.updateTable('invitations').set(used).where('id', '=', row.id).execute()
        return { ok: true, user }
      })
    },

    /** Newest first, at most 500; without those whose maker was shut out. */
    async list(): Promise<Invitation[]> {
      const rows = await database
        .selectFrom('invitations')
        .selectAll()
        .where(isVouchedFor('created_by'))
        .orderBy('created_at', 'desc')
        .limit(LISTED_MAX)
        .execute()
      return rows.map(toInvitation)
    },

    /** Takes an invitation back; false when there is none that is still open. */
    async withdraw(id: string): Promise<boolean> {
      const deleted = await database
        .deleteFrom('invitations')
        .where('id', '=', id)
        .where('accepted_at', 'is', null)
        .executeTakeFirst()
      return deleted.numDeletedRows === 1n
    },
  }
}

/**
 * Inserts an invitation inside the caller's transaction (the first run makes its own this way).
 * @throws RangeError when the e-mail is none.
 */
export async function insertInvitation(
  transaction: StoreTransaction,
  request: NewInvitation,
): Promise<{ invitation: Invitation; token: string }> {
  const email = typeof request.email === 'string' ? normaliseEmail(request.email) : null
  if (typeof request.email === 'string' && email === null) throw new RangeError('That is no e-mail address.')
  const token = mintToken('invitation')
  const now = Date.now()
  const row = {
    id: mintId('invitation'),
    token_hash: hashSecret(token),
    email,
    is_admin: request.isAdmin ? 1 : 0,
    created_by: request.createdBy,
    created_at: now,
    expires_at: now + (request.lifetimeMs ?? LIFETIME_MS),
    accepted_at: null,
    accepted_by: null,
  }
  await transaction.insertInto('invitations').values(row).execute()
  return { invitation: toInvitation(row), token }
}

function findOpen(database: StoreDatabase, token: string): Promise<AccountTables['invitations'] | undefined> {
  return database
    .selectFrom('invitations')
    .selectAll()
    .where('token_hash', '=', hashSecret(token))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', Date.now())
    .where(isVouchedFor('created_by'))
    .executeTakeFirst()
}

function toInvitation(row: AccountTables['invitations']): Invitation {
  return {
    id: row.id,
    email: row.email,
    isAdmin: row.is_admin === 1,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    acceptedAt: row.accepted_at === null ? null : new Date(row.accepted_at),
  }
}
