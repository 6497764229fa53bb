// A script of the bench as a process of its own, and what it says.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Starts `script` of this folder with one argument; it ends when it is disconnected. */
export function startBenchChild(script: string, argument: string) {
  const child = fork(join(import.meta.dirname, script), [argument], { execArgv: ['--import', 'tsx'] })
  const ended = once(child, 'exit')
  const failed = ended.then(() => Promise.reject(new Error(`${script} ended before it answered`)))
  // Told to whoever waits for an answer; when no one does, the process was ended on purpose.
  failed.catch(() => {})
  return {
    tell: (message: string | object) => child.send(message),
    /** The next thing it says. Rejects when it ends instead. */
    async answer(): Promise<unknown> {
      const [message] = await Promise.race([once(child, 'message'), failed])
      return message
    },
    async close(): Promise<void> {
      child.disconnect()
      await ended
    },
  }
}
