// What was opened, to be closed in reverse.
import type { Logger } from '../telemetry/log.ts'

export type Closers = ReturnType<typeof createClosers>

/** A part that fails to close is logged and does not keep the others open. */
export function createClosers(log: Logger) {
  const open: { name: string; close: () => Promise<void> }[] = []
  return {
    add(name: string, close: () => Promise<void>): void {
      open.push({ name, close })
    },
    async closeAll(): Promise<void> {
      for (const { name, close } of open.splice(0).toReversed()) {
        try {
          await close()
        } catch (error) {
          log.error({ err: error, part: name }, 'a part failed to close')
        }
      }
    },
  }
}
