// The one way to PostgreSQL: a pool whose broken connections cost a query and never the process. At the bottom of the
// house, because accounts and library each keep one.
import { AsyncResource } from 'node:async_hooks'
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import { errorCode } from '../errors.ts'

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
 * happened to need the connection; the next query opens another. `end` of the pool closes it.
 */
export function openPostgresPool(
  { queryMs, ...config }: PostgresSettings,
  onIdleLost: (error: Error) => void,
): Pool {
  const limit = queryMs === null ? {} : { query_timeout: queryMs }
  const pool = new Pool({ ...config, ...limit, connectionTimeoutMillis: CONNECT_MS, keepAlive: true })
  // Without a listener a broken idle connection would end the process.
  pool.on('error', AsyncResource.bind(withoutClient(onIdleLost)))
  pool.on('connect', (client) => {
    // One that breaks between two statements of a transaction: the next statement fails and tells it.
    client.on('error', () => undefined)
    sendStorable(client)
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
 * HTML. A text keeps its length.
 */
function sendStorable(client: PoolClient): void {
  const query: unknown = Reflect.get(client, 'query')
  if (typeof query !== 'function') throw new Error('a client of PostgreSQL asks nothing')
  const send = (...words: unknown[]): unknown => Reflect.apply(query, client, words.map(storable))
  Object.assign(client, { query: send })
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD')
  return Array.isArray(value) ? value.map(storable) : value
}

/**
 * 08: connection exception; 57P01–57P03: shutting down, crashed, starting; 53300: too many connections; and what Node says
 * of a server out of reach.
 */
const LOST =
  /^(?:08...|57P0[123]|53300|E(?:CONNRESET|CONNREFUSED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/u
/** pg gives these two no code. */
const LOST_WORDS = /connection terminated|timeout exceeded when trying to connect/iu

/** Whether the error means that the connection or the server went away, rather than that the query was wrong. */
export const isConnectionLost = (error: unknown): boolean =>
  LOST.test(errorCode(error)) || (error instanceof Error && LOST_WORDS.test(error.message))

/** `query_canceled`, by the server at `statement_timeout`; and pg's own words at `query_timeout`. */
const UNANSWERED = '57014'
const UNANSWERED_WORDS = 'Query read timeout'

/** Whether the error means that a query took longer than the pool allows. */
export const isUnanswered = (error: unknown): boolean =>
  errorCode(error) === UNANSWERED || (error instanceof Error && error.message === UNANSWERED_WORDS)

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
        const isRefused =
          error instanceof DatabaseError &&
          error.code === REFUSED &&
          error.message.includes('statement_timeout')
        if (!isRefused) throw error
        pool.options.statement_timeout = false
        return pool.connect()
      }
    },
    end: () => pool.end(),
  }
}
