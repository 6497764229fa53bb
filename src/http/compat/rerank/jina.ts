// Jina's rerank, which Open WebUI ("external" reranking), LibreChat and Dify speak.
import { z } from 'zod'
import { parseJsonObject } from '../../request/json-body.ts'
import type { ErrorShape, Route } from '../../route.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { estimateTokens } from '../../../search/highlights/text-budget.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { anything } from '../foreign-values.ts'
import { runRerank, type RerankParts } from './run.ts'

const MODEL = 'verbatim'

/** A text, or an object that holds one. */
export const documentText = z.union(
  [z.string(), z.object({ text: z.string() }).transform(({ text }) => text)],
  'must be a text, or an object with one.',
)

export const jinaRerankFields = {
  honoured: {
    query: anything,
    documents: z.array(documentText),
    top_n: z.int().min(1).nullish(),
    return_documents: z.boolean().nullish(),
  },
  refused: { return_embeddings: 'there are scores alone.' },
  // There is one model for everything; documents are never cut off, but read in pieces.
  harmless: [
    'model',
    'truncation',
    'max_doc_length',
    'max_query_length',
    'max_chunk_length',
    'overlap_tokens',
    'user',
  ],
} satisfies ForeignFields

export const jinaErrors: ErrorShape = {
  prefix: '/compat/jina/',
  spell: ({ status, detail }) => ({ status, body: { detail } }),
}

export const jinaRerankRoute: Route<RerankParts> = {
  method: 'post',
  path: '/compat/jina/v1/rerank',
  door: 'key',
  scope: 'rerank',
  bodyBytes: LIMITS.documentsBytes,
  operation: null,
  createHandler: (parts) =>
    async function answerJinaRerank(context) {
      const sent = readFields(jinaRerankFields, parseJsonObject(context))
      const { query, documents, top_n: count } = sent
      const ranked = await runRerank(context, parts, { query, documents, count })
      const tokens = documents.reduce((sum, text) => sum + estimateTokens(text), 0)
      context.body = {
        model: MODEL,
        object: 'list',
        usage: { total_tokens: tokens, prompt_tokens: tokens },
        results: ranked.map(({ index, relevance }) =>
          Object.assign(
            { index, relevance_score: relevance },
            sent.return_documents !== false && { document: { text: documents[index] } },
          ),
        ),
      }
    },
}
