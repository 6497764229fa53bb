// What can be wrong with a PostgreSQL, in one sentence for the operator, whatever it was asked and by whom.
import { errorCode, OperatorError, TLS_FAILURES } from '../errors.ts'

export type PostgresTrouble = 'unreachable' | 'unanswered' | 'refused' | 'read_only' | 'full'

/** `message` names host, port and database, never user or password; `cause` is what the driver threw. */
export class PostgresError extends OperatorError {
  override readonly name = 'PostgresError'
  readonly trouble: PostgresTrouble

  constructor(trouble: PostgresTrouble, message: string, cause?: unknown) {
    super(message, { cause })
    this.trouble = trouble
  }
}

/** Codes of PostgreSQL, of Node and of TLS, and words of the driver where it gives no code; the first that fits counts. */
const TROUBLES: readonly (readonly [codes: RegExp, words: RegExp | null, PostgresTrouble, says: string])[] = [
  [
    /^53300$/u,
    null,
    'unreachable',
    'has no connection free. Raise its max_connections, or run fewer replicas.',
  ],
  [
    // Connection exception; shutting down, crashed, starting; and what Node says of a server out of reach.
    /^(?:08...|57P0[123]|E(?:CONNRESET|CONNREFUSED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/u,
    /connection terminated|timeout exceeded when trying to connect/iu,
    'unreachable',
    'does not answer. Check DATABASE_URL and that the server runs.',
  ],
  // `query_canceled`, by the server at `statement_timeout`; and pg's own words at `query_timeout`.
  [/^57014$/u, /^Query read timeout$/u, 'unanswered', 'took too long to answer.'],
  [
    /^28...$/u,
    /SASL|password must be a string/u,
    'refused',
    'refused the user or the password of DATABASE_URL.',
  ],
  [/^3D000$/u, null, 'refused', 'has no such database. Create it, or correct DATABASE_URL.'],
  [
    /^42501$/u,
    null,
    'refused',
    'does not let the user of DATABASE_URL work in its database. Make that user the owner of it.',
  ],
  [
    TLS_FAILURES,
    /does not support SSL/u,
    'refused',
    'and this service do not agree on TLS. Check sslmode in DATABASE_URL, and name the issuer of its certificate in NODE_EXTRA_CA_CERTS.',
  ],
  [
    /^25006$/u,
    null,
    'read_only',
    'can only be read. DATABASE_URL must name the primary, without default_transaction_read_only.',
  ],
  [/^53[12]00$/u, null, 'full', 'has no disk or memory left. Make room there; no restart is needed.'],
]

/** The error as the operator is told it; one that is no trouble of the server's is returned as it is. */
export function explainPostgres(error: unknown, databaseUrl: string | undefined): unknown {
  if (error instanceof PostgresError) return error
  const [code, words] = [errorCode(error), error instanceof Error ? error.message : '']
  const found = TROUBLES.find(([codes, driver]) => codes.test(code) || driver?.test(words) === true)
  if (found === undefined) return error
  const [, , trouble, says] = found
  return new PostgresError(trouble, `PostgreSQL at ${placeOf(databaseUrl)} ${says}`, error)
}

/** Host, port and database of an address, without user and password. */
export function placeOf(databaseUrl = ''): string {
  if (!URL.canParse(databaseUrl)) return 'the address of DATABASE_URL'
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `${hostname === '' ? 'localhost' : hostname}:${port === '' ? '5432' : port}${pathname}`
}
