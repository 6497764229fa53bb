// What a command that runs for weeks does with failures that nobody took: a promise's is told and lived with, an
// exception's ends the process in order, because nobody knows what it left half done.
import type { Logger } from '../telemetry/log.ts'

export interface ProcessGuardOptions {
  log: Logger
  /** Told of every rejection that had no handler. */
  onUnhandledRejection: () => void
  /** Ends the process in order, with an exit code other than 0. */
  onUncaughtException: () => void
}

/** Takes over both from Node, whose answer to either is to end the process at once. */
export function guardProcess({ log, onUnhandledRejection, onUncaughtException }: ProcessGuardOptions): void {
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'a promise failed and nobody had taken its failure')
    onUnhandledRejection()
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an exception nobody caught: the process ends')
    onUncaughtException()
  })
}
