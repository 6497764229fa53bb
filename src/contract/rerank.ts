// The wire of POST /v1/rerank: documents of the caller's own, in the order in which they answer a query.
import { z } from 'zod'
import { fieldIssues, parseBody, type FieldIssue } from './body.ts'
import { LIMITS } from './limits.ts'
import { querySchema, share, wholeNumber } from './fields.ts'

/** Every field but `query`, whose failure is a 400 as that of a search. */
const rerankOptionsSchema = z.object({
  documents: z
    .array(z.string({ error: 'must be a string.' }), { error: 'documents must be an array of strings.' })
    .min(1, 'documents must hold at least one text.')
    .max(LIMITS.documents, `documents must hold at most ${LIMITS.documents} texts.`)
    .describe('The texts to order.'),
  top_n: wholeNumber('top_n', LIMITS.documents).nullish().describe('Return only so many, the best first.'),
  min_score: share('min_score').nullish().describe('Leave out documents with a lower relevance_score.'),
})

export const rerankRequestSchema = z.object({ query: querySchema, ...rerankOptionsSchema.shape })

export const rerankResponseSchema = z.object({
  results: z.array(
    z.object({
      index: z.int().min(0).describe('Place of the document in the request, from 0.'),
      relevance_score: z
        .number()
        .min(0)
        .max(1)
        .describe('Calibrated probability that the document answers the query.'),
    }),
  ),
  warning: z.string().nullable(),
  total_latency_ms: z.int().min(0),
})

export type RerankRequest = z.output<typeof rerankRequestSchema>
export type RerankResponse = z.output<typeof rerankResponseSchema>

/** Judges the body of POST /v1/rerank, `query` first. Never throws. */
export function parseRerankRequest(
  body: Record<string, unknown>,
): { ok: true; request: RerankRequest } | { ok: false; refused: 'query' | 'options'; issues: FieldIssue[] } {
  const query = querySchema.safeParse(body['query'])
  if (!query.success) return { ok: false, refused: 'query', issues: fieldIssues(query.error, ['query']) }
  const options = parseBody(rerankOptionsSchema, body)
  if (!options.ok) return { ...options, refused: 'options' }
  return { ok: true, request: { query: query.data, ...options.request } }
}
