// How long each named stage of one request took.
import { untraced, type Trace } from './trace.ts'

/** Milliseconds spent in each named stage of one request, in order of first use. */
export interface StageTimer {
  /** Runs `work` and adds its duration to `stage`, whether it succeeds or throws. */
  time<T>(stage: string, work: () => Promise<T>): Promise<T>
  readonly stages: Readonly<Record<string, number>>
}

/** Every stage is a span of `trace`, too. */
export function createStageTimer(trace: Trace = untraced): StageTimer {
  const stages: Record<string, number> = {}
  return {
    stages,
    async time(stage, work) {
      const startedAt = performance.now()
      try {
        return await trace(stage, {}, work)
      } finally {
        stages[stage] = Math.round(((stages[stage] ?? 0) + performance.now() - startedAt) * 10) / 10
      }
    },
  }
}
