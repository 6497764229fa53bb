// API keys as rows: made, looked up, listed, revoked, with a record of who did what. No key is ever cached: a look-up
// by hash is one indexed read (median 0.02 ms in SQLite, 0.2 ms in PostgreSQL on loopback), so a revocation holds on
// every process at its very next request, and there is no message that could get lost.
import type { Logger } from '../../telemetry/log.ts'
import type { StoreDatabase } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { type ApiKey, checkedName, hasExpired, toApiKey } from './api-key.ts'
import { type KeyEvent, type KeysOfEvents, listEvents } from './key-events.ts'
import { hashSecret, isSameText, isWellFormedKey } from './key.ts'
import { clientOf, openLastUsed } from './last-used.ts'
import { insertKey, type NewKey } from './make-key.ts'
import { revokeKey } from './revoke-key.ts'

export type Keys = ReturnType<typeof openKeys>

export function openKeys({ store, log }: { store: Store; log: Logger }) {
  const { database } = store
  const lastUsed = openLastUsed(store, log)

  return {
    /**
     * Makes a key. `key` is its full text and cannot be had again.
     * @throws RangeError when the name, the limit or the scopes are out of range, or the owner is no active user.
     */
    async create(request: NewKey): Promise<{ record: ApiKey; key: string }> {
      return store.exclusively((transaction) => insertKey(transaction, request))
    },

    /**
     * The record of a usable key, or null: missing, malformed, unknown, revoked and expired alike. `userAgent` is what
     * the caller calls itself.
     * @throws when the store cannot be read.
     */
    async verify(key: string | null | undefined, userAgent = ''): Promise<ApiKey | null> {
      if (key === null || key === undefined || !isWellFormedKey(key)) return null
      const hash = hashSecret(key)
      const row = await store.read(() =>
        database.selectFrom('api_keys').selectAll().where('key_hash', '=', hash).executeTakeFirst(),
      )
      if (row === undefined || !isSameText(row.key_hash, hash)) return null
      const record = toApiKey(row)
      if (!isUsable(record, new Date())) return null
      lastUsed.touch(record.id, clientOf(userAgent))
      return record
    },

    /** Keys newest first: of one owner, or of everyone when `ownerId` is left out. Revoked ones only when asked for. */
    async list(filter: { ownerId?: string; withRevoked?: boolean } = {}): Promise<ApiKey[]> {
      let query = database.selectFrom('api_keys').selectAll().orderBy('created_at', 'desc').orderBy('id')
      if (filter.ownerId !== undefined) query = query.where('owner_id', '=', filter.ownerId)
      if (filter.withRevoked !== true) query = query.where('revoked_at', 'is', null)
      return (await query.execute()).map((row) => lastUsed.withPending(toApiKey(row)))
    },

    /** One key by id, or null; with `ownerId` only when it belongs to that user. */
    async get(id: string, ownerId?: string): Promise<ApiKey | null> {
      let query = database.selectFrom('api_keys').selectAll().where('id', '=', id)
      if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId)
      const row = await query.executeTakeFirst()
      return row === undefined ? null : lastUsed.withPending(toApiKey(row))
    },

    /**
     * Gives a key another name; nothing else of it changes. Nothing happens to a key of somebody else than `ownerId`.
     * @throws RangeError when the name is out of range.
     */
    rename: (id: string, name: string, ownerId?: string): Promise<void> =>
      renameKey(database, id, name, ownerId),

    /**
     * Revokes by full key text or by id; returns the record, or null when there is no such key (or, with `ownerId`,
     * none of that user). Revoking twice changes nothing: the first moment and the first event stay.
     */
    async revoke(keyOrId: string, by: { userId: string | null; ownerId?: string }): Promise<ApiKey | null> {
      return database.transaction().execute((transaction) => revokeKey(transaction, keyOrId, by))
    },

    /** What happened to keys, newest first, at most 500: of one owner's keys, of one key, or of all. */
    events: (filter: KeysOfEvents = {}): Promise<KeyEvent[]> => listEvents(database, filter),

    /** Writes the pending last-used moments and stops. */
    close: () => lastUsed.close(),
  }
}

async function renameKey(
  database: StoreDatabase,
  id: string,
  name: string,
  ownerId: string | undefined,
): Promise<void> {
  let update = database
    .updateTable('api_keys')
    .set({ name: checkedName(name) })
    .where('id', '=', id)
  if (ownerId !== undefined) update = update.where('owner_id', '=', ownerId)
  await update.execute()
}

function isUsable(key: ApiKey, now: Date): boolean {
  return key.revokedAt === null && !hasExpired(key, now)
}
