// What the embedded engine holds: sites with how far they are, documents, folders; and the forms that add to it.
import type { JSX } from 'preact'
import { commandLine } from '../../invocation.ts'
import type { KeptSite } from '../../library/crawl/site-keeper.ts'
import type { DocumentOutcome, StoredDocument } from '../../library/files/document-store.ts'
import type { FolderSummary } from '../../library/page-index.ts'
import type { FoundPage } from '../../library/schema.ts'
import { EmptyState, Field, Select } from '../frame/fields.tsx'
import { formatCount } from '../frame/formats.ts'
import { FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'
import { CardTable, type Column } from '../frame/table.tsx'
import { Documents } from './documents-view.tsx'
import { FoundPages, PageSearch } from './found-pages.tsx'
import { siteAddressOf } from './links.ts'
import { DEPTH_MAX, PAGES_MAX, REFRESH_OPTIONS, type SiteForm, type SiteFormFields } from './site-form.ts'
import { isMoving, LastCrawl, NextCrawl, SiteState } from './site-state.tsx'

/** What was wrong with a form that was sent. */
export interface LibraryFaults {
  site?: Extract<SiteForm, { ok: false }>
  /** Documents that are not kept, and those that are. */
  documents?: readonly DocumentOutcome[]
}

interface LibraryProperties {
  frame: Frame
  isAdmin: boolean
  sites: readonly KeptSite[]
  folders: readonly FolderSummary[]
  documents: readonly StoredDocument[]
  /** What was looked for among all of it; '' for nothing. */
  query: string
  /** Null when nothing was looked for. */
  found: readonly FoundPage[] | null
  fields: SiteFormFields
  /** The least pause between two requests to a site. */
  delayMs: number
  faults: LibraryFaults
  now: Date
}

export function LibraryPage(properties: LibraryProperties): JSX.Element {
  const { frame, isAdmin, sites, folders, documents, query, found, faults, now } = properties
  return (
    <Page frame={frame} style="library" script="library" title="Library">
      <PageHead title="Library">
        The pages and documents that searches here can find without any search engine on the web.
      </PageHead>
      <section aria-label="Search" class="library-search">
        <PageSearch action="/library" label="Search the library" query={query} />
        {found !== null && <FoundPages found={found} where="the library" />}
      </section>
      <section aria-labelledby="sites-title">
        <h2 id="sites-title">Sites</h2>
        <div id="sites" data-live={sites.some((site) => isMoving(site, now)) ? 'yes' : undefined}>
          {sites.length === 0 ? (
            <EmptyState title="No sites yet">
              {isAdmin ? 'Add the first one below.' : 'An administrator can add some.'} Where no search engine
              for the web is set up, this documentation is searched, too.
            </EmptyState>
          ) : (
            <SiteTable sites={sites} now={now} />
          )}
        </div>
      </section>
      {isAdmin && <AddSite {...properties} wrong={faults.site?.wrong ?? {}} />}
      <Documents frame={frame} isAdmin={isAdmin} documents={documents} outcomes={faults.documents ?? null} />
      {folders.length > 0 && isAdmin && <Folders folders={folders} />}
    </Page>
  )
}

function SiteTable({ sites, now }: { sites: readonly KeptSite[]; now: Date }) {
  const columns: Column<KeptSite>[] = [
    {
      label: 'Site',
      isRowHead: true,
      look: 'breakable',
      cell: ({ url }) => <a href={siteAddressOf(url)}>{url}</a>,
    },
    { label: 'State', cell: (site) => <SiteState site={site} now={now} /> },
    {
      label: 'Pages',
      look: 'number nowrap',
      cell: ({ counts, pageLimit }) => `${formatCount(counts.read)} of at most ${formatCount(pageLimit)}`,
    },
    { label: 'Failed', look: 'number', cell: ({ counts }) => formatCount(counts.failed) },
    { label: 'Last read', cell: (site) => <LastCrawl site={site} /> },
    { label: 'Next', cell: (site) => <NextCrawl site={site} now={now} /> },
  ]
  return <CardTable columns={columns} rows={sites} />
}

type Wrong = Extract<SiteForm, { ok: false }>['wrong']

function AddSite({ frame, fields, delayMs, wrong }: LibraryProperties & { wrong: Wrong }) {
  return (
    <section aria-labelledby="add-site">
      <h2 id="add-site">Add a site</h2>
      <p class="quiet small">
        Everything beneath the address is read, from its sitemaps and along its links, one page every{' '}
        {delayMs / 1_000} seconds at most, and nothing that its robots.txt forbids.
      </p>
      <form method="post" action="/library/sites#url" class="stack">
        <FormToken frame={frame} />
        <Field
          name="url"
          label="Address"
          inputMode="url"
          autocomplete="url"
          required
          maxLength={2_000}
          value={fields.url}
          help="Such as https://docs.example.org/guide/, which leaves the rest of that host alone."
          wrong={wrong.url}
        />
        <div class="fields">
          <Field
            name="pages"
            label="Pages at most"
            type="number"
            min={1}
            max={PAGES_MAX}
            value={fields.pages}
            wrong={wrong.pages}
          />
          <Field
            name="depth"
            label="Links from the start"
            type="number"
            min={0}
            max={DEPTH_MAX}
            value={fields.depth}
            wrong={wrong.depth}
          />
          <Select name="refresh" label="Read again" value={fields.refresh} options={REFRESH_OPTIONS} />
        </div>
        <div class="actions">
          <button type="submit" class="button">
            Add site
          </button>
        </div>
      </form>
    </section>
  )
}

const FOLDER_COLUMNS: readonly Column<FolderSummary>[] = [
  { label: 'File or folder', isRowHead: true, look: 'breakable', cell: ({ url }) => url },
  { label: 'Files', look: 'number', cell: ({ files }) => formatCount(files) },
]

function Folders({ folders }: { folders: readonly FolderSummary[] }) {
  return (
    <section aria-labelledby="folders">
      <h2 id="folders">Files and folders of this machine</h2>
      <p class="quiet small">
        Added on the command line: <code>{commandLine('index add FOLDER')}</code>
      </p>
      <CardTable columns={FOLDER_COLUMNS} rows={folders} />
    </section>
  )
}
