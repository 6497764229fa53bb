// The log: JSON lines on stderr, or lines for people when that is a terminal; secrets are scrubbed from every string
// that reaches it, because a redaction list of paths misses error texts and nested objects.
import { AsyncLocalStorage } from 'node:async_hooks'
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'
import { prettyFactory } from 'pino-pretty'

export type { Logger } from 'pino'

/** Every secret we mint carries one of our prefixes, so one expression finds them all in any text. */
const SECRETS = /(vb[a-z]{1,2}(?:_|%5[Ff]))[A-Za-z0-9_%-]{8,}/gu
/** Their halves without the prefix: a key's 36 characters, a token's 43. No id, digest or trace id is as long. */
const BARE_SECRETS = /(?<![0-9A-Za-z])(?:[0-9A-Za-z]{36}|[0-9A-Za-z]{43})(?![0-9A-Za-z])/gu
const BEARER = /\b(bearer\s+)[^\s"',;]+/giu
const URL_PASSWORD = /(\/\/[^\s/:@]*:)[^\s/@]+@/gu
const SENSITIVE_PARAMETER = /([?&](?:api_?key|key|token|secret|password)=)[^&\s"]+/giu

/** `text` without API keys, bearer tokens, and passwords or keys in URLs. */
export function scrubSecrets(text: string): string {
  return text
    .replace(SECRETS, '$1[redacted]')
    .replace(BARE_SECRETS, '[redacted]')
    .replace(BEARER, '$1[redacted]')
    .replace(URL_PASSWORD, '$1[redacted]@')
    .replace(SENSITIVE_PARAMETER, '$1[redacted]')
}

/** An error as pino's own serializer tells it: an object with the type, message and stack of one. */
const isTold = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'type' in value && 'stack' in value

/** Where PostgreSQL tells of the row or the statement that failed: a page, an address, a query. */
const OF_ROWS: ReadonlySet<string> = new Set(['detail', 'where', 'internalQuery'])

/**
 * What is told of an error, those within it included: its words and plain facts. Libraries hang whole objects on errors,
 * with what nobody may read: the command that Redis refused holds a password or a page.
 */
function plainFacts(told: object): object {
  const facts = Object.entries(told).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [[name, value.filter(isTold).map(plainFacts)]]
    if (isTold(value)) return [[name, plainFacts(value)]]
    if (OF_ROWS.has(name)) return []
    return typeof value === 'object' && value !== null ? [] : [[name, value]]
  })
  return Object.fromEntries(facts)
}

function tellError(error: unknown): unknown {
  return error instanceof Error ? plainFacts(stdSerializers.err(error)) : error
}

/** One line an event: time of day, level, sentence, and the fields in grey behind it. */
const FOR_PEOPLE = { colorize: true, singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }

/** A logger whose every line is scrubbed as a whole, just before it is written. `level` as pino's, "silent" included. */
export function createLogger(
  level: string,
  destination: { write(line: string): unknown; isTTY?: boolean } = process.stderr,
): Logger {
  const format = destination.isTTY === true ? prettyFactory(FOR_PEOPLE) : null
  const scrubbed: DestinationStream = {
    write: (line) => {
      const safe = scrubSecrets(line)
      destination.write(format === null ? safe : format(safe))
    },
  }
  return pino(
    {
      level,
      base: null,
      serializers: { err: tellError },
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
