// The one way to PostgreSQL: a pool whose broken connections cost a query and never the process. At the bottom of the
// house, because accounts and library each keep one.
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import { errorCode } from '../errors.ts'

const CONNECT_MS = 3_000

/** `onIdleLost` is told when an idle connection broke; the next query opens another. `end` of the pool closes it. */
export function openPostgresPool(
  config: Omit<PoolConfig, 'connectionTimeoutMillis' | 'keepAlive'>,
  onIdleLost: (error: Error) => void,
): Pool {
  const pool = new Pool({ ...config, connectionTimeoutMillis: CONNECT_MS, keepAlive: true })
  // Without a listener a broken idle connection would end the process.
  pool.on('error', onIdleLost)
  // One that breaks between two statements of a transaction: the next statement fails and tells it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
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
