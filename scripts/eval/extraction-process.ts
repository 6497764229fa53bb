// Starts an extraction tool in a process of its own and asks it page by page, each within a time limit.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'

/** No one would wait longer for one page: the tool is ended. */
const PAGE_LIMIT_MS = 20_000

const answerSchema = z.object({
  /** Null when the tool failed on the page. */
  extracted: z
    .object({ text: z.string(), published: z.string().nullable(), updated: z.string().nullable() })
    .nullable(),
  wallMs: z.number(),
  cpuMs: z.number(),
  residentBytes: z.number(),
})

export type PageReading = z.output<typeof answerSchema>

const TOO_SLOW: PageReading = {
  extracted: null,
  wallMs: PAGE_LIMIT_MS,
  cpuMs: PAGE_LIMIT_MS,
  residentBytes: 0,
}

interface RunningTool {
  child: ChildProcess
  /** Rejects when the process is gone. */
  ended: Promise<never>
}

/**
 * A process for the tool of that name, started with the first page. `read` answers with what was found and what it took;
 * a page over `PAGE_LIMIT_MS` counts as failed after that time, and the next page finds a new process. Throws when the
 * process ends by itself.
 */
export function createToolProcess(name: string) {
  let running: RunningTool | null = null

  function end(): void {
    running?.child.kill('SIGKILL')
    running = null
  }

  return {
    async read(html: string, url: string): Promise<PageReading> {
      running ??= startTool(name)
      const { child, ended } = running
      const { promise: late, cancel } = timeLimit()
      child.send({ html, url })
      try {
        const answer = await Promise.race([once(child, 'message'), ended, late])
        if (answer !== null) return answerSchema.parse(answer[0])
        end()
        return TOO_SLOW
      } finally {
        cancel()
      }
    },
    end,
  }
}

function startTool(name: string): RunningTool {
  const child = fork(join(import.meta.dirname, '../bench/extraction-child.ts'), [name], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended before it answered`)))
  // Told to whoever waits for an answer; when no one does, the process was ended on purpose.
  ended.catch(() => {})
  return { child, ended }
}

function timeLimit(): { promise: Promise<null>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PAGE_LIMIT_MS)
  })
  return { promise, cancel: () => clearTimeout(timer) }
}
