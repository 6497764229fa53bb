// What every foreign rerank does between its request and its answer.
import type { ParameterizedContext } from 'koa'
import { LIMITS } from '../../../contract/limits.ts'
import { parseRerankRequest } from '../../../contract/rerank.ts'
import { badRequest } from '../../../errors.ts'
import type { AdmittedRerank } from '../../../search/given/admitted-work.ts'
import type { RankedDocument } from '../../../search/given/rerank.ts'
import type { CallerState } from '../../request/authenticate.ts'
import { goneSignal } from '../../request/client-gone.ts'
import { searchOptionsOf } from '../../request/search-options.ts'

/** Dify's plug-in gives a rerank five seconds and says so to nobody. */
const PATIENCE_MS = 4_500

export interface RerankParts {
  rerank: AdmittedRerank
}

/** Clients ask for "all" by a number of their own: more than there are is all of them. */
const boundedCount = (count: number | null | undefined): number | null =>
  typeof count === 'number' ? Math.min(count, LIMITS.documents) : null

/**
 * The best `count` documents, or all.
 * @throws {ApiError} 400 with the words of the contract for what it refuses; what the reranking throws.
 */
export async function runRerank(
  context: ParameterizedContext<CallerState>,
  { rerank }: RerankParts,
  {
    query,
    documents,
    count,
  }: { query: unknown; documents: readonly string[]; count: number | null | undefined },
): Promise<RankedDocument[]> {
  const parsed = parseRerankRequest({ query, documents, top_n: boundedCount(count) })
  if (!parsed.ok) throw badRequest(parsed.issues.map((issue) => issue.message).join(' '), parsed.issues)
  const options = { ...searchOptionsOf(context), patienceMs: PATIENCE_MS }
  const { ranked } = await rerank(parsed.request, options, goneSignal(context))
  context.set('Cache-Control', 'no-store')
  return ranked.slice(0, parsed.request.top_n ?? ranked.length)
}
