// What a thread has worked, other programs or not: how fast a machine is must not be read off a clock that runs on while the
// thread waits its turn.
import { readFileSync } from 'node:fs'

/** Long enough to leave the processor, which is when Linux books what a thread has used of it. */
const PAUSE_MS = 0.05
const pause = new Int32Array(new SharedArrayBuffer(4))

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Milliseconds that this thread has spent on a processor; null where the system does not tell, as only Linux does. */
export function threadProcessorMs(): number | null {
  Atomics.wait(pause, 0, 0, PAUSE_MS)
  const [nanoseconds] = readIfThere('/proc/thread-self/schedstat')?.split(' ') ?? []
  return nanoseconds === undefined ? null : Number(nanoseconds) / 1e6
}

/**
 * Processors' worth of time that a container may use, which is none of what its threads see; infinite where there is no limit.
 * `limit` is the content of `cpu.max` (Linux, "Control Group v2"): a quota and a period in microseconds.
 */
export function processorQuota(limit = readIfThere('/sys/fs/cgroup/cpu.max')): number {
  const [quota, period] = (limit ?? 'max').trim().split(' ').map(Number)
  return quota !== undefined && period !== undefined && quota > 0 && period > 0
    ? quota / period
    : Number.POSITIVE_INFINITY
}
