// GET /docs and /docs/:page: the documentation, for people and for the service's own search engine.
import { DocumentationIndexPage, DocumentationPageView } from './docs-view.tsx'
import type { DashboardParts } from '../context.ts'
import type { DashboardRouter } from '../state.ts'
import { frameOf, sendPage } from '../frame/respond.ts'

export function addDocumentationRoutes(router: DashboardRouter, parts: DashboardParts): void {
  const { documentation: pages } = parts
  router.get('/docs', (context) => {
    sendPage(context, <DocumentationIndexPage frame={frameOf(context, parts.assetUrls)} pages={pages} />)
  })
  router.get('/docs/:slug', (context) => {
    const page = pages.find(({ slug }) => slug === context.params['slug'])
    if (page === undefined) return
    sendPage(
      context,
      <DocumentationPageView frame={frameOf(context, parts.assetUrls)} pages={pages} page={page} />,
    )
  })
}
