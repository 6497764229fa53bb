// What a caller can meet, as the documentation names it: one place for validation, OpenAPI and pages.

/** Every limit a caller can meet, with the value the documentation names. */
export const LIMITS = {
  bodyBytes: 64 * 1024,
  queryCharacters: 2_000,
  resultsMax: 10,
  resultsDefault: 5,
  /** Of routes whose foreign shape allows more results than ours. */
  foreignResultsMax: 20,
  pageMax: 10,
  maxAgeSeconds: 365 * 86_400,
  snippetsMax: 5,
  snippetsDefault: 3,
  domains: 100,
  quotes: 50,
  quoteCharacters: 2_000,
  /** Of max_total_characters and max_total_tokens. */
  totalMin: 50,
  totalCharactersMax: 100_000,
  totalTokensMax: 50_000,
  /** Of POST /v1/read. */
  urls: 20,
  urlCharacters: 4_096,
  contentCharacters: 1_000_000,
  /** Of POST /v1/rerank. */
  documents: 1_000,
  documentsBytes: 2 * 1024 * 1024,
} as const
