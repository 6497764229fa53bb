// How commands end before their work is done: on a signal, and when they were called wrongly, each with one exit code
// everywhere, so that a script can tell these from a command that failed.
import type { Command } from 'commander'
import { commandLine } from '../invocation.ts'

/** 128 + SIGINT, as a shell expects of a command that was interrupted. */
export const EXIT_INTERRUPTED = 130

/** SIGHUP comes when the terminal is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** `signal` aborts at the first of them until `close`; a second one ends the process at once. */
export function openInterrupt() {
  const controller = new AbortController()
  const interrupt = (): void => controller.abort(new Error('Interrupted.'))
  for (const name of SIGNALS) process.once(name, interrupt)
  return {
    signal: controller.signal,
    close(): void {
      for (const name of SIGNALS) process.off(name, interrupt)
    },
  }
}

/** As of every shell: the command line itself was wrong, and nothing was done. */
export const EXIT_USAGE = 2

/**
 * Makes `command` and all below it end the process with EXIT_USAGE for a wrong line, and say where the right ones are
 * told; with 0 after help and version. `path` holds the names that lead to it, below that of the program.
 */
export function withUsageExitCode(command: Command, path: readonly string[] = []): Command {
  for (const one of command.commands) withUsageExitCode(one, [...path, one.name()])
  return command
    .showHelpAfterError(`"${commandLine([...path, '--help'].join(' '))}" tells what can stand there.`)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE))
}
