// The texts of pages lately quoted from, by the digest of their text, so that a quote can be checked against exactly
// what was read although the page has changed since. Bounded by bytes and age; what is gone is simply unknown.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { storeUnavailable } from '../../errors.ts'
import type { LoadOptions } from '../../pages/capture.ts'
import { createOutage } from '../../telemetry/outage.ts'

/** What a page was read from, and by whom. */
export interface PageOrigin {
  askedUrl: string
  capture: CaptureDigest
  mediaType: string
  /** The version of the service that read it. */
  reader: string
}

/** Of a document's bytes, or of everything else decoded and in UTF-8. */
export interface CaptureDigest {
  /** Lower-case hex. */
  sha256: string
  bytes: number
}

/** How a page was opened: another way may show another text, in another language or without what scripts add. */
export type PageOpening = Pick<LoadOptions, 'rendering' | 'scroll' | 'language'>

export interface ProvablePage {
  url: string
  title: string | null
  text: string
  /** ISO 8601. */
  fetchedAt: string
  /** Left out where nothing is to be signed, and by versions that signed nothing. */
  origin?: PageOrigin | undefined
  /** Left out by those who only look at a page once, and by versions that did not keep it. */
  opening?: PageOpening | undefined
}

export interface ProofStoreOptions {
  maxBytes: number
  /** 0: nothing is kept. */
  maxAgeMs: number
}

export interface ProofStore {
  /** Keeps a page and returns its digest, also when it is too large to be kept. */
  keep(page: ProvablePage): Promise<string>
  /** The page with this digest of its text; null when it is not kept (any more). */
  find(digest: string): Promise<ProvablePage | null>
}

/** In the memory of this process: for one replica, until it ends. */
export function createMemoryProofStore(options: ProofStoreOptions): ProofStore {
  const pages =
    options.maxBytes > 0 && options.maxAgeMs > 0
      ? new LRUCache<string, ProvablePage>({
          maxSize: options.maxBytes,
          ttl: options.maxAgeMs,
          sizeCalculation: (page) => page.text.length * 2 + 1,
        })
      : null
  return {
    async keep(page) {
      const digest = contentSha256(page.text)
      pages?.set(digest, page)
      return digest
    },
    find: async (digest) => pages?.get(digest) ?? null,
  }
}

/**
 * `store`, where a page that cannot be kept now costs nobody their answer: `reserve` keeps it instead, so that its digest
 * can be asked for here, and `onError` is told why it cannot elsewhere, once until it can. What neither knows while
 * `store` fails is not said to be gone: `find` throws `storeUnavailable`.
 */
export function createForgivingProofStore(
  store: ProofStore,
  reserve: ProofStore,
  onError: (error: unknown) => void,
): ProofStore {
  const keeping = createOutage({ begins: onError })
  return {
    async find(digest) {
      const kept = await reserve.find(digest)
      if (kept !== null) return kept
      try {
        return await store.find(digest)
      } catch (error) {
        throw storeUnavailable(error)
      }
    },
    async keep(page) {
      try {
        const digest = await store.keep(page)
        keeping.works()
        return digest
      } catch (error) {
        keeping.fails(error)
        return reserve.keep(page)
      }
    },
  }
}

/** SHA-256 of the UTF-8 text, in lower-case hex. */
export function contentSha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
