// When keys were used last, and by which client: remembered and written in one transaction now and then, so that no
// search waits for it.
import type { Logger } from '../../telemetry/log.ts'
import type { Store } from '../store/store.ts'
import type { ApiKey } from './api-key.ts'

const LAST_USED_FLUSH_MS = 10_000
const LAST_USED_PENDING_MAX = 10_000

interface LastUse {
  atMs: number
  client: string | null
}

/** The first product of a User-Agent (RFC 9110 §10.1.5), such as "curl/8.5.0"; null when it names none. */
export const clientOf = (userAgent: string): string | null =>
  /^[\w.+-]{1,40}(?:\/[\w.+-]{1,20})?(?= |$)/u.exec(userAgent)?.[0] ?? null

/** Up to ten seconds of moments wait in memory; the last of them are written by `close`. */
export function openLastUsed(store: Store, log: Logger) {
  let pending = new Map<string, LastUse>()
  let written: ReadonlyMap<string, LastUse> = new Map()
  let flushing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    if (pending.size === 0) return
    const batch = pending
    written = batch
    pending = new Map()
    try {
      await store.loosely(async (transaction) => {
        for (const [id, { atMs, client }] of [...batch].toSorted(([left], [right]) =>
          left < right ? -1 : 1,
        )) {
          await transaction
            .updateTable('api_keys')
            .set({ last_used_at: atMs, last_used_client: client })
            .where('id', '=', id)
            .execute()
        }
      })
    } catch (error) {
      log.warn(
        { err: error, keys: batch.size },
        'last-used moments of keys were lost: the store could not be written',
      )
    } finally {
      written = new Map()
    }
  }
  const flush = (): Promise<void> => (flushing = flushing.then(write))
  const timer = setInterval(() => void flush(), LAST_USED_FLUSH_MS)
  timer.unref()

  return {
    touch(id: string, client: string | null): void {
      if (pending.size < LAST_USED_PENDING_MAX || pending.has(id))
        pending.set(id, { atMs: Date.now(), client })
    },
    /** The record with its last use as far as this process knows it: who has just used a key sees that it was used. */
    withPending(record: ApiKey): ApiKey {
      const use = pending.get(record.id) ?? written.get(record.id)
      if (use === undefined || use.atMs < (record.lastUsedAt?.getTime() ?? 0)) return record
      return { ...record, lastUsedAt: new Date(use.atMs), lastUsedClient: use.client }
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}
