// Verbatim in LangChain.js: a retriever whose documents are passages, and a tool for agents.
import { BaseRetriever } from '@langchain/core/retrievers'
import { Document } from '@langchain/core/documents'
import { tool } from '@langchain/core/tools'
import { z } from 'zod'
import type { SearchRequest, VerbatimClient } from '../packages/client/src/index.ts'

type SearchOptions = Omit<SearchRequest, 'query' | 'include'>

/** One document per passage; `metadata` says where it stands and how relevant it is. */
export class VerbatimRetriever extends BaseRetriever {
  lc_namespace = ['verbatim']
  readonly #client: VerbatimClient
  readonly #options: SearchOptions

  constructor(client: VerbatimClient, options: SearchOptions = {}) {
    super()
    this.#client = client
    this.#options = options
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const { results } = await this.#client.search({ ...this.#options, query, include: ['proof'] })
    return results.flatMap(({ url, title, publish_date, snippets }) =>
      snippets.map(
        ({ text, relevance_score, text_fragment_url }) =>
          new Document({
            pageContent: text,
            metadata: { source: url, title, publish_date, relevance_score, link: text_fragment_url },
          }),
      ),
    )
  }
}

/** A tool for LangChain agents: passages with their addresses, as text. */
export const createSearchTool = (client: VerbatimClient, options: SearchOptions = {}) =>
  tool(
    async ({ query }: { query: string }, config) => {
      const call = config?.signal === undefined ? {} : { signal: config.signal }
      const { results } = await client.search({ ...options, query }, call)
      const passages = results.flatMap(({ url, snippets }) => snippets.map(({ text }) => `${url}\n${text}`))
      return passages.length > 0 ? passages.join('\n\n') : 'Nothing was found. Try other words.'
    },
    {
      name: 'web_search',
      description: 'Searches the web and returns verbatim passages of the result pages.',
      schema: z.object({ query: z.string().describe('what to look for') }),
    },
  )
