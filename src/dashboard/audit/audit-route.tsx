// GET /audit, for administrators: who did what.
import { AUDIT_ACTIONS } from '../../accounts/audit/audit.ts'
import { readCursor } from '../../accounts/store/list-cursor.ts'
import type { DashboardParts } from '../context.ts'
import { frameOf, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { adminsOnly, signedIn } from '../visitor/visitor.ts'
import { AuditPage } from './audit-view.tsx'

const ENTRIES_PER_PAGE = 100

export function addAuditRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/audit', signedIn, adminsOnly, async (context: DashboardContext) => {
    const action = AUDIT_ACTIONS.find((known) => known === context.query['action'])
    const before = readCursor(context.query['before'])
    const { entries, next } = await parts.audit.list({
      ...(action === undefined ? {} : { action }),
      ...(before === null ? {} : { before }),
      limit: ENTRIES_PER_PAGE,
    })
    const page = (
      <AuditPage
        frame={frameOf(context, parts.assetUrls)}
        action={action ?? null}
        entries={entries}
        next={next}
      />
    )
    sendPage(context, page)
  })
}
