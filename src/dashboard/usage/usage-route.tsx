// How much the visitor's keys are used, as charts and as CSV. Administrators see the use of all keys.
import { Readable } from 'node:stream'
import type { UsageQuery } from '../../accounts/usage/usage-reports.ts'
import { UsagePage, type UsageSpan } from './usage-view.tsx'
import { notFound } from '../../errors.ts'
import { recordFailure } from '../../http/request/error-boundary.ts'
import type { DashboardParts } from '../context.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { frameOf, sendPage } from '../frame/respond.ts'
import { ownerFilter, signedIn } from '../visitor/visitor.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How far back each choice reaches, in how many units. */
const SPANS: Readonly<Record<UsageSpan, { unit: UsageQuery['unit']; count: number }>> = {
  '48h': { unit: 'hour', count: 48 },
  '30d': { unit: 'day', count: 30 },
  '90d': { unit: 'day', count: 90 },
  '1y': { unit: 'day', count: 365 },
}

export function addUsageRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/usage', signedIn, (context: DashboardContext) => showUsage(context, parts))
  router.get('/usage.csv', signedIn, async (context: DashboardContext) => {
    const { query } = await readQuery(context, parts)
    const pieces = parts.usage.csv(query)
    const first = await pieces.next()
    context.attachment('verbatim-usage.csv')
    context.type = 'text/csv; charset=utf-8'
    context.body = Readable.from(
      sendPieces(first.value ?? '', pieces, (thrown) => recordFailure(context, thrown, parts.log)),
    )
  })
}

/** The pieces as the client takes them. A failure among them cuts the answer off: a file that ends early would lie. */
async function* sendPieces(
  first: string,
  others: AsyncIterable<string>,
  onFailure: (thrown: unknown) => void,
): AsyncGenerator<string, void, undefined> {
  yield first
  try {
    yield* others
  } catch (error) {
    onFailure(error)
    throw error
  }
}

async function showUsage(context: DashboardContext, parts: DashboardParts): Promise<void> {
  const { span, query, keys } = await readQuery(context, parts)
  const isOfAll = query.keyId === undefined && keys.length > 1
  const [periods, keyTotals] = await Promise.all([
    parts.usage.periods(query),
    isOfAll ? parts.usage.keyTotals(query) : [],
  ])
  const page = (
    <UsagePage
      frame={frameOf(context, parts.assetUrls)}
      span={span}
      unit={query.unit}
      keyId={query.keyId ?? null}
      keys={keys}
      periods={periods}
      keyTotals={keyTotals}
    />
  )
  sendPage(context, page)
}

/** What was asked for, with nothing in it that the visitor may not see. */
async function readQuery(context: DashboardContext, parts: DashboardParts) {
  const filter = ownerFilter(context)
  const keys = await parts.keys.list({ ...filter, withRevoked: true })
  const keyId = context.query['key']
  if (typeof keyId === 'string' && keyId !== '' && !keys.some(({ id }) => id === keyId)) throw notFound()
  const span = spanOf(context.query['span'])
  const { unit, count } = SPANS[span]
  const unitMs = unit === 'hour' ? HOUR_MS : DAY_MS
  const to = new Date((Math.floor(Date.now() / unitMs) + 1) * unitMs)
  const query: UsageQuery = {
    from: new Date(to.getTime() - count * unitMs),
    to,
    unit,
    ...filter,
    ...(typeof keyId === 'string' && keyId !== '' ? { keyId } : {}),
  }
  return { span, query, keys }
}

const spanOf = (text: unknown): UsageSpan =>
  text === '48h' || text === '90d' || text === '1y' ? text : '30d'
