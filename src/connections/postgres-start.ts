// Reaching PostgreSQL when a process starts: waits for a server that starts beside it, and tells the operator in one
// sentence what keeps it from being used.
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../errors.ts'
import { isConnectionLost } from './postgres.ts'
import { placeOf, PostgresError } from './postgres-error.ts'

const WAIT_MS = 30_000
const PAUSE_MS = { first: 50, most: 1_000 }

export interface PostgresWait {
  /** How long a server is waited for that does not answer; 30 s where left out. */
  connectTimeoutMs?: number
  /** Told once, after the first attempt, that others follow. */
  onWait?: (message: string, detail: { code: string }) => void
}

/**
 * Asks by `ping` until the server of `databaseUrl` answers.
 * @throws {PostgresError} when it does not in time, or cannot be used; other errors of `ping`.
 */
export async function waitForPostgres(
  ping: () => Promise<unknown>,
  databaseUrl: string,
  { connectTimeoutMs = WAIT_MS, onWait }: PostgresWait,
): Promise<void> {
  if (!URL.canParse(databaseUrl))
    throw new PostgresError(
      'refused',
      'DATABASE_URL is no address such as postgres://user:password@host:5432/verbatim.',
    )
  const place = placeOf(databaseUrl)
  const deadline = performance.now() + connectTimeoutMs
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most)) {
    try {
      await ping()
      return
    } catch (error) {
      if (!isConnectionLost(error)) throw error
      if (performance.now() + pauseMs >= deadline) throw notInTime(error, place, connectTimeoutMs)
      if (pauseMs === PAUSE_MS.first)
        onWait?.(`waiting for PostgreSQL at ${place}, for up to ${connectTimeoutMs / 1_000} s`, codeOf(error))
    }
    await sleep(pauseMs)
  }
}

const codeOf = (error: unknown): { code: string } => ({
  code: errorCode(error instanceof PostgresError ? error.cause : error),
})

/** One that answers, but has no connection free, is told as that. */
function notInTime(error: unknown, place: string, timeoutMs: number): unknown {
  if (codeOf(error).code === '53300') return error
  return new PostgresError(
    'unreachable',
    `PostgreSQL at ${place} did not answer within ${timeoutMs / 1_000} s. Check DATABASE_URL and that the server runs.`,
    error,
  )
}
