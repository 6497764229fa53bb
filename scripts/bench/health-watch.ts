// What /health takes while something else goes on. In a process of its own, as a balancer is: in the load generator's
// the answer would wait for the generator.
import { z } from 'zod'
import { startBenchChild } from './child-process.ts'

const answersSchema = z.object({ elapsedMs: z.array(z.number()) })
export type HealthAnswers = z.output<typeof answersSchema>

/** Asks `url`/health every 50 ms; `stop` ends it and gives the milliseconds of each answer. */
export function watchHealth(url: string) {
  const child = startBenchChild('health-watch-child.ts', url)
  return {
    async stop(): Promise<readonly number[]> {
      child.tell('stop')
      const { elapsedMs } = answersSchema.parse(await child.answer())
      await child.close()
      return elapsedMs
    },
  }
}
