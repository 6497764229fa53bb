// What /health takes while something else goes on. In a process of its own, as a balancer is: in the load generator's
// the answer would wait for the generator.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'

const answersSchema = z.object({ elapsedMs: z.array(z.number()) })
export type HealthAnswers = z.output<typeof answersSchema>

/** Asks `url`/health every 50 ms; `stop` ends it and gives the milliseconds of each answer. */
export function watchHealth(url: string) {
  const child = fork(join(import.meta.dirname, 'health-watch-child.ts'), [url], {
    execArgv: ['--import', 'tsx'],
  })
  const ended = once(child, 'exit')
  const failed = ended.then(() => Promise.reject(new Error('/health could not be watched')))
  return {
    async stop(): Promise<readonly number[]> {
      child.send('stop')
      const [answers] = await Promise.race([once(child, 'message'), failed])
      child.disconnect()
      await ended
      return answersSchema.parse(answers).elapsedMs
    },
  }
}
