// GET /: what this service is and, for those who are signed in, how it does.
import { StatusPage } from './status-view.tsx'
import { baseUrl, frameOf, sendPage } from '../frame/respond.ts'
import type { DashboardParts } from '../context.ts'
import type { DashboardRouter } from '../state.ts'

export function addStatusRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/', async (context) => {
    const isStranger = context.state.visitor.session === null
    const status = isStranger ? null : await parts.describeService()
    const frame = frameOf(context, parts.assetUrls)
    sendPage(
      context,
      <StatusPage
        frame={frame}
        status={status}
        publicUrl={baseUrl(context, parts.publicUrl)}
        now={new Date()}
      />,
    )
  })
}
