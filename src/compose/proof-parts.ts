// Builds what keeps and signs proof as it is configured.
import type { Closers } from './closers.ts'
import { databaseUrlOf } from './library-parts.ts'
import type { Config } from '../config.ts'
import { type PostgresWait, waitForPostgres } from '../connections/postgres-start.ts'
import type { OpenRedis } from '../connections/redis.ts'
import { createBundleFinder } from '../search/bundles/kept-bundle.ts'
import { openKeyStore, openSigning } from '../search/bundles/open-signing.ts'
import { createBundleSigning } from '../search/bundles/sign-bundle.ts'
import type { KeyStore } from '../search/bundles/signing-key.ts'
import { openProofStore } from '../search/proof/open-proof-store.ts'
import { createSurroundings } from '../search/proof/surroundings.ts'
import type { Logger } from '../telemetry/log.ts'

/** Where the texts behind proofs are kept, what signs what is said of them, and what is told of pages that were quoted. */
export async function openProofParts(
  config: Config,
  { ownUrl, redis, log }: { ownUrl: string; redis: OpenRedis | null; log: Logger },
  closers: Closers,
) {
  const proofs = await openProofStore({
    redis: redis?.client ?? null,
    databaseUrl: databaseUrlOf(config),
    dataDir: config.dataDir,
    maxAgeMs: config.pages.proofKeepMs,
    log,
  })
  closers.add('proofs', () => proofs.close())
  const signing = openSigning(openConfiguredKeyStore(config, log), log)
  closers.add('signing', () => signing.close())
  const issuer = config.http.publicUrl ?? ownUrl
  const parts = { proofStore: proofs.store, signBundle: createBundleSigning({ ...signing, issuer, log }) }
  const quoted = { findBundle: createBundleFinder(parts), findSurroundings: createSurroundings(parts) }
  return { signing, proofs: parts, quoted }
}

/**
 * The same for a command, which waits for PostgreSQL.
 * @throws {PostgresError} when it does not answer in time, or refuses.
 */
export async function openReachableKeyStore(
  config: Config,
  log: Logger,
  wait: PostgresWait = {},
): Promise<KeyStore> {
  const store = openConfiguredKeyStore(config, log)
  const databaseUrl = databaseUrlOf(config)
  if (databaseUrl === null) return store
  try {
    await waitForPostgres(() => store.load(), databaseUrl, wait)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Where the keys are kept that sign bundles. */
const openConfiguredKeyStore = (config: Config, log: Logger): KeyStore =>
  openKeyStore({ databaseUrl: databaseUrlOf(config), dataDir: config.dataDir, log })
