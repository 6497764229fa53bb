// The one way to PostgreSQL: a pool whose broken connections cost a query and never the process. At the bottom of the
// house, because accounts and library each keep one.
import { Pool, type PoolConfig } from 'pg'

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
