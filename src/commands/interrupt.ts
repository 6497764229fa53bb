// Ctrl-C, or a polite kill, as a signal that goes down the work of a command.

/** 128 + SIGINT, as a shell expects of a command that was interrupted. */
export const EXIT_INTERRUPTED = 130

/** `signal` aborts at the first SIGINT or SIGTERM until `close`; a second one ends the process at once. */
export function openInterrupt() {
  const controller = new AbortController()
  const interrupt = (): void => controller.abort(new Error('Interrupted.'))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  return {
    signal: controller.signal,
    close: () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt),
  }
}
