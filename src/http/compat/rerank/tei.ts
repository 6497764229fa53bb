// The rerank of Hugging Face's Text Embeddings Inference.
import { z } from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { ErrorShape, Route } from '../../route.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { anything } from '../foreign-values.ts'
import { runRerank, type RerankParts } from './run.ts'

export const teiRerankFields = {
  honoured: {
    query: anything,
    texts: z
      .array(z.string())
      .min(1, 'must hold at least one text.')
      .max(LIMITS.documents, `may hold at most ${LIMITS.documents} texts here.`),
    raw_scores: z.boolean().nullish(),
    return_text: z.boolean().nullish(),
  },
  refused: {},
  // Texts are never cut off, but read in pieces.
  harmless: ['truncate', 'truncation_direction'],
} satisfies ForeignFields

const ERROR_TYPES: Readonly<Record<number, string>> = { 413: 'Validation', 429: 'Overloaded', 500: 'Backend' }

export const teiErrors: ErrorShape = {
  prefix: '/compat/tei/',
  spell: ({ status, detail }) => ({
    status: status === 400 ? 422 : status,
    body: { error: detail, error_type: ERROR_TYPES[status] ?? 'Validation' },
  }),
}

export const teiRerankRoute: Route<RerankParts> = {
  method: 'post',
  path: '/compat/tei/rerank',
  door: 'key',
  scope: 'rerank',
  bodyBytes: LIMITS.documentsBytes,
  operation: null,
  createHandler: (parts) =>
    async function answerTeiRerank(context) {
      const { query, texts, ...sent } = readFields(teiRerankFields, parseJsonObject(context))
      const ranked = await runRerank(context, parts, { query, documents: texts, count: null })
      context.body = ranked.map(({ index, relevance, logOdds }) =>
        Object.assign(
          // Raw scores are log odds there.
          { index, score: sent.raw_scores === true ? logOdds : relevance },
          sent.return_text === true && { text: texts[index] },
        ),
      )
    },
}
