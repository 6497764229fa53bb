// The embedded engine as a search provider.
import { errorCode } from '../../errors.ts'
import type { ProviderQuery, SearchHit, SearchProvider } from '../provider.ts'
import { ProviderError } from '../provider.ts'

export interface LibraryProviderOptions {
  library: { search(query: ProviderQuery, signal: AbortSignal): Promise<SearchHit[]> }
}

/** It filters all by itself and never asks the outside. */
export function createLibraryProvider({ library }: LibraryProviderOptions): SearchProvider {
  return {
    name: 'library',
    isEmbedded: true,
    capabilities: {
      recency: true,
      language: true,
      includeDomains: true,
      excludeDomains: true,
      maxCount: 50,
      maxPages: 1,
      maxQueryCharacters: null,
    },
    async search(query, signal) {
      signal.throwIfAborted()
      try {
        return await library.search(query, signal)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        const reason = error instanceof Error ? error.message || errorCode(error) : 'unknown reason'
        throw new ProviderError('library', 'unreachable', `the index could not be read: ${reason}`, {
          cause: error,
        })
      }
    },
  }
}
