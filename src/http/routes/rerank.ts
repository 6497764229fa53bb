// POST /v1/rerank: the caller's own texts in the order in which they answer. Translates between HTTP and search/rerank.
import { LIMITS } from '../../contract/limits.ts'
import { parseRerankRequest, rerankRequestSchema, rerankResponseSchema } from '../../contract/rerank.ts'
import { badRequest, invalidFields } from '../../errors.ts'
import type { AdmittedRerank } from '../../search/given/admitted-work.ts'
import { goneSignal } from '../request/client-gone.ts'
import { parseJsonObject } from '../request/json-body.ts'
import { searchOptionsOf } from '../request/search-options.ts'
import type { Route } from '../route.ts'

export const rerankRoute: Route<{ rerank: AdmittedRerank }> = {
  method: 'post',
  path: '/v1/rerank',
  door: 'key',
  scope: 'rerank',
  bodyBytes: LIMITS.documentsBytes,
  operation: {
    id: 'rerank',
    summary: 'Order texts by the calibrated probability that they answer a query.',
    body: { name: 'RerankRequest', schema: rerankRequestSchema },
    answer: {
      name: 'RerankResponse',
      schema: rerankResponseSchema,
      description: 'The documents that were asked for, the best first.',
    },
    refusals: [400, 422],
  },
  createHandler: ({ rerank }) =>
    async function answerRerank(context) {
      const parsed = parseRerankRequest(parseJsonObject(context))
      if (!parsed.ok) {
        const first = parsed.issues[0]?.message ?? 'The request is invalid.'
        throw parsed.refused === 'query' ? badRequest(first, parsed.issues) : invalidFields(parsed.issues)
      }
      const { top_n: count, min_score: least, ...request } = parsed.request
      const options = searchOptionsOf(context)
      const { ranked, warning } = await rerank(request, options, goneSignal(context))
      const kept = ranked
        .filter(({ relevance }) => relevance >= (least ?? 0))
        .slice(0, count ?? ranked.length)
      context.set('Cache-Control', 'no-store')
      context.body = {
        results: kept.map(({ index, relevance }) => ({ index, relevance_score: relevance })),
        warning,
        total_latency_ms: Math.max(0, Date.now() - options.arrivedAtMs),
      }
    },
}
