// The playground: a search by a signed-in person. It goes through the same contract and the same pipeline as the API,
// spends the person's own quota, and ends when they go away.
import { parseSearchRequest, type FieldIssue, type SearchRequest } from '../../contract.ts'
import { codeSamples } from '../../dashboard/code-samples.ts'
import type { Notice } from '../../dashboard/page.tsx'
import {
  PlaygroundPage,
  type PlaygroundAnswer,
  type PlaygroundFields,
} from '../../dashboard/playground-page.tsx'
import { rateLimited } from '../../errors.ts'
import { toApiError } from '../middleware.ts'
import { checkFormToken, readForm } from './form.ts'
import type { DashboardContext, DashboardParts, DashboardRouter } from './parts.ts'
import { EMPTY_FIELDS, fieldsOf, requestBodyOf } from './playground-form.ts'
import { baseUrl, frameOf, sendPage } from './respond.ts'
import { sessionOf, signedIn } from './visitor.ts'

interface Outcome {
  fields: PlaygroundFields
  issues?: readonly FieldIssue[]
  answer?: PlaygroundAnswer
  notice?: Notice
  status?: number
}

export function addPlaygroundRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/playground', signedIn, (context: DashboardContext) => {
    const query = context.query['query']
    showPlayground(context, parts, {
      fields: { ...EMPTY_FIELDS, query: typeof query === 'string' ? query : '' },
    })
  })
  router.post('/playground', signedIn, readForm, checkFormToken, async (context: DashboardContext) => {
    showPlayground(context, parts, await runSearch(context, parts))
  })
}

async function runSearch(context: DashboardContext, parts: DashboardParts): Promise<Outcome> {
  const fields = fieldsOf(context)
  const parsed = parseSearchRequest(requestBodyOf(fields))
  if (!parsed.ok) return { fields, issues: parsed.issues, status: parsed.refused === 'query' ? 400 : 422 }
  try {
    const quota = await parts.keyLimiter.consume(`user:${sessionOf(context).user.id}`)
    if (!quota.allowed) throw rateLimited(quota.retryAfterSeconds)
    return { fields, answer: await answerOf(context, parts, parsed.request) }
  } catch (thrown) {
    const error = toApiError(thrown)
    if (error.status >= 500)
      parts.log.error({ requestId: context.state.requestId, err: thrown }, 'playground failed')
    context.set({ ...error.headers })
    return { fields, notice: { tone: 'bad', text: error.detail }, status: error.status }
  }
}

async function answerOf(
  context: DashboardContext,
  parts: DashboardParts,
  request: SearchRequest,
): Promise<PlaygroundAnswer> {
  const gone = new AbortController()
  context.res.once('close', () => {
    if (!context.res.writableFinished) gone.abort()
  })
  // The links that open a page at the passage are part of the proof, so it is always asked for.
  const withProof: SearchRequest = {
    ...request,
    include: [...new Set([...request.include, 'proof' as const])],
  }
  const { response, facts } = await parts.search(
    withProof,
    { arrivedAtMs: context.state.arrivedAtMs, fresh: false },
    gone.signal,
  )
  return { response, stages: facts.stages }
}

function showPlayground(context: DashboardContext, parts: DashboardParts, outcome: Outcome): void {
  const { fields } = outcome
  const page = (
    <PlaygroundPage
      frame={frameOf(context, parts.assetUrls, outcome.notice ?? null)}
      fields={fields}
      issues={outcome.issues ?? []}
      answer={outcome.answer ?? null}
      samples={codeSamples(baseUrl(context, parts.publicUrl), requestBodyOf(fields))}
    />
  )
  sendPage(context, page, outcome.status ?? 200)
}
