// Whether this replica can answer searches: each part that every request needs says so for itself, under its own code.
import { withDeadline } from '../concurrency/deadline.ts'

/** True when the part works. One that throws or takes too long does not. */
export type ReadinessCheck = (signal: AbortSignal) => boolean | Promise<boolean>

export type Readiness = ReturnType<typeof createReadiness>

/** Balancers ask every few seconds, strangers as often as they like: parts are asked this often at most. */
const KEPT_MS = 1_000
const CHECK_LIMIT_MS = 1_000

export function createReadiness() {
  const checks = new Map<string, ReadinessCheck>()
  let kept: { reasons: Promise<string[]>; askedAt: number } | null = null
  let isClosing = false

  const askAll = async (): Promise<string[]> => {
    const reasons = await Promise.all(
      [...checks].map(async ([code, check]) => ((await works(code, check)) ? [] : [code])),
    )
    return reasons.flat()
  }

  return {
    /** Registers what must work. `reason` is public: a word such as "store", told when it does not. */
    add(reason: string, check: ReadinessCheck): void {
      checks.set(reason, check)
    },
    /** From now on nothing may be sent here. */
    startClosing(): void {
      isClosing = true
    },
    /** Codes of what does not work, a second old at most; none when this replica is ready. Never rejects. */
    async findReasons(): Promise<string[]> {
      if (isClosing) return ['closing']
      if (kept === null || performance.now() - kept.askedAt >= KEPT_MS)
        kept = { reasons: askAll(), askedAt: performance.now() }
      return kept.reasons
    },
  }
}

async function works(code: string, check: ReadinessCheck): Promise<boolean> {
  try {
    return await withDeadline({ what: `the readiness of ${code}`, limitMs: CHECK_LIMIT_MS }, async (signal) =>
      check(signal),
    )
  } catch {
    // What is wrong is for whoever uses the part to log; here it only counts that it is.
    return false
  }
}
