// Answers as Anthropic's `search_result` blocks, from which Claude quotes with citations of its own.
import type { SearchResponse } from './api.ts'

/** A content block of a message or of a tool's result: `SearchResultBlockParam` of `@anthropic-ai/sdk`. */
export interface SearchResultBlock {
  type: 'search_result'
  source: string
  title: string
  content: { type: 'text'; text: string }[]
  citations: { enabled: boolean }
}

/**
 * One block for each page with passages, and in it one text for each passage, so that a citation names a passage. Pages
 * without passages are left out.
 */
export const toSearchResultBlocks = ({ results }: SearchResponse): SearchResultBlock[] =>
  results
    .filter(({ snippets }) => snippets.length > 0)
    .map(({ url, title, snippets }) => ({
      type: 'search_result',
      source: url,
      title: title === '' ? url : title,
      content: snippets.map(({ text }) => ({ type: 'text', text })),
      citations: { enabled: true },
    }))
