// One site: its state, its pages and a search among them, what could not be read and why, and what may be done to it.
import type { JSX } from 'preact'
import type { AddressFailure } from '../../library/crawl/frontier.ts'
import type { KeptSite } from '../../library/crawl/site-keeper.ts'
import type { PageSummary } from '../../library/page-views.ts'
import type { FoundPage } from '../../library/schema.ts'
import { EmptyState, RemovalForm, Select } from '../frame/fields.tsx'
import { formatCount } from '../frame/formats.ts'
import { FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'
import { CardTable, type Column } from '../frame/table.tsx'
import { BreakableAddress } from './breakable-address.tsx'
import { FoundPages, PageSearch } from './found-pages.tsx'
import { pageAddressOf, siteAddressOf, siteRemovalOf } from './links.ts'
import { REFRESH_OPTIONS } from './site-form.ts'
import { isMoving, LastCrawl, NextCrawl, SiteState } from './site-state.tsx'

interface SiteProperties {
  frame: Frame
  isAdmin: boolean
  site: KeptSite
  /** What was looked for among its pages; '' for nothing. */
  query: string
  /** Null when nothing was looked for. */
  found: readonly FoundPage[] | null
  /** By address. */
  pages: readonly PageSummary[]
  /** Whether there are further ones. */
  isMore: boolean
  failures: readonly AddressFailure[]
  now: Date
}

export function SitePage(properties: SiteProperties): JSX.Element {
  const { frame, isAdmin, site, failures, now } = properties
  return (
    <Page frame={frame} style="library" script="library" title={site.url}>
      <PageHead title={<BreakableAddress url={site.url} />} above={['/library', 'Library']} />
      <div id="progress" data-live={isMoving(site, now) ? 'yes' : undefined}>
        <Facts site={site} now={now} />
      </div>
      {isAdmin && <SiteActions frame={frame} site={site} />}
      <Pages {...properties} />
      <section id="not-read" aria-labelledby="failures">
        <h2 id="failures">Not read</h2>
        {failures.length === 0 ? (
          <p class="quiet">
            {isMoving(site, now) ? 'No page has failed so far.' : 'Every page that was asked for was read.'}
          </p>
        ) : (
          <CardTable columns={FAILURE_COLUMNS} rows={failures} />
        )}
      </section>
    </Page>
  )
}

function Facts({ site, now }: { site: KeptSite; now: Date }) {
  const { counts, pageLimit, depthLimit } = site
  const share = Math.min(1, counts.read / pageLimit)
  return (
    <>
      <dl class="facts">
        <Fact term="State">
          <SiteState site={site} now={now} />
        </Fact>
        <Fact term="Pages read">
          {formatCount(counts.read)} of at most {formatCount(pageLimit)}
        </Fact>
        <Fact term="Waiting">{formatCount(counts.waiting)}</Fact>
        <Fact term="Failed">{formatCount(counts.failed)}</Fact>
        <Fact term="Left out">{formatCount(counts.skipped)}</Fact>
        <Fact term="Links from the start">at most {formatCount(depthLimit)}</Fact>
        <Fact term="Last read">
          <LastCrawl site={site} />
        </Fact>
        <Fact term="Next">
          <NextCrawl site={site} now={now} />
        </Fact>
      </dl>
      {isMoving(site, now) && (
        <>
          <svg class="crawl-bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
            <rect class="track" width="100" height="2" />
            <rect class="value" width={100 * share} height="2" />
          </svg>
          <p class="quiet small">
            <span data-needs-script>These figures renew themselves.</span>{' '}
            <a href={siteAddressOf(site.url)}>Look again</a>
          </p>
        </>
      )}
    </>
  )
}

function Fact({
  term,
  children,
}: {
  term: string
  children: JSX.Element | (string | JSX.Element)[] | string
}) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function SiteActions({ frame, site }: { frame: Frame; site: KeptSite }) {
  const refresh = site.refreshHours === null ? '' : String(site.refreshHours)
  return (
    <section id="site-actions" class="site-actions" aria-label="Actions">
      {!site.isRunning && (
        <form method="post" action="/library/site/read">
          <FormToken frame={frame} />
          <input type="hidden" name="url" value={site.url} />
          <button type="submit" class="button">
            {site.finishedAt === null ? 'Continue reading' : 'Read again now'}
          </button>
        </form>
      )}
      <form method="post" action="/library/site/schedule" class="filters">
        <FormToken frame={frame} />
        <input type="hidden" name="url" value={site.url} />
        <Select name="refresh" label="Read again" value={refresh} options={REFRESH_OPTIONS} />
        <button type="submit" class="button button-plain">
          Set
        </button>
      </form>
      <a class="button button-plain" href={siteRemovalOf(site.url)}>
        Remove…
      </a>
    </section>
  )
}

function Pages({ site, query, found, pages, isMore, failures, now }: SiteProperties) {
  const last = pages.at(-1)
  return (
    <section aria-labelledby="pages">
      <h2 id="pages">Pages</h2>
      <PageSearch action="/library/site#pages" label="Search this site" query={query} url={site.url} />
      {found === null ? (
        <div id="page-list">
          <PageList pages={pages} isInVain={failures.length > 0 && !isMoving(site, now)} />
          {isMore && last !== undefined && (
            <p class="actions">
              <a
                class="button button-plain"
                href={`${siteAddressOf(site.url)}&after=${encodeURIComponent(last.url)}#pages`}
              >
                Further pages
              </a>
            </p>
          )}
        </div>
      ) : (
        <FoundPages found={found} where="this site" />
      )}
    </section>
  )
}

function PageList({ pages, isInVain }: { pages: readonly PageSummary[]; isInVain: boolean }) {
  if (pages.length === 0)
    return isInVain ? (
      <EmptyState title="No pages">What kept them from being read stands below.</EmptyState>
    ) : (
      <EmptyState title="No pages yet">Each is listed here as soon as it is read.</EmptyState>
    )
  return (
    <ul class="page-list">
      {pages.map(({ url, title, datedOn }) => (
        <li>
          <a href={pageAddressOf(url)}>{title === '' ? url : title}</a>
          <span class="quiet small">
            {url}
            {datedOn !== null && ` · ${datedOn}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

const FAILURE_COLUMNS: readonly Column<AddressFailure>[] = [
  { label: 'Address', isRowHead: true, look: 'breakable', cell: ({ url }) => url },
  { label: 'What', cell: ({ outcome }) => (outcome === 'failed' ? 'Failed' : 'Left out') },
  { label: 'Why', cell: ({ reason }) => reason ?? '–' },
]

/** The question before a site is removed. */
export function SiteRemovalPage({ frame, site }: { frame: Frame; site: KeptSite }): JSX.Element {
  return (
    <Page frame={frame} style="library" title="Remove site">
      <PageHead title="Remove this site?" above={['/library', 'Library']}>
        {site.url} and its pages are removed, and searches no longer find them. Pages that another site of the
        library holds, too, stay. It can be added again.
      </PageHead>
      <RemovalForm
        frame={frame}
        action="/library/site/remove"
        field={{ name: 'url', value: site.url }}
        does="Remove site"
        leave={[siteAddressOf(site.url), 'Keep it']}
      />
    </Page>
  )
}
