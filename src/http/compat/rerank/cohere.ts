// Cohere's rerank, version 2 and the one before it.
import { z } from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import { cutToFit } from '../../../search/highlights/text-budget.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { ErrorShape, Route } from '../../route.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { anything } from '../foreign-values.ts'
import { documentText } from './jina.ts'
import { runRerank, type RerankParts } from './run.ts'

export const cohereRerankFields = {
  honoured: {
    query: anything,
    documents: z.array(documentText),
    top_n: z.int().min(1).nullish(),
    max_tokens_per_doc: z.int().min(1).nullish(),
    return_documents: z.boolean().nullish(),
  },
  refused: {
    rank_fields: 'send each document as one text.',
    relevant_spans: 'search and read give passages.',
  },
  harmless: ['model', 'priority', 'max_chunks_per_doc'],
} satisfies ForeignFields

export const cohereErrors: ErrorShape = {
  prefix: '/compat/cohere/',
  spell: ({ status, detail }) => ({ status, body: { message: detail } }),
}

const cohereRoute = (version: '1' | '2'): Route<RerankParts> => ({
  method: 'post',
  path: `/compat/cohere/v${version}/rerank`,
  door: 'key',
  scope: 'rerank',
  bodyBytes: LIMITS.documentsBytes,
  operation: null,
  createHandler: (parts) =>
    async function answerCohereRerank(context) {
      const sent = readFields(cohereRerankFields, parseJsonObject(context))
      const budget = { maxCharacters: null, maxTokens: sent.max_tokens_per_doc ?? null }
      const documents = sent.documents.map((text) => cutToFit(text, budget))
      const ranked = await runRerank(context, parts, { query: sent.query, documents, count: sent.top_n })
      context.body = {
        id: context.state.requestId,
        results: ranked.map(({ index, relevance }) =>
          Object.assign(
            { index, relevance_score: relevance },
            sent.return_documents === true && { document: { text: sent.documents[index] } },
          ),
        ),
        meta: { api_version: { version }, billed_units: { search_units: 1 } },
      }
    },
})

export const cohereRoutes = [cohereRoute('2'), cohereRoute('1')]
