// One site of the library: how far it is, what it holds and what it lacks; and, for administrators, reading it again,
// how often, and removing it.
import { notFound } from '../../errors.ts'
import type { KeptSite } from '../../library/crawl/site-keeper.ts'
import type { DashboardParts } from '../context.ts'
import { checkFormToken, readForm, textField } from '../frame/read-form.ts'
import { frameOf, seeOther, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { noteAct } from '../visitor/note-act.ts'
import { adminsOnly, sessionOf, signedIn } from '../visitor/visitor.ts'
import { findPages } from './find-pages.ts'
import { siteAddressOf } from './links.ts'
import { readRefresh } from './site-form.ts'
import { SitePage, SiteRemovalPage } from './site-view.tsx'

const PAGES_SHOWN = 100
const FAILURES_SHOWN = 200

export function addSiteRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/library/site', signedIn, (context: DashboardContext) => showSite(context, parts))
  router.get('/library/site/remove', signedIn, adminsOnly, async (context: DashboardContext) => {
    const site = await findSite(parts, context.query['url'])
    sendPage(context, <SiteRemovalPage frame={frameOf(context, parts.assetUrls)} site={site} />)
  })
  const form = [signedIn, adminsOnly, readForm, checkFormToken] as const
  router.post('/library/site/read', ...form, async (context: DashboardContext) => {
    const url = textField(context, 'url')
    if (!(await parts.sites.readAgain(url))) throw notFound()
    await noteAct(context, parts, 'site_read_again', url)
    seeOther(context, `${siteAddressOf(url)}&done=site-due`)
  })
  router.post('/library/site/schedule', ...form, async (context: DashboardContext) => {
    const url = textField(context, 'url')
    const refreshHours = readRefresh(textField(context, 'refresh'))
    if (refreshHours === undefined || !(await parts.sites.setRefresh(url, refreshHours))) throw notFound()
    await noteAct(context, parts, 'site_schedule_changed', url)
    seeOther(context, `${siteAddressOf(url)}&done=site-schedule`)
  })
  router.post('/library/site/remove', ...form, async (context: DashboardContext) => {
    const url = textField(context, 'url')
    if ((await parts.sites.remove(url)) === null) throw notFound()
    await noteAct(context, parts, 'site_removed', url)
    seeOther(context, '/library?done=site-removed')
  })
}

async function findSite(parts: DashboardParts, url: unknown): Promise<KeptSite> {
  const site = typeof url === 'string' ? await parts.sites.get(url) : null
  if (site === null) throw notFound()
  return site
}

async function showSite(context: DashboardContext, parts: DashboardParts): Promise<void> {
  const site = await findSite(parts, context.query['url'])
  const query = textOf(context.query['q'])
  const after = textOf(context.query['after'])
  const [pages, found, failures] = await Promise.all([
    parts.library.listPages(site.url, { after, limit: PAGES_SHOWN }),
    findPages(parts, site.url, query),
    parts.sites.listFailures(site.url, FAILURES_SHOWN),
  ])
  const page = (
    <SitePage
      frame={frameOf(context, parts.assetUrls)}
      isAdmin={sessionOf(context).user.isAdmin}
      site={site}
      query={query}
      found={found}
      pages={pages}
      isMore={pages.length === PAGES_SHOWN}
      failures={failures}
      now={new Date()}
    />
  )
  sendPage(context, page)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
