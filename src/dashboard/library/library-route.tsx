// GET /library: the sites, folders and documents that can be found here; and, for administrators, adding a site.
import { notFound } from '../../errors.ts'
import { CRAWL_DEFAULTS } from '../../library/crawl/crawled-sites.ts'
import { DOCUMENTS_ORIGIN } from '../../library/files/document-store.ts'
import type { DashboardParts } from '../context.ts'
import { checkFormToken, readForm, textField } from '../frame/read-form.ts'
import { frameOf, seeOther, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { noteAct } from '../visitor/note-act.ts'
import { adminsOnly, sessionOf, signedIn } from '../visitor/visitor.ts'
import { findPages } from './find-pages.ts'
import { KeptPagePage } from './kept-page-view.tsx'
import { LibraryPage, type LibraryFaults } from './library-view.tsx'
import { siteAddressOf } from './links.ts'
import { EMPTY_SITE_FORM, readSiteForm, type SiteFormFields } from './site-form.ts'

/** A page's text is shown in parts of this length. */
const PART_CHARACTERS = 20_000

export function addLibraryRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/library', signedIn, (context: DashboardContext) => showLibrary(context, parts))
  router.post('/library/sites', signedIn, adminsOnly, readForm, checkFormToken, (context: DashboardContext) =>
    addSite(context, parts),
  )
  router.get('/library/page', signedIn, async (context: DashboardContext) => {
    const url = context.query['url']
    const page = typeof url === 'string' ? await parts.library.getPage(url) : null
    if (page === null) throw notFound()
    const start = partStart(context.query['from'], page.text.length)
    const view = (
      <KeptPagePage
        frame={frameOf(context, parts.assetUrls)}
        page={page}
        shown={{ start, end: Math.min(page.text.length, start + PART_CHARACTERS) }}
      />
    )
    sendPage(context, view)
  })
}

async function addSite(context: DashboardContext, parts: DashboardParts): Promise<void> {
  const sent: SiteFormFields = {
    url: textField(context, 'url'),
    pages: textField(context, 'pages'),
    depth: textField(context, 'depth'),
    refresh: textField(context, 'refresh'),
  }
  const form = readSiteForm(sent)
  if (!form.ok) return showLibrary(context, parts, { site: form })
  const { url } = await parts.sites.add(form.url, form.wish)
  await noteAct(context, parts, 'site_added', url)
  seeOther(context, `${siteAddressOf(url)}&done=site-added`)
}

/** Shows the library, after a form that was refused with what was typed and what is wrong. */
export async function showLibrary(
  context: DashboardContext,
  parts: DashboardParts,
  faults: LibraryFaults = {},
): Promise<void> {
  const { q: query = '' } = context.query
  const asked = typeof query === 'string' ? query : ''
  const [sites, folders, documents, found] = await Promise.all([
    parts.sites.list(),
    parts.library.listFolders(),
    parts.documents.list(),
    findPages(parts, null, asked),
  ])
  const page = (
    <LibraryPage
      frame={frameOf(context, parts.assetUrls)}
      isAdmin={sessionOf(context).user.isAdmin}
      sites={sites}
      folders={folders.filter(({ url }) => url !== DOCUMENTS_ORIGIN)}
      documents={documents}
      query={asked}
      found={found}
      fields={faults.site?.sent ?? EMPTY_SITE_FORM}
      delayMs={CRAWL_DEFAULTS.delayMs}
      faults={faults}
      now={new Date()}
    />
  )
  const isRefused = faults.site !== undefined || faults.documents !== undefined
  sendPage(context, page, isRefused ? 422 : 200)
}

/** Where a part of a text begins, from an address; 0 for anything that is none. */
function partStart(value: unknown, length: number): number {
  const start = typeof value === 'string' && /^\d{1,9}$/u.test(value) ? Number(value) : 0
  return start < length ? start : 0
}
