// Verbatim in LlamaIndex.TS: a retriever whose nodes are scored passages, and a tool for agents. LlamaIndex.TS gets no
// new versions (its packages are marked deprecated on npm); this serves programs that are built on it, new ones have
// langchain.ts and ai-sdk.ts beside it.
import type { QueryBundle } from '@llamaindex/core/query-engine'
import { BaseRetriever } from '@llamaindex/core/retriever'
import { TextNode, type NodeWithScore } from '@llamaindex/core/schema'
import { tool } from '@llamaindex/core/tools'
import { extractText } from '@llamaindex/core/utils'
import { z } from 'zod'
import type { SearchRequest, VerbatimClient } from '../packages/client/src/index.ts'

type SearchOptions = Omit<SearchRequest, 'query' | 'include'>

/** One node per passage, with its relevance as the score; `metadata` says where it stands. */
export class VerbatimRetriever extends BaseRetriever {
  readonly #client: VerbatimClient
  readonly #options: SearchOptions

  constructor(client: VerbatimClient, options: SearchOptions = {}) {
    super()
    this.#client = client
    this.#options = options
  }

  override async _retrieve({ query }: QueryBundle): Promise<NodeWithScore[]> {
    const request = { ...this.#options, query: extractText(query), include: ['proof' as const] }
    const { results } = await this.#client.search(request)
    return results.flatMap(({ url, title, publish_date, snippets }) =>
      snippets.map(({ text, relevance_score, text_fragment_url }) => ({
        node: new TextNode({ text, metadata: { source: url, title, publish_date, link: text_fragment_url } }),
        score: relevance_score,
      })),
    )
  }
}

/** A tool for LlamaIndex agents: passages with their addresses, as text. */
export const createSearchTool = (client: VerbatimClient, options: SearchOptions = {}) =>
  tool({
    name: 'web_search',
    description: 'Searches the web and returns verbatim passages of the result pages.',
    parameters: z.object({ query: z.string().describe('what to look for') }),
    execute: async ({ query }) => {
      const { results } = await client.search({ ...options, query })
      const passages = results.flatMap(({ url, snippets }) => snippets.map(({ text }) => `${url}\n${text}`))
      return passages.length > 0 ? passages.join('\n\n') : 'Nothing was found. Try other words.'
    },
  })
