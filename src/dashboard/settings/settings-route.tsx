// GET /settings, for administrators: every variable of the environment, whether it is set, and what it means.
import type { DashboardParts } from '../context.ts'
import type { Notice } from '../frame/page.tsx'
import { checkFormToken, readForm } from '../frame/read-form.ts'
import { frameOf, seeOther, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { adminsOnly, signedIn } from '../visitor/visitor.ts'
import { SettingsPage } from './settings-view.tsx'

const STORES_SILENT: Notice = {
  tone: 'bad',
  text: 'A store does not answer. The log has the reason.',
}

export function addSettingsRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/settings', signedIn, adminsOnly, (context: DashboardContext) =>
    showSettings(context, parts, null),
  )
  router.post(
    '/settings/stores/test',
    signedIn,
    adminsOnly,
    readForm,
    checkFormToken,
    async (context: DashboardContext) => {
      try {
        await parts.probeStores()
      } catch (error) {
        parts.log.warn({ err: error }, 'a store was tested and did not answer')
        showSettings(context, parts, STORES_SILENT)
        return
      }
      seeOther(context, '/settings?done=stores-answer')
    },
  )
}

function showSettings(context: DashboardContext, parts: DashboardParts, notice: Notice | null): void {
  const page = parts.documentation.find(({ slug }) => slug === 'configuration')
  const frame = frameOf(context, parts.assetUrls, notice)
  sendPage(
    context,
    <SettingsPage frame={frame} settings={parts.settings} groups={page?.tables ?? []} />,
    notice === null ? 200 : 503,
  )
}
