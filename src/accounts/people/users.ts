// People who may sign in. Passwords, sessions and invitations have their own files; this one owns the row.
import { mintId } from '../keys/key.ts'
import { revokeKeysOf } from '../keys/revoke-key.ts'
import type { AccountTables } from '../store/schema.ts'
import { endSessions } from './sessions.ts'
import { toUser, type OidcIdentity, type User } from './user.ts'
import type { StoreTransaction } from '../store/schema.ts'
import type { Store } from '../store/store.ts'

const EMAIL_SHAPE = /^[^\s@\p{Cc}]{1,64}@[^\s@.\p{Cc}]+(\.[^\s@.\p{Cc}]+)*$/u
const EMAIL_LENGTH_MAX = 254

export interface NewUser {
  email: string
  name: string
  isAdmin: boolean
  passwordHash: string | null
  oidc: OidcIdentity | null
}

export type Users = ReturnType<typeof createUsers>

export function createUsers({ store }: { store: Store }) {
  const { database } = store
  const all = () => database.selectFrom('users').selectAll()

  return {
    async get(id: string): Promise<User | null> {
      return toUserOrNull(await all().where('id', '=', id).executeTakeFirst())
    },

    /** `email` in any case. */
    async findByEmail(email: string): Promise<User | null> {
      const normal = normaliseEmail(email)
      return normal === null ? null : toUserOrNull(await all().where('email', '=', normal).executeTakeFirst())
    },

    /** The user who is `subject` at the OpenID Connect `issuer`, or null; disabled ones are not found. */
    async findByOidc(identity: OidcIdentity): Promise<User | null> {
      return toUserOrNull(
        await all()
          .where('oidc_issuer', '=', identity.issuer)
          .where('oidc_subject', '=', identity.subject)
          .where('disabled_at', 'is', null)
          .executeTakeFirst(),
      )
    },

    /**
     * Ties an active account to an OpenID Connect identity; false when that identity or that account is taken.
     * Call it only for the signed-in user, or for an e-mail address the issuer says it has verified.
     */
    async linkOidc(userId: string, identity: OidcIdentity): Promise<boolean> {
      return store.exclusively(async (transaction) => {
        await freeIdentity(transaction, identity)
        if (await isIdentityTaken(transaction, identity)) return false
        const linked = await transaction
          .updateTable('users')
          .set({ oidc_issuer: identity.issuer, oidc_subject: identity.subject })
          .where('id', '=', userId)
          .where('oidc_subject', 'is', null)
          .where('disabled_at', 'is', null)
          .executeTakeFirst()
        return linked.numUpdatedRows === 1n
      })
    },

    /** Oldest first. */
    async list(): Promise<User[]> {
      return (await all().orderBy('created_at').orderBy('id').execute()).map(toUser)
    },

    /**
     * Shuts someone out: no sign-in, every session ended, every key revoked, open invitations of theirs withdrawn.
     * False when there is no such active user, or when it is the last admin, who stays.
     */
    async disable(userId: string, byUserId: string | null): Promise<boolean> {
      return store.exclusively((transaction) => disableUser(transaction, userId, byUserId))
    },
  }
}

/** Trimmed, composed (NFC) and in lower case; null when it is no e-mail address. */
export function normaliseEmail(email: string): string | null {
  const normal = email.trim().normalize('NFC').toLowerCase()
  return normal.length <= EMAIL_LENGTH_MAX && EMAIL_SHAPE.test(normal) ? normal : null
}

/**
 * Inserts a user inside the caller's exclusive transaction; the e-mail must be normal already. Who was shut out may be
 * invited again: a closed account keeps its history, but neither its address nor its identity.
 */
export async function insertUser(
  transaction: StoreTransaction,
  user: NewUser,
): Promise<User | 'email_taken' | 'identity_taken'> {
  const sameEmail = await findHolder(transaction, user.email)
  if (sameEmail?.disabled_at === null) return 'email_taken'
  if (user.oidc !== null) {
    await freeIdentity(transaction, user.oidc)
    if (await isIdentityTaken(transaction, user.oidc)) return 'identity_taken'
  }
  if (sameEmail !== undefined) await freeEmail(transaction, sameEmail.id, user.email)
  const row = {
    id: mintId('user'),
    email: user.email,
    name: user.name,
    password_hash: user.passwordHash,
    is_admin: user.isAdmin ? 1 : 0,
    oidc_issuer: user.oidc?.issuer ?? null,
    oidc_subject: user.oidc?.subject ?? null,
    created_at: Date.now(),
    disabled_at: null,
    last_seen_at: null,
  }
  await transaction.insertInto('users').values(row).execute()
  return toUser(row)
}

const toUserOrNull = (row: AccountTables['users'] | undefined): User | null =>
  row === undefined ? null : toUser(row)

const findHolder = (transaction: StoreTransaction, email: string) =>
  transaction.selectFrom('users').select(['id', 'disabled_at']).where('email', '=', email).executeTakeFirst()

/** The closed account is called "ada@example.org (closed)" from now on, which is no e-mail address. */
async function freeEmail(transaction: StoreTransaction, closedId: string, email: string): Promise<void> {
  let name = `${email} (closed)`
  for (let count = 2; (await findHolder(transaction, name)) !== undefined; count += 1) {
    name = `${email} (closed ${count})`
  }
  await transaction.updateTable('users').set({ email: name }).where('id', '=', closedId).execute()
}

/** Takes the identity from a closed account that has it. */
async function freeIdentity(transaction: StoreTransaction, identity: OidcIdentity): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ oidc_issuer: null, oidc_subject: null })
    .where('oidc_issuer', '=', identity.issuer)
    .where('oidc_subject', '=', identity.subject)
    .where('disabled_at', 'is not', null)
    .execute()
}

async function isIdentityTaken(transaction: StoreTransaction, identity: OidcIdentity): Promise<boolean> {
  const row = await transaction
    .selectFrom('users')
    .select('id')
    .where('oidc_issuer', '=', identity.issuer)
    .where('oidc_subject', '=', identity.subject)
    .executeTakeFirst()
  return row !== undefined
}

async function disableUser(
  transaction: StoreTransaction,
  userId: string,
  byUserId: string | null,
): Promise<boolean> {
  const active = transaction.selectFrom('users').selectAll().where('disabled_at', 'is', null)
  const user = await active.where('id', '=', userId).executeTakeFirst()
  if (user === undefined) return false
  if (user.is_admin === 1 && (await active.where('is_admin', '=', 1).execute()).length === 1) return false
  await transaction.updateTable('users').set({ disabled_at: Date.now() }).where('id', '=', userId).execute()
  await endSessions(transaction, userId)
  await transaction
    .deleteFrom('invitations')
    .where('created_by', '=', userId)
    .where('accepted_at', 'is', null)
    .execute()
  await revokeKeysOf(transaction, userId, byUserId)
  return true
}
