// Reading from a PostgreSQL that may go away: one that restarts costs a request time, one that stays away costs each
// request an error, soon.
import { setTimeout as sleep } from 'node:timers/promises'
import { TimeLimitError, withDeadline } from '../../concurrency/deadline.ts'
import { isConnectionLost, isUnanswered } from '../../connections/postgres.ts'
import { PostgresError } from '../../connections/postgres-error.ts'
import { errorCode } from '../../errors.ts'
import type { Logger } from '../../telemetry/log.ts'
import { createOutage } from '../../telemetry/outage.ts'
import { StoreError } from './store-error.ts'

/** A server that answered when it was last asked is waited for while it restarts; one that did not, hardly. */
const WAIT_MS = { restart: 3_000, away: 1_000 } as const
const PAUSE_MS = { first: 50, most: 500 } as const

/**
 * Makes the function that runs a read, and runs it again where the connection broke, which a read may be. That the server
 * is away, and that it is back, is told in the log once, however many requests meet it. What it makes throws a
 * `StoreError` (unreachable) when the server does not answer in time.
 */
export function createPatientReads(log: Logger): <T>(query: () => Promise<T>) => Promise<T> {
  const outage = createOutage({
    begins(thrown) {
      const error = thrown instanceof PostgresError ? thrown.cause : thrown
      const reason = error instanceof Error && error.message !== '' ? error.message : errorCode(error)
      log.error({ reason }, 'the account store does not answer; requests get status 503 until it does')
    },
    ends: () => log.info('the account store answers again'),
  })

  function noteAway(error: unknown): StoreError {
    outage.fails(error)
    return new StoreError('unreachable', 'The PostgreSQL of the account store does not answer.', error)
  }

  return async function read(query) {
    const isAway = outage.isOut()
    const limitMs = isAway ? WAIT_MS.away : WAIT_MS.restart
    try {
      const asked = isAway ? query : () => retryLost(query, limitMs)
      const result = await withDeadline({ what: 'reading from the account store', limitMs }, asked)
      outage.works()
      return result
    } catch (error) {
      const isNoAnswer = isConnectionLost(error) || isUnanswered(error) || error instanceof TimeLimitError
      throw isNoAnswer ? noteAway(error) : error
    }
  }
}

/** Gives up with the last failure when the next try would come too late. */
async function retryLost<T>(query: () => Promise<T>, limitMs: number): Promise<T> {
  const deadlineMs = performance.now() + limitMs
  for (let pauseMs: number = PAUSE_MS.first; ; pauseMs = Math.min(PAUSE_MS.most, pauseMs * 2)) {
    try {
      return await query()
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() + pauseMs >= deadlineMs) throw error
    }
    await sleep(pauseMs)
  }
}
