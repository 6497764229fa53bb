// Verbatim as a tool of the Vercel AI SDK: `generateText({ model, tools: { webSearch: createWebSearch(client) }, … })`.
import { tool } from 'ai'
import { z } from 'zod'
import type { VerbatimClient } from '../packages/client/src/index.ts'

/** The model gets each passage with its address and score, to quote from. */
export const createWebSearch = (client: VerbatimClient) =>
  tool({
    description: 'Searches the web and returns verbatim passages of the result pages.',
    inputSchema: z.object({
      query: z.string().describe('what to look for'),
      recency: z.enum(['day', 'week', 'month', 'year']).nullish().describe('only pages this new'),
    }),
    async execute({ query, recency }, { abortSignal }) {
      const { results } = await client.search(
        { query, recency: recency ?? null, search_depth: 'exhaustive' },
        abortSignal === undefined ? {} : { signal: abortSignal },
      )
      return results.flatMap(({ url, title, snippets }) =>
        snippets.map(({ text, relevance_score }) => ({ url, title, text, relevance_score })),
      )
    },
  })
