// Chooses where the texts behind proofs are kept: where every replica finds them when there is such a place, else in the
// data folder, where they outlive a restart.
import type { RedisClient } from '../../connections/redis.ts'
import type { Logger } from '../../telemetry/log.ts'
import { openPostgresProofStore } from './postgres-proof-store.ts'
import { createForgivingProofStore, createMemoryProofStore, type ProofStore } from './proof-store.ts'
import { createRedisProofStore } from './redis-proof-store.ts'
import { openSqliteProofStore } from './sqlite-proof-store.ts'

const MEMORY_BYTES = 32 * 2 ** 20
/** Compressed, of all replicas together. */
const REDIS_BYTES = 64 * 2 ** 20
const POSTGRES_BYTES = 512 * 2 ** 20
const SQLITE_BYTES = 256 * 2 ** 20

export interface OpenProofStoreOptions {
  /** Null when there is none. It stays open when the store closes. */
  redis: RedisClient | null
  /**
   * Where PostgreSQL answers; null when there is none. Redis is preferred, because pages come and go there by
   * themselves.
   */
  databaseUrl: string | null
  /** Where a file may be, when there is neither; null for none: then the texts live as long as the process. */
  dataDir: string | null
  /** 0 keeps nothing. */
  maxAgeMs: number
  log: Logger
}

export interface OpenProofStore {
  store: ProofStore
  close(): Promise<void>
}

const nothingToClose = async (): Promise<void> => undefined

/** @throws when PostgreSQL is to keep the texts and cannot be reached, or the data folder and cannot be written. */
export async function openProofStore(options: OpenProofStoreOptions): Promise<OpenProofStore> {
  const { redis, databaseUrl, dataDir, maxAgeMs, log } = options
  const forgiving = (store: ProofStore): ProofStore =>
    createForgivingProofStore(store, createMemoryProofStore({ maxBytes: MEMORY_BYTES, maxAgeMs }), (error) =>
      log.warn(
        { err: error },
        'texts behind proofs are kept in memory alone until their store answers: other replicas do not know their digests',
      ),
    )
  if (maxAgeMs > 0 && redis !== null) {
    const store = createRedisProofStore({ redis, maxBytes: REDIS_BYTES, maxAgeMs })
    return { store: forgiving(store), close: nothingToClose }
  }
  if (maxAgeMs > 0 && databaseUrl !== null) {
    const onConnectionLost = (error: Error): void =>
      log.warn({ err: error }, 'an idle connection to PostgreSQL broke')
    const store = await openPostgresProofStore({
      databaseUrl,
      maxBytes: POSTGRES_BYTES,
      maxAgeMs,
      onConnectionLost,
    })
    return { store: forgiving(store), close: () => store.close() }
  }
  if (maxAgeMs > 0 && dataDir !== null) {
    const store = openSqliteProofStore({ dataDir, maxBytes: SQLITE_BYTES, maxAgeMs })
    return { store: forgiving(store), close: () => store.close() }
  }
  return { store: createMemoryProofStore({ maxBytes: MEMORY_BYTES, maxAgeMs }), close: nothingToClose }
}
