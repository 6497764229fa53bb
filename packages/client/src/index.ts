// What the package offers: the client, its error, and the types of what goes over the wire.
import type { SearchResponse } from './api.ts'

export { createVerbatimClient } from './client.ts'
export type { CallOptions, SearchEvent, VerbatimClient, VerbatimClientOptions } from './client.ts'
export { VerbatimError } from './verbatim-error.ts'
export type { Problem, SearchRequest, SearchResponse, VerifyRequest, VerifyResponse } from './api.ts'

export type SearchResult = SearchResponse['results'][number]
export type Snippet = SearchResult['snippets'][number]
