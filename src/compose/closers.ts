// What was opened, to be closed in reverse.
import type { Logger } from '../telemetry/log.ts'

export type Closers = ReturnType<typeof createClosers>

/** A part that fails to close is logged and does not keep the others open. */
export function createClosers(log: Logger) {
  const open: { name: string; close: () => Promise<void> }[] = []
  const add = (name: string, close: () => Promise<void>): void => void open.push({ name, close })
  return {
    add,
    /** One that is still being opened. That it fails to open is for who awaits it: there is nothing to close then. */
    addOpening(name: string, opening: Promise<{ close(): Promise<void> }>): void {
      opening.catch(() => undefined)
      add(name, () =>
        opening.then(
          (part) => part.close(),
          () => undefined,
        ),
      )
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
