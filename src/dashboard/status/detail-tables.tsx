// Failing sites, models and crawls, a table each.
import type { JSX } from 'preact'
import type { HostFigures, ModelFigures } from '../../accounts/activity/figures.ts'
import { EmptyState } from '../frame/fields.tsx'
import { formatCount, formatDuration, formatMoment } from '../frame/formats.ts'
import { WithRemedy } from './remedy.tsx'
import { FoldingSection } from '../frame/folding-section.tsx'
import { StateLabel, worstState } from '../frame/state-label.tsx'
import { CardTable, type Column } from '../frame/table.tsx'
import { siteAddressOf } from '../library/links.ts'
import type { PageOutcome } from '../../search/page-outcome.ts'
import type { CrawlOverview } from '../../telemetry/service-overview.ts'
import { isOffer, type ServicePart } from '../../telemetry/service-status.ts'
import type { SpanFigures } from './figures-table.tsx'

/** Why a page could not be read, or not whole. */
const REASONS: Readonly<Record<Exclude<PageOutcome, 'read'>, string>> = {
  gone: 'page is gone',
  not_found: 'says there is no such page',
  parked: 'domain without a site',
  challenge: 'asks for proof of being human',
  blocked: 'refuses this service',
  consent: 'asks for consent first',
  login: 'asks to log in',
  paywall: 'for subscribers',
  http_status: 'answered with an error',
  timeout: 'too slow',
  unreachable: 'out of reach',
  address_refused: 'address not opened',
  too_many_redirects: 'redirects too often',
  too_large: 'too large',
  not_text: 'no text',
  garbled: 'garbled text',
  robots_disallowed: 'robots.txt says no or cannot be read',
  truncated: 'broke off',
  cut_short: 'very long',
  partly_damaged: 'damaged in part',
  from_data: 'text by scripts alone',
  site_busy: 'asked us to wait',
  encrypted: 'encrypted file',
  scanned: 'scanned file',
  damaged: 'damaged file',
  empty: 'empty',
  browser_crashed: 'our browser crashed',
  browser_missing: 'needs a browser',
  busy: 'we had no room',
  out_of_time: 'we had no time',
  unexpected: 'unexpected error',
}

const isKnown = (reason: string): reason is keyof typeof REASONS => Object.hasOwn(REASONS, reason)
/** Counts of another version may hold a reason that this one does not know: it reads as itself. */
const wordsOf = (reason: string): string => (isKnown(reason) ? REASONS[reason] : reason)

/** The sites whose pages could not be read most often, and why. */
export function FailingSites({ day, month }: SpanFigures): JSX.Element {
  const daily = new Map(day.failingHosts.map(({ host, failures }) => [host, failures]))
  const columns: Column<HostFigures>[] = [
    { label: 'Site', isRowHead: true, look: 'breakable', cell: ({ host }) => host },
    { label: 'Why, in 30 days', cell: ({ reasons }) => formatReasons(reasons) },
    { label: '24 h', look: 'number', cell: ({ host }) => formatCount(daily.get(host) ?? 0) },
    { label: '30 d', look: 'number', cell: ({ failures }) => formatCount(failures) },
  ]
  return (
    <FoldingSection id="sites" title="Failing sites" gist={gistOf(month.failingHosts)}>
      {month.failingHosts.length === 0 ? (
        <EmptyState title="No site failed">
          Sites whose pages cannot be read are listed here
          {month.pages.failed === 0 ? '' : '; what this service had no time or room for is not their failure'}
          .
        </EmptyState>
      ) : (
        <CardTable columns={columns} rows={month.failingHosts} />
      )}
    </FoldingSection>
  )
}

function gistOf([worst, ...others]: readonly HostFigures[]): string {
  if (worst === undefined) return 'none'
  return others.length === 0 ? worst.host : `${worst.host} and ${others.length} more`
}

const formatReasons = (reasons: HostFigures['reasons']): string =>
  reasons.map(({ reason, count }) => `${wordsOf(reason)} (${formatCount(count)})`).join(', ')

/** What scores at each depth, how fast and how often. */
export function ModelTable({
  models,
  day,
  month,
}: SpanFigures & { models: readonly ServicePart[] }): JSX.Element {
  const columns: Column<ServicePart>[] = [
    { label: 'Depth', isRowHead: true, cell: ({ name }) => name },
    { label: 'Fit', cell: (model) => <StateLabel state={model.state} words={fitOf(model)} /> },
    {
      label: 'Model',
      look: 'prose',
      cell: ({ detail, remedy }) => <WithRemedy detail={detail} remedy={remedy} />,
    },
    {
      label: 'Scoring, median 24 h',
      look: 'number',
      cell: ({ name }) => formatDuration(ofDepth(day.models, name)[0]?.medianMs ?? null),
    },
    {
      label: 'Searches 24 h',
      look: 'number',
      cell: ({ name }) => formatCount(searchesOf(day.models, name)),
    },
    { label: '30 d', look: 'number', cell: ({ name }) => formatCount(searchesOf(month.models, name)) },
  ]
  return (
    <FoldingSection id="models" title="Models by depth" gist={<Fit models={models} />}>
      <CardTable columns={columns} rows={models} />
    </FoldingSection>
  )
}

/** A depth that was never given a model of its own is served by that of the others. */
function fitOf(model: ServicePart): string {
  if (model.state !== 'ready') return 'Stand-in'
  return isOffer(model) ? 'Shared' : 'Its own'
}

function Fit({ models }: { models: readonly ServicePart[] }) {
  const state = worstState(models)
  return <StateLabel state={state} words={state === 'ready' ? 'As set up' : 'Stand-in'} />
}

const ofDepth = (models: readonly ModelFigures[], depth: string): ModelFigures[] =>
  models.filter((model) => model.depth === depth)

const searchesOf = (models: readonly ModelFigures[], depth: string): number =>
  ofDepth(models, depth).reduce((sum, { searches }) => sum + searches, 0)

const CRAWL_COLUMNS: readonly Column<CrawlOverview>[] = [
  {
    label: 'Site',
    isRowHead: true,
    look: 'breakable',
    cell: ({ url }) => <a href={siteAddressOf(url)}>{url}</a>,
  },
  {
    label: 'State',
    cell: ({ finishedAt }) => (finishedAt === null ? 'Not finished' : `Finished ${formatMoment(finishedAt)}`),
  },
  { label: 'Read', look: 'number', cell: ({ pages }) => formatCount(pages.read) },
  { label: 'Waiting', look: 'number', cell: ({ pages }) => formatCount(pages.waiting) },
  { label: 'Failed', look: 'number', cell: ({ pages }) => formatCount(pages.failed) },
]

/** How far the sites of the library are read. */
export function CrawlTable({ crawls }: { crawls: readonly CrawlOverview[] }): JSX.Element {
  const finished = crawls.filter(({ finishedAt }) => finishedAt !== null).length
  const gist = crawls.length === 0 ? 'none' : `${finished} of ${crawls.length} finished`
  return (
    <FoldingSection id="crawls" title="Crawls" gist={gist}>
      {crawls.length === 0 ? (
        <EmptyState title="No sites yet">
          Administrators add them on the <a href="/library">library</a>’s page.
        </EmptyState>
      ) : (
        <CardTable columns={CRAWL_COLUMNS} rows={crawls} />
      )}
    </FoldingSection>
  )
}
