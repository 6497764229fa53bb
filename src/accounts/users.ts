// People who may sign in. Passwords, sessions and invitations have their own files; this one owns the row.
import type { AccountTables } from './schema.ts'
import type { Store, StoreTransaction } from './store.ts'
import { mintId } from './key.ts'

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
}

export interface OidcIdentity {
  issuer: string
  subject: string
}

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
      return toUserOrNull(await all().where('email', '=', normaliseEmail(email)).executeTakeFirst())
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
     * Ties an existing account to an OpenID Connect identity; false when that identity or that account is taken.
     * Call it only for the signed-in user, or for an e-mail address the issuer says it has verified.
     */
    async linkOidc(userId: string, identity: OidcIdentity): Promise<boolean> {
      return store.exclusively((transaction) => linkIdentity(transaction, userId, identity))
    },

    /** Oldest first. */
    async list(): Promise<User[]> {
      return (await all().orderBy('created_at').orderBy('id').execute()).map(toUser)
    },

    /**
     * Shuts someone out: signs them out everywhere and revokes their keys. False when there is no such active user
     * or when it is the last admin, who stays.
     */
    async disable(userId: string, byUserId: string | null): Promise<boolean> {
      return store.exclusively((transaction) => disableUser(transaction, userId, byUserId))
    },
  }
}
