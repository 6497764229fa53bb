// GET /docs, /docs/:page and /docs/search: the documentation, for people and for the service's own search engine.
import { DocumentationIndexPage, DocumentationPageView } from './docs-view.tsx'
import type { DashboardParts } from '../context.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { rateLimited } from '../../errors.ts'
import { goneSignal } from '../../http/request/client-gone.ts'
import { recordFailure } from '../../http/request/error-boundary.ts'
import { frameOf, sendPage } from '../frame/respond.ts'
import { DocumentationSearchPage, QUESTION_MAX } from './docs-search-view.tsx'
import type { FoundPage } from './docs-search.ts'

/** Whose points and turn a question to the documentation takes: all strangers are one caller. */
const STRANGERS = 'documentation'

export function addDocumentationRoutes(router: DashboardRouter, parts: DashboardParts): void {
  const { documentation: pages } = parts
  router.get('/docs', (context) => {
    sendPage(context, <DocumentationIndexPage frame={frameOf(context, parts.assetUrls)} pages={pages} />)
  })
  router.get('/docs/search', (context) => showSearch(context, parts))
  router.get('/docs/:slug', (context) => {
    const page = pages.find(({ slug }) => slug === context.params['slug'])
    if (page === undefined) return
    sendPage(
      context,
      <DocumentationPageView frame={frameOf(context, parts.assetUrls)} pages={pages} page={page} />,
    )
  })
}

async function showSearch(context: DashboardContext, parts: DashboardParts): Promise<void> {
  const asked = context.query['q']
  const query = typeof asked === 'string' ? asked.trim().slice(0, QUESTION_MAX) : ''
  const frame = frameOf(context, parts.assetUrls)
  const show = (found: FoundPage[] | null, failure: { status: number; detail: string } | null): void =>
    sendPage(
      context,
      <DocumentationSearchPage
        frame={frame}
        query={query}
        found={found}
        notice={failure === null ? null : { tone: 'bad', text: failure.detail }}
      />,
      failure?.status ?? 200,
    )
  if (query === '') return show(null, null)
  try {
    show(await findPages(context, parts, query), null)
  } catch (thrown) {
    const failure = recordFailure(context, thrown, parts.log)
    context.set({ ...failure.headers })
    show(null, failure)
  }
}

async function findPages(
  context: DashboardContext,
  parts: DashboardParts,
  query: string,
): Promise<FoundPage[]> {
  const { session } = context.state.visitor
  const callerId = session === null ? STRANGERS : `user:${session.user.id}`
  const quota = await parts.keyLimiter.consume(callerId)
  if (!quota.allowed) throw rateLimited(quota.retryAfterSeconds)
  const options = { arrivedAtMs: context.state.arrivedAtMs, callerId, fresh: false }
  return parts.searchDocumentation(query, options, goneSignal(context))
}
