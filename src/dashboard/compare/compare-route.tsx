// POST /playground/compare: one question at each depth, or put to two search engines; one search after the other, so
// that their times are their own.
import { parseSearchRequest, SEARCH_DEPTHS, type SearchRequest } from '../../contract.ts'
import { goneSignal } from '../../http/request/client-gone.ts'
import { recordFailure } from '../../http/request/error-boundary.ts'
import type { DashboardParts } from '../context.ts'
import { checkFormToken, readForm, textField } from '../frame/read-form.ts'
import { frameOf, sendPage } from '../frame/respond.ts'
import { fieldsOf, requestBodyOf } from '../playground/playground-form.ts'
import { refuseSearch } from '../playground/playground-route.tsx'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { quotaSubject, spendPoint } from '../visitor/quota.ts'
import { signedIn } from '../visitor/visitor.ts'
import { ComparePage, type ComparedAnswer } from './compare-view.tsx'

/** One of the ways in which a question is asked. */
interface Way {
  name: string
  request: SearchRequest
  /** The one search engine to ask; undefined for the operator's order. */
  engine?: string
}

export function addCompareRoute(router: DashboardRouter, parts: DashboardParts): void {
  router.post(
    '/playground/compare',
    signedIn,
    readForm,
    checkFormToken,
    async (context: DashboardContext) => {
      const fields = fieldsOf(context)
      const parsed = parseSearchRequest(requestBodyOf(fields))
      if (!parsed.ok) return refuseSearch(context, parts, fields, parsed)
      const signal = goneSignal(context)
      const by = textField(context, 'by') === 'engines' ? 'engines' : 'depths'
      const ways = by === 'engines' ? engineWays(context, parts, parsed.request) : depthWays(parsed.request)
      const answers: ComparedAnswer[] = []
      for (const way of ways)
        answers.push({ name: way.name, ...(await answerOf(context, parts, way, signal)) })
      const frame = frameOf(context, parts.assetUrls)
      sendPage(context, <ComparePage frame={frame} by={by} fields={fields} answers={answers} />)
    },
  )
}

/** What is said of all engines would be wrong of the one that was asked. */
const ENGINE_FAILED = 'This engine did not answer. The overview tells since when, and why.'

const depthWays = (request: SearchRequest): Way[] =>
  SEARCH_DEPTHS.map((depth) => ({ name: depth, request: { ...request, search_depth: depth } }))

/** The two engines that the form names, in its order; none unless both may be asked and they differ. */
function engineWays(context: DashboardContext, parts: DashboardParts, request: SearchRequest): Way[] {
  const named = new Set([textField(context, 'first_engine'), textField(context, 'second_engine')])
  const engines = [...named].filter((name) => parts.settings.asked.includes(name))
  return engines.length < 2 ? [] : engines.map((engine) => ({ name: engine, request, engine }))
}

/** What goes wrong in one way is that way's answer. Rejects when nobody waits any more. */
async function answerOf(
  context: DashboardContext,
  parts: DashboardParts,
  { request, engine }: Way,
  signal: AbortSignal,
): Promise<Pick<ComparedAnswer, 'response' | 'failure'>> {
  try {
    await spendPoint(context, parts)
    const { response } = await parts.search(
      { ...request, include: [...new Set([...request.include, 'proof', 'highlights'] as const)] },
      {
        arrivedAtMs: Date.now(),
        callerId: quotaSubject(context),
        fresh: false,
        ...(engine === undefined ? {} : { engine }),
      },
      signal,
    )
    return { response, failure: null }
  } catch (thrown) {
    signal.throwIfAborted()
    const { code, detail } = recordFailure(context, thrown, parts.log)
    const isEngine = engine !== undefined && code === 'search_unavailable'
    return { response: null, failure: isEngine ? ENGINE_FAILED : detail }
  }
}
