// GET /settings, for administrators: every variable of the environment, whether it is set, and what it means; and tests of
// what the service stands on.
import type { DashboardParts } from '../context.ts'
import { checkFormToken, readForm } from '../frame/read-form.ts'
import { frameOf, seeOther, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { adminsOnly, signedIn } from '../visitor/visitor.ts'
import { SettingsPage } from './settings-view.tsx'

const STORES_SILENT = 'A store does not answer. The log has the reason.'
const MODELS_SILENT = 'The models do not score. The log has the reason.'

export function addSettingsRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/settings', signedIn, adminsOnly, (context: DashboardContext) =>
    showSettings(context, parts, null),
  )
  const addTest = (name: string, test: (context: DashboardContext) => Promise<void>): void => {
    router.post(`/settings/${name}/test`, signedIn, adminsOnly, readForm, checkFormToken, test)
  }
  addTest('stores', async (context) => {
    try {
      await parts.probeStores()
    } catch (error) {
      parts.log.warn({ err: error }, 'a store was tested and did not answer')
      return showSettings(context, parts, STORES_SILENT)
    }
    seeOther(context, '/settings?done=stores-answer')
  })
  addTest('models', async (context) => {
    const failure = await parts.probeModels().catch((error: unknown) => {
      parts.log.warn({ err: error }, 'the models were tested and did not score')
      return MODELS_SILENT
    })
    if (failure !== null) return showSettings(context, parts, failure)
    seeOther(context, '/settings?done=models-answer')
  })
}

/** `failure` is what a test has told. */
function showSettings(context: DashboardContext, parts: DashboardParts, failure: string | null): void {
  const page = parts.documentation.find(({ slug }) => slug === 'configuration')
  const notice = failure === null ? null : ({ tone: 'bad', text: failure } as const)
  const frame = frameOf(context, parts.assetUrls, notice)
  sendPage(
    context,
    <SettingsPage frame={frame} settings={parts.settings} groups={page?.tables ?? []} />,
    notice === null ? 200 : 503,
  )
}
