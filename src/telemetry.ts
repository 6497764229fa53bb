// Log and stage timing. The log is JSON lines on stderr; secrets are scrubbed from every string that
// reaches it, because a redaction list of paths misses error texts and nested objects.
import { pino, type DestinationStream, type Logger } from 'pino'

export type { Logger } from 'pino'

/** Every secret we mint carries one of our prefixes, so one expression finds them all in any text. */
const SECRETS = /\b(vb[a-z]{1,2}_)[A-Za-z0-9_-]{8,}/gu
const BEARER = /\b(bearer\s+)[^\s"',;]+/giu
const URL_PASSWORD = /(\/\/[^\s/:@]*:)[^\s/@]+@/gu
const SENSITIVE_PARAMETER = /([?&](?:api_?key|key|token|secret|password)=)[^&\s"]+/giu

/** `text` without API keys, bearer tokens, and passwords or keys in URLs. */
export function scrubSecrets(text: string): string {
  return text
    .replace(SECRETS, '$1[redacted]')
    .replace(BEARER, '$1[redacted]')
    .replace(URL_PASSWORD, '$1[redacted]@')
    .replace(SENSITIVE_PARAMETER, '$1[redacted]')
}

/** A logger whose every line is scrubbed as a whole, just before it is written. `level` as pino's, "silent" included. */
export function createLogger(
  level: string,
  destination: { write(line: string): unknown } = process.stderr,
): Logger {
  const scrubbed: DestinationStream = { write: (line) => void destination.write(scrubSecrets(line)) }
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, scrubbed)
}

/** Milliseconds spent in each named stage of one request, in order of first use. */
export interface StageTimer {
  /** Runs `work` and adds its duration to `stage`, whether it succeeds or throws. */
  time<T>(stage: string, work: () => Promise<T>): Promise<T>
  readonly stages: Readonly<Record<string, number>>
}

export function createStageTimer(now: () => number = () => performance.now()): StageTimer {
  const stages: Record<string, number> = {}
  return {
    stages,
    async time(stage, work) {
      const startedAt = now()
      try {
        return await work()
      } finally {
        stages[stage] = Math.round(((stages[stage] ?? 0) + now() - startedAt) * 10) / 10
      }
    },
  }
}
