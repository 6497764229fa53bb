// The one way in which a search engine is asked: plain HTTP with every limit set and each failure named. Not through
// pages/egress: the operator chose these addresses (SearXNG lives on a private one). Addresses with their parameters
// never enter a message, because keys may be in them.
import { Agent, errors, request, type Dispatcher } from 'undici'
import { errorCode, TLS_FAILURES } from '../errors.ts'
import { type EngineAnswer, parseJson, throwForStatus } from './engine-answer.ts'
import { ProviderError } from './provider.ts'

export interface EngineClientOptions {
  /** Names us and whom to contact, as Wikimedia's policy demands. */
  userAgent: string
  /** An engine that cannot be connected within this time counts as unreachable. */
  connectTimeoutMs?: number
  /** From the request to the last byte of the answer. */
  timeoutMs?: number
  answerBytesMax?: number
  redirectsMax?: number
}

export interface EngineRequest {
  provider: string
  url: URL
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** What is set for an engine that is asked with a key. */
export interface KeyedEngineSettings {
  apiKey: string
  /** Instead of the engine's own address. */
  baseUrl?: string
}

export type EngineClient = ReturnType<typeof openEngineClient>

/** A longer address is asked for by POST where the engine takes one: servers begin to refuse at 4 096 bytes. */
const ADDRESS_BYTES_WELL = 2_000
/** What is sent at most: beyond, no server can be expected to listen. */
const ADDRESS_BYTES_MAX = 8_000
const BODY_BYTES_MAX = 64 * 1024

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Defaults: connect 1.5 s, whole answer 5 s, 2 MiB, 3 redirects, all of them on the host that was asked. */
export function openEngineClient(options: EngineClientOptions) {
  const limits = {
    connectTimeoutMs: 1_500,
    timeoutMs: 5_000,
    answerBytesMax: 2 * 1024 ** 2,
    redirectsMax: 3,
    ...options,
  }
  const agent = new Agent({
    connect: { timeout: limits.connectTimeoutMs },
    headersTimeout: limits.timeoutMs,
    bodyTimeout: limits.timeoutMs,
    maxResponseSize: limits.answerBytesMax,
  })

  /**
   * The engine's answer whatever its status.
   * @throws {ProviderError} when there is none; the signal's reason when the caller gave up.
   */
  async function ask(asked: EngineRequest, signal: AbortSignal): Promise<EngineAnswer> {
    signal.throwIfAborted()
    throwForSize(asked)
    const deadline = AbortSignal.timeout(limits.timeoutMs)
    try {
      return await follow({ ...limits, agent }, asked, AbortSignal.any([signal, deadline]))
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (error instanceof ProviderError) throw error
      throw nameFailure(asked.provider, error, deadline.aborted, limits.answerBytesMax)
    }
  }

  /** The JSON of a 200 answer. @throws {ProviderError} for every other status, for HTML, and for JSON that is cut off. */
  async function askJson(asked: EngineRequest, signal: AbortSignal): Promise<unknown> {
    const headers = { accept: 'application/json', ...asked.headers }
    const answer = await ask({ ...asked, headers }, signal)
    throwForStatus(asked.provider, answer)
    return parseJson(asked.provider, answer.text)
  }

  return {
    ask,
    askJson,
    /** GETs with `parameters` in the address, or POSTs them as a form where that would grow too long. Answers as `ask`. */
    askForm: (
      asked: Omit<EngineRequest, 'method' | 'body'>,
      parameters: URLSearchParams,
      signal: AbortSignal,
    ) => ask(spellForm(asked, parameters), signal),
    /** POSTs `body` as JSON. Answers and throws as `askJson`. */
    postJson: (asked: Omit<EngineRequest, 'method' | 'body'>, body: object, signal: AbortSignal) =>
      askJson(spellJson(asked, body), signal),
    close: (): Promise<void> => agent.destroy(),
  }
}

interface Way {
  agent: Agent
  userAgent: string
  redirectsMax: number
}

async function exchange(
  { agent, userAgent }: Way,
  asked: EngineRequest,
  url: URL,
  signal: AbortSignal,
): Promise<EngineAnswer> {
  const response: Dispatcher.ResponseData = await request(url, {
    dispatcher: agent,
    method: asked.method ?? 'GET',
    // Uncompressed: the byte limit then holds for what we read, and no answer can unfold in memory.
    headers: { 'user-agent': userAgent, 'accept-encoding': 'identity', ...asked.headers },
    body: asked.body ?? null,
    signal,
  }).catch((error: unknown) => throwUnanswered(asked.provider, error))
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
}

/** One that restarts hangs up; that is no odd answer, and no reason to look for a newer version of us. */
function throwUnanswered(provider: string, error: unknown): never {
  if (errorCode(error) !== 'UND_ERR_SOCKET') throw error
  const words = 'it closed the connection before it answered'
  throw new ProviderError(provider, 'unreachable', words, { cause: error })
}

async function follow(way: Way, asked: EngineRequest, signal: AbortSignal): Promise<EngineAnswer> {
  let url = asked.url
  for (let redirects = 0; redirects <= way.redirectsMax; redirects += 1) {
    const answer = await exchange(way, asked, url, signal)
    if (!REDIRECTS.has(answer.status)) return answer
    url = nextAddress(asked, url, answer)
  }
  throw new ProviderError(asked.provider, 'misconfigured', `more than ${way.redirectsMax} redirects`)
}

function throwForSize({ provider, url, body = '' }: EngineRequest): void {
  if (url.href.length > ADDRESS_BYTES_MAX || Buffer.byteLength(body) > BODY_BYTES_MAX)
    throw new ProviderError(provider, 'refused', 'the question is too long to be sent')
}

const spellJson = (asked: EngineRequest, body: object): EngineRequest => ({
  ...asked,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...asked.headers },
  body: JSON.stringify(body),
})

function spellForm(asked: EngineRequest, parameters: URLSearchParams): EngineRequest {
  const url = new URL(asked.url)
  url.search = parameters.toString()
  if (url.href.length <= ADDRESS_BYTES_WELL) return { ...asked, url }
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...asked.headers }
  return { ...asked, method: 'POST', headers, body: parameters.toString() }
}

/** A redirect may only change the path, or http to https: a key sent along must never reach another host. */
function nextAddress(asked: EngineRequest, from: URL, answer: EngineAnswer): URL {
  const location = answer.headers['location']
  const target = typeof location === 'string' && URL.canParse(location, from) ? new URL(location, from) : null
  const safe =
    target !== null &&
    target.hostname === from.hostname &&
    (target.protocol === from.protocol ? target.port === from.port : target.protocol === 'https:')
  if (!safe || (asked.method === 'POST' && answer.status < 307)) {
    throw new ProviderError(
      asked.provider,
      'misconfigured',
      `status ${answer.status} leads elsewhere; set the final address`,
    )
  }
  return target
}

function nameFailure(provider: string, error: unknown, timedOut: boolean, bytesMax: number): ProviderError {
  if (
    timedOut ||
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError
  ) {
    return new ProviderError(provider, 'timeout', 'no complete answer in time', { cause: error })
  }
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return new ProviderError(provider, 'bad_answer', `the answer is longer than ${bytesMax} bytes`, {
      cause: error,
    })
  }
  const code = errorCode(error)
  const cutOff =
    code === 'UND_ERR_SOCKET' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || code === 'UND_ERR_ABORTED'
  if (cutOff) return new ProviderError(provider, 'bad_answer', 'the answer was cut off', { cause: error })
  if (error instanceof errors.HTTPParserError)
    return new ProviderError(provider, 'bad_answer', 'what answers there speaks no HTTP', { cause: error })
  const reason = code === '' ? 'unknown reason' : code
  const words = TLS_FAILURES.test(code) ? `no TLS (${reason}): ${TLS_ADVICE}` : `no connection (${reason})`
  return new ProviderError(provider, 'unreachable', words, { cause: error })
}

const TLS_ADVICE =
  'check https:// in its address and its certificate; the file of an issuer of your own belongs into NODE_EXTRA_CA_CERTS'
