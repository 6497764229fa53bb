// GET /: what this service is and, for those who are signed in, how it does; and asking one search engine now.
import { notFound } from '../../errors.ts'
import type { DashboardParts } from '../context.ts'
import { checkFormToken, readForm } from '../frame/read-form.ts'
import { baseUrl, frameOf, seeOther, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter, RoutedContext } from '../state.ts'
import { noteAct } from '../visitor/note-act.ts'
import { spendPoint } from '../visitor/quota.ts'
import { adminsOnly, ownerFilter, signedIn } from '../visitor/visitor.ts'
import { OverviewPage } from './overview-view.tsx'
import { StartPage } from './start-view.tsx'

const REQUESTS_SHOWN = 10

export function addStatusRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/', async (context) => {
    if (context.state.visitor.session !== null) return showOverview(context, parts)
    const frame = frameOf(context, parts.assetUrls)
    sendPage(context, <StartPage frame={frame} publicUrl={baseUrl(context, parts.publicUrl)} />)
  })
  router.post(
    '/engines/:name/test',
    signedIn,
    adminsOnly,
    readForm,
    checkFormToken,
    async (context: RoutedContext) => {
      const name = context.params['name'] ?? ''
      const { engines } = await parts.describeOverview()
      if (!engines.some((engine) => engine.name === name)) throw notFound()
      await spendPoint(context, parts)
      await parts.probeEngine(name)
      await noteAct(context, parts, 'engine_tested', name)
      const asked = (await parts.describeOverview()).engines.find((engine) => engine.name === name)
      const outcome = asked?.condition === 'answering' ? 'engine-answered' : 'engine-failed'
      // Who goes on by keyboard does so from the notice that tells it.
      seeOther(context, `/?done=${outcome}#content`)
    },
  )
}

async function showOverview(context: DashboardContext, parts: DashboardParts): Promise<void> {
  const filter = ownerFilter(context)
  const [status, overview, day, month, { requests }, keys] = await Promise.all([
    parts.describeService(),
    parts.describeOverview(),
    parts.activity.figures('24h'),
    parts.activity.figures('30d'),
    parts.activity.requests({ ...filter, limit: REQUESTS_SHOWN }),
    parts.keys.list({ ...filter, withRevoked: true }),
  ])
  const page = (
    <OverviewPage
      frame={frameOf(context, parts.assetUrls)}
      status={status}
      overview={overview}
      day={day}
      month={month}
      requests={requests}
      keyNames={new Map(keys.map(({ id, name }) => [id, name]))}
      now={new Date()}
    />
  )
  sendPage(context, page)
}
