// The one way to PostgreSQL: a pool whose broken connections cost a query and never the process. At the bottom of the
// house, because accounts and library each keep one.
import { AsyncResource } from 'node:async_hooks'
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import { explainPostgres, PostgresError } from './postgres-error.ts'

const CONNECT_MS = 3_000

export interface PostgresSettings extends Omit<
  PoolConfig,
  'connectionTimeoutMillis' | 'keepAlive' | 'query_timeout'
> {
  /**
   * How long an answer is waited for: the server's own limit, `statement_timeout`, says nothing of one that no longer
   * speaks. Null for what may take as long as it takes.
   */
  queryMs: number | null
}

/**
 * `onIdleLost` is told when an idle connection broke, in the flow of whoever opens the pool and not of the request that
 * happened to need the connection; the next query opens another. `end` of the pool closes it. What pool and connections
 * throw for a server that cannot be used is a `PostgresError`.
 */
export function openPostgresPool(
  { queryMs, ...config }: PostgresSettings,
  onIdleLost: (error: Error) => void,
): Pool {
  const limit = queryMs === null ? {} : { query_timeout: queryMs }
  const pool = new Pool({ ...config, ...limit, connectionTimeoutMillis: CONNECT_MS, keepAlive: true })
  const explain = (error: unknown): unknown => explainPostgres(error, config.connectionString)
  for (const method of ['connect', 'query'] as const) callThrough(pool, method, explain)
  // Without a listener a broken idle connection would end the process.
  pool.on('error', AsyncResource.bind(withoutClient(onIdleLost)))
  pool.on('connect', (client) => {
    // One that breaks between two statements of a transaction: the next statement fails and tells it.
    client.on('error', () => undefined)
    callThrough(client, 'query', explain)
  })
  return pool
}

/** The pool hangs the whole connection on the error, with the key by which its queries can be cancelled. */
const withoutClient =
  (tell: (error: Error) => void) =>
  (error: Error): void => {
    Reflect.deleteProperty(error, 'client')
    tell(error)
  }

/**
 * PostgreSQL refuses U+0000 in a text, and nobody means one: in whatever is sent, U+FFFD takes its place, as it does in
 * HTML. A text keeps its length. What comes back as a failure is explained.
 */
function callThrough(
  target: Pool | PoolClient,
  method: 'connect' | 'query',
  explain: (error: unknown) => unknown,
): void {
  const own: unknown = Reflect.get(target, method)
  if (typeof own !== 'function') throw new Error(`a part of the driver has no ${method}`)
  const call = (...words: unknown[]): unknown => {
    const answer: unknown = Reflect.apply(own, target, words.map(storable))
    if (!(answer instanceof Promise)) return answer
    return answer.catch((error: unknown) => {
      throw explain(error)
    })
  }
  Object.assign(target, { [method]: call })
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD')
  return Array.isArray(value) ? value.map(storable) : value
}

/** Whether the error means that the connection or the server went away, rather than that the query was wrong. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof PostgresError && error.trouble === 'unreachable'

/** Whether the error means that a query took longer than the pool allows. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof PostgresError && error.trouble === 'unanswered'

/** `protocol_violation`, by which PgBouncer refuses a parameter that it would have to set for each client. */
const REFUSED = '08P01'

/**
 * The connections of `pool`, also behind PgBouncer in transaction mode: it refuses `statement_timeout` as a parameter of
 * the start, so from its first refusal on it is left out. The server's limit is then that of the role (`alter role … set
 * statement_timeout`); ours, `query_timeout`, holds either way.
 */
export function connectionsOf(pool: Pool): { connect(): Promise<PoolClient>; end(): Promise<void> } {
  return {
    async connect() {
      try {
        return await pool.connect()
      } catch (error) {
        const cause = error instanceof PostgresError ? error.cause : null
        const isRefused =
          cause instanceof DatabaseError &&
          cause.code === REFUSED &&
          cause.message.includes('statement_timeout')
        if (!isRefused) throw error
        pool.options.statement_timeout = false
        return pool.connect()
      }
    },
    end: () => pool.end(),
  }
}
