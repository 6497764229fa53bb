// Speaks HTTP with the model hub: proxies, redirects, waiting times, the quick probe.
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, EnvHttpProxyAgent, request, type Dispatcher } from 'undici'
import { errorCode, OperatorError, TLS_FAILURES } from '../../errors.ts'

export interface HubOptions {
  /** Base address, `https://huggingface.co` or a mirror (`HF_ENDPOINT`). */
  endpoint: string
  /** True refuses every request at once (`HF_HUB_OFFLINE`). */
  offline: boolean
  httpProxy?: string | undefined
  httpsProxy?: string | undefined
  /** Comma list of hosts that are reached without the proxy. */
  noProxy?: string | undefined
  /** Waiting time before the second attempt; doubles with each further one. Tests shorten it. */
  firstBackoffMs?: number
}

/** The hub cannot be reached, is switched off (offline) or stays overloaded: trying again later may help. */
export class HubUnavailableError extends Error {
  override readonly name = 'HubUnavailableError'
}

/** The hub answered that the file is not there or not for us: trying again does not help. */
export class HubRefusedError extends Error {
  override readonly name = 'HubRefusedError'
}

/** A status that a later attempt may not meet. */
class PassingStatusError extends Error {
  override readonly name = 'PassingStatusError'
  readonly retryAfterMs: number | null

  constructor(message: string, waitMs: number | null) {
    super(message)
    this.retryAfterMs = waitMs
  }
}

const CONNECT_TIMEOUT_MS = 10_000
/** Longest silence of the hub, before its headers and between two pieces of a body. */
const SILENCE_TIMEOUT_MS = 30_000
const MAX_REDIRECTS = 5
/** Attempts in a row that bring nothing before the hub counts as unavailable. */
const MAX_ATTEMPTS = 6
const FIRST_BACKOFF_MS = 500
/** Longest wait between attempts, also when `Retry-After` asks for more. */
const MAX_WAIT_MS = 60_000
const PROBE_TIMEOUT_MS = 3_000

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504])

export type HubResponse = Dispatcher.ResponseData
export type Hub = ReturnType<typeof openHub>

function createDispatcher(options: HubOptions): Dispatcher {
  const timeouts = {
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: SILENCE_TIMEOUT_MS,
    bodyTimeout: SILENCE_TIMEOUT_MS,
  }
  const { httpProxy, httpsProxy, noProxy } = options
  if (httpProxy === undefined && httpsProxy === undefined) return new Agent(timeouts)
  return new EnvHttpProxyAgent({
    ...timeouts,
    httpProxy: proxyAddress('HTTP_PROXY', httpProxy),
    httpsProxy: proxyAddress('HTTPS_PROXY', httpsProxy),
    noProxy: noProxy ?? '',
  })
}

/** Empty, not undefined, where nothing is set: undici would look into the environment itself. */
function proxyAddress(name: string, address: string | undefined): string {
  if (address === undefined || URL.canParse(address)) return address ?? ''
  throw new OperatorError(`${name} must be an address such as http://proxy:3128.`)
}

/** RFC 9110 section 10.2.3: seconds or an HTTP date. Null when absent or unreadable. */
function retryAfterMs(response: HubResponse): number | null {
  const header = response.headers['retry-after']
  if (typeof header !== 'string') return null
  if (/^\d+$/u.test(header)) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}

/** The header's first value. */
export function headerOf(response: HubResponse, name: string): string | undefined {
  const value = response.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function nextLocation(response: HubResponse, from: URL): URL {
  const location = headerOf(response, 'location')
  if (location === undefined) throw new HubRefusedError(`${from.host} redirected to nowhere.`)
  const target = new URL(location, from)
  const isWeb = target.protocol === 'https:' || target.protocol === 'http:'
  if (!isWeb || (from.protocol === 'https:' && target.protocol === 'http:')) {
    throw new HubRefusedError(
      `${from.host} redirected to an address that is not secure (${target.protocol}).`,
    )
  }
  return target
}

/** One GET, redirects followed. The commit is the hub's own: the storage behind it does not know it. */
async function follow(
  dispatcher: Dispatcher,
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
) {
  let target = url
  let commit: string | undefined
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await request(target, { dispatcher, headers, signal })
    commit ??= headerOf(response, 'x-repo-commit')
    if (!REDIRECTS.has(response.statusCode)) return { response, commit }
    await response.body.dump()
    target = nextLocation(response, target)
  }
  throw new HubRefusedError(`${url.host} redirected more than ${MAX_REDIRECTS} times.`)
}

/** The answer if it carries a file. @throws {PassingStatusError} or {HubRefusedError} for any other status. */
async function accepted(response: HubResponse, url: URL): Promise<HubResponse> {
  const { statusCode } = response
  if (statusCode === 200 || statusCode === 206 || statusCode === 416) return response
  await response.body.dump()
  if (PASSING.has(statusCode))
    throw new PassingStatusError(`${url.host} answered ${statusCode}.`, retryAfterMs(response))
  throw new HubRefusedError(`${url.host} answered ${statusCode} for ${url.pathname}.`)
}

/**
 * Opens connections to the hub. Every method rejects with the signal's reason when it is aborted.
 */
export function openHub(options: HubOptions) {
  const dispatcher = createDispatcher(options)
  const firstBackoffMs = options.firstBackoffMs ?? FIRST_BACKOFF_MS

  async function wait(attempt: number, failure: unknown, signal: AbortSignal): Promise<void> {
    const asked = failure instanceof PassingStatusError ? failure.retryAfterMs : null
    const backoff = firstBackoffMs * 2 ** attempt * (0.75 + Math.random() / 2)
    await sleep(Math.min(MAX_WAIT_MS, asked ?? backoff), undefined, { signal })
  }

  return {
    /**
     * Gets `path` below the endpoint and hands the answer (200, 206 or 416) to `use` until `use` returns. An attempt
     * that fails in passing (connection, 429, 5xx, a body cut off while `use` reads it) is repeated after a wait that
     * doubles or that `Retry-After` names; `headersNow` is asked anew each time, so that a broken download resumes. An
     * attempt that `use` calls `progressed` in starts the count afresh.
     *
     * @throws {HubUnavailableError} after six fruitless attempts in a row, or at once when offline.
     * @throws {HubRefusedError} for any other status. Whatever else `use` throws passes through.
     */
    async get<T>(
      path: string,
      headersNow: () => Promise<Record<string, string>>,
      use: (response: HubResponse, commit: string | undefined, progressed: () => void) => Promise<T>,
      signal: AbortSignal,
    ): Promise<T> {
      if (options.offline) throw new HubUnavailableError('Offline mode is on: nothing is downloaded.')
      const url = new URL(`${options.endpoint.replace(/(?<!\/)\/+$/u, '')}/${path}`)
      for (let attempt = 0; ; attempt++) {
        try {
          const { response, commit } = await follow(dispatcher, url, await headersNow(), signal)
          return await use(await accepted(response, url), commit, () => {
            attempt = 0
          })
        } catch (error) {
          signal.throwIfAborted()
          const isUntrusted = TLS_FAILURES.test(errorCode(error))
          if (!isPassing(error) && !isUntrusted) throw error
          if (attempt + 1 >= MAX_ATTEMPTS || isUntrusted)
            throw new HubUnavailableError(unavailableWords(url, error, options), { cause: error })
          await wait(attempt, error, signal)
        }
      }
    },

    /** Whether the hub answers at all, within 3 seconds. Never throws, save when `signal` is aborted. */
    async isReachable(signal: AbortSignal): Promise<boolean> {
      if (options.offline) return false
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)])
        const response = await request(options.endpoint, { dispatcher, method: 'HEAD', signal: limit })
        await response.body.dump()
        return response.statusCode < 500
      } catch {
        signal.throwIfAborted()
        return false
      }
    },

    close: (): Promise<void> => dispatcher.close(),
  }
}

/** Codes of failures below HTTP that a second attempt may mend. */
const PASSING_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
])

/** Why, and what to look at. */
function unavailableWords({ host }: URL, error: unknown, { httpProxy, httpsProxy }: HubOptions): string {
  const code = errorCode(error)
  const reason = code === '' && error instanceof Error ? error.message : code
  return [
    `${host} cannot be reached or stays overloaded (${reason}).`,
    TLS_FAILURES.test(code) ? 'An issuer of your own is trusted by NODE_EXTRA_CA_CERTS.' : '',
    (httpProxy ?? httpsProxy) === undefined ? '' : 'It is asked through HTTP_PROXY or HTTPS_PROXY.',
  ]
    .filter(Boolean)
    .join(' ')
}

/** A failure of the connection, as opposed to one of the disk, of the content or of our own. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof PassingStatusError) return true
  if (error instanceof AggregateError) return error.errors.some(isPassing)
  return 'code' in error && typeof error.code === 'string' && PASSING_CODES.has(error.code)
}
