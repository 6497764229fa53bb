// What a process does with failures that nobody took: of a service, a promise's is told and lived with, an exception's
// ends it in order, because nobody knows what it left half done; and of output that nobody takes.
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

/** 128 + SIGPIPE, as a shell knows it of every filter. */
const EXIT_UNREAD = 141

/**
 * A service goes on, since its callers need no log. Any other command ends: in silence when its reader has what it
 * wanted, as `head` has, and else with one sentence.
 */
export function guardOutput({ isService }: { isService: boolean }): void {
  process.stderr.on('error', goOn)
  process.stdout.on('error', isService ? goOn : end)
}

/** Nobody is left to be told; Node tries again with the next line. */
const goOn = (): void => undefined

function end(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(EXIT_UNREAD)
  process.stderr.write(`The output cannot be written: ${error.message}.\n`)
  process.exit(1)
}
