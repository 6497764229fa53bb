// Reaching PostgreSQL when a process starts: waits for a server that starts beside it, and tells the operator in one
// sentence what keeps it from being used.
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, OperatorError } from '../errors.ts'
import { isConnectionLost } from './postgres.ts'

const WAIT_MS = 30_000
const PAUSE_MS = { first: 50, most: 1_000 }

/** `message` names host, port and database, never user or password. */
export class PostgresPlaceError extends OperatorError {
  override readonly name = 'PostgresPlaceError'
  readonly trouble: 'unreachable' | 'refused'

  constructor(trouble: PostgresPlaceError['trouble'], message: string, cause?: unknown) {
    super(message, { cause })
    this.trouble = trouble
  }
}

export interface PostgresWait {
  /** How long a server is waited for that does not answer; 30 s where left out. */
  connectTimeoutMs?: number
  /** Told after each attempt that another follows, for the log. */
  onWait?: (message: string, detail: { code: string; pauseMs: number }) => void
}

/**
 * Asks by `ping` until the server of `databaseUrl` answers.
 * @throws {PostgresPlaceError} when it does not in time, or refuses user, password or database; other errors of `ping`.
 */
export async function waitForPostgres(
  ping: () => Promise<unknown>,
  databaseUrl: string,
  { connectTimeoutMs = WAIT_MS, onWait }: PostgresWait,
): Promise<void> {
  const place = describePlace(databaseUrl)
  const deadline = Date.now() + connectTimeoutMs
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most)) {
    try {
      await ping()
      return
    } catch (error) {
      if (!isConnectionLost(error)) throw explainRefusal(error, place)
      if (Date.now() + pauseMs >= deadline) {
        throw new PostgresPlaceError(
          'unreachable',
          `PostgreSQL at ${place} did not answer within ${connectTimeoutMs / 1_000} s. Check DATABASE_URL and that the server runs.`,
          error,
        )
      }
      onWait?.(`waiting for PostgreSQL at ${place}`, { code: errorCode(error), pauseMs })
    }
    await sleep(pauseMs)
  }
}

function explainRefusal(error: unknown, place: string): unknown {
  const code = errorCode(error)
  if (code.startsWith('28'))
    return new PostgresPlaceError(
      'refused',
      `PostgreSQL at ${place} refused the user or the password of DATABASE_URL.`,
      error,
    )
  if (code === '3D000')
    return new PostgresPlaceError(
      'refused',
      `PostgreSQL at ${place} has no such database. Create it, or correct DATABASE_URL.`,
      error,
    )
  return error
}

/** Host, port and database of the address, without user and password. */
function describePlace(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl))
    throw new PostgresPlaceError(
      'refused',
      'DATABASE_URL is no address such as postgres://user:password@host:5432/verbatim.',
    )
  const url = new URL(databaseUrl)
  return `${url.hostname === '' ? 'localhost' : url.hostname}:${url.port === '' ? '5432' : url.port}${url.pathname}`
}
