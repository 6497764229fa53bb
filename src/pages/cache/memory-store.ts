// Keeps read pages in this process; the interface it fulfils is shared with the store in Redis.
import { LRUCache } from 'lru-cache'
import type { Capture } from '../capture.ts'
import type { Validators } from '../static-loader.ts'

/** A page as it was read, and what is needed to use it again. */
export interface CachedPage {
  capture: Capture
  /** Null when it cannot be asked for conditionally (read by the browser). */
  validators: Validators | null
  /** Epoch milliseconds until which it is used without asking the site. */
  freshUntilMs: number
  /** Of a page that came in the language it was asked for in: others may get another one. Null when it is for all. */
  answeredLanguage?: string | null | undefined
}

/** Bounded in bytes and age. May forget anything at any time; may reject when it cannot be reached. */
export interface CacheStore {
  get(key: string): Promise<CachedPage | null>
  /** Keeps `page` for at most `keepMs`. A page that is too large for the store is not kept. */
  set(key: string, page: CachedPage, keepMs: number): Promise<void>
}

export interface MemoryCacheOptions {
  /** Of all pages together, as V8 holds them at worst (two bytes a character). */
  bytesMax: number
}

const ENTRY_OVERHEAD_BYTES = 2_000

/** Pages in the memory of this process; the least recently used goes first. */
export function createMemoryCacheStore({ bytesMax }: MemoryCacheOptions): CacheStore {
  const pages = new LRUCache<string, CachedPage>({
    maxSize: bytesMax,
    maxEntrySize: Math.ceil(bytesMax / 4),
    sizeCalculation: ({ capture: { content } }) =>
      ENTRY_OVERHEAD_BYTES + (typeof content === 'string' ? content.length * 2 : content.byteLength),
  })
  return {
    get: async (key) => pages.get(key) ?? null,
    set: async (key, page, keepMs) => void pages.set(key, page, { ttl: keepMs }),
  }
}
