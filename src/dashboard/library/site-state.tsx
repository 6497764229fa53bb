// What a site is about: read now, waiting, read, or given up, in words; and when it is read next.
import type { JSX } from 'preact'
import type { KeptSite } from '../../library/crawl/site-keeper.ts'
import type { PartState } from '../../telemetry/service-status.ts'
import { formatMoment } from '../frame/formats.ts'
import { StateLabel } from '../frame/state-label.tsx'

const ENDS: Readonly<
  Record<NonNullable<KeptSite['lastEnd']>['end'], readonly [state: PartState, words: string]>
> = {
  complete: ['ready', 'Read'],
  limit: ['limited', 'Read up to its page limit'],
  unreachable: ['failing', 'The site stopped answering'],
  busy: ['limited', 'Broken off: this service was too busy'],
}

/** Whether it changes by itself just now. */
export const isMoving = ({ isRunning, dueAt }: KeptSite, now: Date): boolean =>
  isRunning || (dueAt !== null && new Date(dueAt) <= now)

/** What a site is about, in words and shape. */
export function SiteState({ site, now }: { site: KeptSite; now: Date }): JSX.Element {
  const [state, words] = stateOf(site, now)
  return <StateLabel state={state} words={words} />
}

function stateOf(site: KeptSite, now: Date): readonly [PartState, string] {
  if (site.isRunning) return ['ready', 'Being read']
  if (isMoving(site, now)) return ['untried', 'Waiting to be read']
  if (site.lastEnd?.end === 'complete' && site.counts.read === 0 && site.counts.failed > 0)
    return ['failing', 'No page could be read']
  if (site.lastEnd !== null) return ENDS[site.lastEnd.end]
  return site.finishedAt === null ? ['untried', 'Not finished'] : ['ready', 'Read']
}

/** When the last crawl ended; crawls of earlier builds noted only that they were whole. */
export function LastCrawl({ site }: { site: KeptSite }): JSX.Element {
  const at = site.lastEnd?.at ?? site.finishedAt
  return at === null ? <>–</> : <time dateTime={at}>{formatMoment(new Date(at))}</time>
}

/** When a site is read next: “now”, a moment, or a dash for never. */
export function NextCrawl({ site, now }: { site: KeptSite; now: Date }): JSX.Element {
  const { dueAt } = site
  if (isMoving(site, now)) return <>now</>
  return dueAt === null ? <>–</> : <time dateTime={dueAt}>{formatMoment(new Date(dueAt))}</time>
}
