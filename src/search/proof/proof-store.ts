// The texts of pages lately quoted from, by the digest of their text, so that a quote can be checked against exactly
// what was read although the page has changed since. Bounded by bytes and age; what is gone is simply unknown.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export interface ProvablePage {
  url: string
  title: string | null
  text: string
  /** ISO 8601. */
  fetchedAt: string
}

export interface ProofStoreOptions {
  maxBytes: number
  /** 0: nothing is kept. */
  maxAgeMs: number
}

export type ProofStore = ReturnType<typeof createProofStore>

export function createProofStore(options: ProofStoreOptions) {
  const pages =
    options.maxBytes > 0 && options.maxAgeMs > 0
      ? new LRUCache<string, ProvablePage>({
          maxSize: options.maxBytes,
          ttl: options.maxAgeMs,
          sizeCalculation: (page) => page.text.length * 2 + 1,
        })
      : null
  return {
    /** Keeps a page and returns its digest; a text larger than the whole store is not kept. */
    keep(page: ProvablePage): string {
      const digest = contentSha256(page.text)
      pages?.set(digest, page)
      return digest
    },
    find: (digest: string): ProvablePage | null => pages?.get(digest) ?? null,
  }
}

/** SHA-256 of the UTF-8 text, in lower-case hex. */
export function contentSha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
