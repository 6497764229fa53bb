// What the package offers: the client, its error, answers in the shapes of others, and the types of what goes over the wire.
import type { SearchResponse } from './api.ts'

export { createVerbatimClient } from './client.ts'
export type { CallOptions, SearchEvent, VerbatimClient, VerbatimClientOptions } from './client.ts'
export { VerbatimError } from './verbatim-error.ts'
export { toSearchResultBlocks } from './anthropic.ts'
export type { SearchResultBlock } from './anthropic.ts'
export { toSourceParts, toSources } from './ai-sdk.ts'
export type { Source, SourcePart } from './ai-sdk.ts'
export type {
  AnswerCheckRequest,
  AnswerCheckResponse,
  Problem,
  ReadRequest,
  ReadResponse,
  RerankRequest,
  RerankResponse,
  SearchRequest,
  SearchResponse,
  VerifyRequest,
  VerifyResponse,
} from './api.ts'

export type SearchResult = SearchResponse['results'][number]
export type Snippet = SearchResult['snippets'][number]
