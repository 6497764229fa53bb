// Usage for spreadsheets, piece by piece: a year of many keys is neither read nor sent at once.
import type { StoreDatabase } from '../store/schema.ts'
import { unitsOf, type KeyPeriod, type UsageQuery, type UsageReports } from './usage-reports.ts'
import { USAGE_TABLES } from './usage-tables.ts'

const COLUMNS =
  'key_id,key_name,starts_at,requests,client_errors,rate_limited,server_errors,snippets,latency_p50_ms,latency_p95_ms'
/** Units that are read and sent together. */
const UNITS_PER_PIECE = 7

/**
 * CSV text (RFC 4180): a header line, then one line per key and unit that has requests, oldest first. The first piece
 * comes with the first lines, so that a store that does not answer is known before anything is sent.
 * @throws RangeError for more than 1 000 units.
 */
export async function* writeUsageCsv(
  database: StoreDatabase,
  reports: Pick<UsageReports, 'keyPeriods'>,
  query: UsageQuery,
): AsyncGenerator<string, void, undefined> {
  const starts = unitsOf(query)
  const keys = await database.selectFrom('api_keys').select(['id', 'name']).execute()
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const { unitMs } = USAGE_TABLES[query.unit]
  let head = `${COLUMNS}\r\n`
  for (let index = 0; index < Math.max(1, starts.length); index += UNITS_PER_PIECE) {
    const [first, last] = [starts[index], starts.slice(index, index + UNITS_PER_PIECE).at(-1)]
    const periods =
      first === undefined || last === undefined
        ? []
        : await reports.keyPeriods({ ...query, from: new Date(first), to: new Date(last + unitMs) })
    yield head + periods.map((one) => `${lineOf(one, names)}\r\n`).join('')
    head = ''
  }
}

function lineOf({ keyId, period }: KeyPeriod, names: ReadonlyMap<string, string>): string {
  const cells = [
    keyId,
    names.get(keyId) ?? '',
    period.startsAt.toISOString(),
    period.requests,
    period.clientErrors,
    period.rateLimited,
    period.serverErrors,
    period.snippets,
    wholeMs(period.latencyP50Ms),
    wholeMs(period.latencyP95Ms),
  ]
  return cells.map((cell) => csvCell(String(cell))).join(',')
}

const wholeMs = (latencyMs: number | null): number | string =>
  latencyMs === null ? '' : Math.round(latencyMs)

/**
 * Quoted where RFC 4180 asks for it. A leading = + - @ would run as a formula in a spreadsheet: an apostrophe stops it.
 */
function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
