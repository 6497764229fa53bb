// Log, stage timing, and the face of tracing. The log is JSON lines on stderr; secrets are scrubbed from every string
// that reaches it, because a redaction list of paths misses error texts and nested objects.
import { AsyncLocalStorage } from 'node:async_hooks'
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
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => ({ ...requestFacts.getStore() }),
    },
    scrubbed,
  )
}

/** What every line that is written on behalf of one request carries. */
interface RequestFacts {
  requestId: string
  /** Only when requests are traced. */
  traceId?: string
}

/** It holds nothing itself: the facts live in the asynchronous flow of each request. */
const requestFacts = new AsyncLocalStorage<RequestFacts>()

/** Runs `work`; every line that any logger writes because of it, however deep, carries `facts`. */
export function withRequestFacts<T>(facts: RequestFacts, work: () => T): T {
  return requestFacts.run(facts, work)
}

/** What a span may tell: numbers, words from lists of ours, a page's host. Never an address, a query or a text. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

export interface TraceSpan {
  add(facts: SpanFacts): void
  /** Marks the span as failed, with a word from a list of ours. */
  fail(reason: string): void
}

/**
 * Runs `work` inside a span of that name, below the span that is under way. The span ends when `work` does; an error
 * marks it failed with the error's class, never with its message, and is thrown on.
 */
export type Trace = <T>(name: string, facts: SpanFacts, work: (span: TraceSpan) => Promise<T>) => Promise<T>

/** Where nobody looks at traces. */
export const untraced: Trace = (_name, _facts, work) => work({ add: () => undefined, fail: () => undefined })

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
