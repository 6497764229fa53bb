// GET /requests: the last requests, of one's own keys or, for administrators, of all.
import { REQUEST_OUTCOMES } from '../../accounts/activity/request-log.ts'
import { readCursor } from '../../accounts/store/list-cursor.ts'
import type { DashboardParts } from '../context.ts'
import { frameOf, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { ownerFilter, signedIn } from '../visitor/visitor.ts'
import { RequestsPage, type RequestFilter } from './requests-view.tsx'

const REQUESTS_PER_PAGE = 50

export function addRequestRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/requests', signedIn, async (context: DashboardContext) => {
    const filter = filterOf(context)
    const { id, outcome, key } = filter
    const before = readCursor(context.query['before'])
    const [keys, page] = await Promise.all([
      parts.keys.list({ ...ownerFilter(context), withRevoked: true }),
      parts.activity.requests({
        ...ownerFilter(context),
        ...(id === '' ? {} : { requestId: id }),
        ...(outcome === '' ? {} : { outcome }),
        ...(key === '' ? {} : { keyId: key }),
        ...(before === null ? {} : { before }),
        limit: REQUESTS_PER_PAGE,
      }),
    ])
    const frame = frameOf(context, parts.assetUrls)
    sendPage(context, <RequestsPage frame={frame} filter={filter} keys={keys} page={page} />)
  })
}

function filterOf({ query }: DashboardContext): RequestFilter {
  const text = (name: string): string => {
    const value = query[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  const outcome = REQUEST_OUTCOMES.find((known) => known === text('outcome'))
  return { id: text('id'), outcome: outcome ?? '', key: text('key') }
}
