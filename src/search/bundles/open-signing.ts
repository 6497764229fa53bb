// The service's signature: keys from where they are kept, looked at again every minute, so that replicas and a running
// service follow when the key is replaced.
import type { KeyList, SignedStatement, Statement } from '../../contract/bundle.ts'
import type { Logger } from '../../telemetry/log.ts'
import { createKeyFile } from './key-file.ts'
import { createPostgresKeys } from './postgres-keys.ts'
import { createSigner, publicKeyList, type KeyStore } from './signing-key.ts'

/** A key that was replaced may sign for so long; packages/verify allows for it. */
const KEYS_FRESH_MS = 60_000

export interface SigningOptions {
  /** Where PostgreSQL answers, which all replicas share; null when there is none. */
  databaseUrl: string | null
  /** Where the file lies when there is no PostgreSQL. */
  dataDir: string
  log: Logger
}

export type Signing = ReturnType<typeof openSigning>

/** Where the keys of this installation are kept. Acquires nothing before it is asked. */
export function openKeyStore({ databaseUrl, dataDir, log }: SigningOptions): KeyStore {
  if (databaseUrl === null) return createKeyFile(dataDir)
  return createPostgresKeys(databaseUrl, (error) =>
    log.warn({ err: error }, 'an idle connection to PostgreSQL broke'),
  )
}

/** Signs with the newest key of `store`. Whoever opens it closes it, and the store with it. */
export function openSigning(store: KeyStore, log: Logger) {
  let known: { sign: (statement: Statement) => SignedStatement; list: KeyList; loadedAtMs: number } | null =
    null
  let loading: Promise<void> | null = null

  async function load(): Promise<void> {
    const keys = await store.load()
    known = { sign: createSigner(keys), list: publicKeyList(keys), loadedAtMs: performance.now() }
  }

  /** Keys that were read before serve on when they cannot be read now. */
  async function current() {
    if (known !== null && performance.now() - known.loadedAtMs < KEYS_FRESH_MS) return known
    loading ??= load().finally(() => (loading = null))
    try {
      await loading
    } catch (error) {
      if (known === null) throw error
      known.loadedAtMs = performance.now()
      log.warn({ err: error }, 'the signing keys could not be read anew')
    }
    if (known === null) throw new Error('no signing keys were loaded')
    return known
  }

  return {
    /** Rejects when there are no keys to be had. */
    sign: async (statement: Statement): Promise<SignedStatement> => (await current()).sign(statement),
    /** The public halves, for everybody. Rejects when there are none to be had. */
    publicKeys: async (): Promise<KeyList> => (await current()).list,
    close: (): Promise<void> => store.close(),
  }
}
