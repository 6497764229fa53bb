// POST /playground/compare: one question at each depth, one search after the other so that their times are their own.
import { parseSearchRequest, SEARCH_DEPTHS, type SearchRequest } from '../../contract.ts'
import { goneSignal } from '../../http/request/client-gone.ts'
import { recordFailure } from '../../http/request/error-boundary.ts'
import type { DashboardParts } from '../context.ts'
import { checkFormToken, readForm } from '../frame/read-form.ts'
import { frameOf, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { quotaSubject, spendPoint } from '../visitor/quota.ts'
import { signedIn } from '../visitor/visitor.ts'
import { ComparePage, type ComparedAnswer } from './compare-view.tsx'
import { fieldsOf, requestBodyOf } from './playground-form.ts'

/** `refuse` shows the playground's form with what is wrong in it. */
export function addCompareRoute(
  router: DashboardRouter,
  parts: DashboardParts,
  refuse: (context: DashboardContext) => Promise<void>,
): void {
  router.post(
    '/playground/compare',
    signedIn,
    readForm,
    checkFormToken,
    async (context: DashboardContext) => {
      const fields = fieldsOf(context)
      const parsed = parseSearchRequest(requestBodyOf(fields))
      if (!parsed.ok) return refuse(context)
      const signal = goneSignal(context)
      const answers: ComparedAnswer[] = []
      for (const depth of SEARCH_DEPTHS) {
        const request = { ...parsed.request, search_depth: depth }
        answers.push({ depth, ...(await answerAt(context, parts, request, signal)) })
      }
      const frame = { ...frameOf(context, parts.assetUrls), path: '/playground' }
      sendPage(context, <ComparePage frame={frame} fields={fields} answers={answers} />)
    },
  )
}

/** What goes wrong at one depth is that depth's answer. Rejects when nobody waits any more. */
async function answerAt(
  context: DashboardContext,
  parts: DashboardParts,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<Pick<ComparedAnswer, 'response' | 'failure'>> {
  try {
    await spendPoint(context, parts)
    const { response } = await parts.search(
      { ...request, include: [...new Set([...request.include, 'proof', 'highlights'] as const)] },
      { arrivedAtMs: Date.now(), callerId: quotaSubject(context), fresh: false },
      signal,
    )
    return { response, failure: null }
  } catch (thrown) {
    signal.throwIfAborted()
    return { response: null, failure: recordFailure(context, thrown, parts.log).detail }
  }
}
