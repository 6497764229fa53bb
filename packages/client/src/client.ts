// The client: six calls over one way of asking, with retries before the first byte of an answer and none after it.
import type {
  AnswerCheckRequest,
  AnswerCheckResponse,
  ReadRequest,
  ReadResponse,
  RerankRequest,
  RerankResponse,
  SearchRequest,
  SearchResponse,
  VerifyRequest,
  VerifyResponse,
} from './api.ts'
import { jsonLines } from './json-lines.ts'
import { retryDelayMs, wait } from './retry.ts'
import { errorOf, isProblem, jsonOf, unexpectedAnswer, VerbatimError } from './verbatim-error.ts'

const RETRIES_DEFAULT = 2

export interface VerbatimClientOptions {
  /** Where the service answers, such as `http://127.0.0.1:3000`; a path in front of the API is kept. */
  baseUrl: string
  /** An API key of the service, `vbt_…`. */
  apiKey: string
  /** How often a call is made again after 429, 5xx or a failed connection; 2 unless given, 0 for never. */
  retries?: number
  /** Instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

export interface CallOptions {
  /** Ends the call, its retries and its waiting; the service stops working on it as well. */
  signal?: AbortSignal
  /** Reads every page anew instead of taking it from the service's cache. */
  fresh?: boolean
}

/** A result as soon as its page is done, with a preliminary rank; then the whole answer, whose ranks are final. */
export type SearchEvent =
  | { event: 'result'; result: SearchResponse['results'][number] }
  | { event: 'summary'; summary: SearchResponse & { engine?: string } }

export type VerbatimClient = ReturnType<typeof createVerbatimClient>

/** A client for one service. It holds no connection and needs no closing. Throws `TypeError` when `baseUrl` is no URL. */
export function createVerbatimClient(options: VerbatimClientOptions) {
  const post = createPost(options)

  /** Asks and waits for the whole answer, whose list at `member` tells it from that of something else at the address. */
  async function answerTo<Answer>(
    path: string,
    request: object,
    call: CallOptions,
    member: string & keyof Answer,
  ): Promise<Answer> {
    const response = await post(path, request, 'application/json', call)
    const answer = await jsonOf(response)
    if (!hasList<Answer>(answer, member)) throw unexpectedAnswer(response)
    return answer
  }

  return {
    /**
     * Searches and waits for the whole answer.
     * @throws {VerbatimError} when the service refuses or fails; the signal's reason; fetch's error when nothing answers.
     */
    search(request: SearchRequest, call: CallOptions = {}): Promise<SearchResponse> {
      return answerTo<SearchResponse>('v1/search', request, call, 'results')
    },

    /**
     * Searches and gives each result as soon as its page is done; the last event is the summary. Leaving the loop early
     * ends the work on the service. Throws as `search` does, also between events.
     */
    async *stream(request: SearchRequest, call: CallOptions = {}): AsyncGenerator<SearchEvent, void, void> {
      const response = await post('v1/search', request, 'application/x-ndjson', call)
      for await (const line of jsonLines(response)) {
        const problem = problemIn(line)
        if (problem !== null) throw new VerbatimError(problem)
        // Events of a later version of the service are passed over.
        if (!isSearchEvent(line)) continue
        yield line
        if (line.event === 'summary') return
      }
      throw unexpectedAnswer(response, 'The stream ended before its summary.')
    },

    /** Reads pages as clean text; a page's failure is part of its result. Throws as `search` does. */
    read(request: ReadRequest, call: CallOptions = {}): Promise<ReadResponse> {
      return answerTo<ReadResponse>('v1/read', request, call, 'results')
    },

    /** Orders texts by how likely each answers the query. Throws as `search` does. */
    rerank(request: RerankRequest, call: CallOptions = {}): Promise<RerankResponse> {
      return answerTo<RerankResponse>('v1/rerank', request, call, 'results')
    },

    /** Says of each quote whether and where it stands on a page. Throws as `search` does. */
    verify(request: VerifyRequest, call: CallOptions = {}): Promise<VerifyResponse> {
      return answerTo<VerifyResponse>('v1/verify', request, call, 'quotes')
    },

    /** Says what of an answer its sources bear out. Throws as `search` does. */
    verifyAnswer(request: AnswerCheckRequest, call: CallOptions = {}): Promise<AnswerCheckResponse> {
      return answerTo<AnswerCheckResponse>('v1/verify', request, call, 'claims')
    },
  }
}

/** POSTs a JSON body until there is a 2xx answer, an error that stays one, or no attempt left. */
function createPost({
  baseUrl,
  apiKey,
  retries = RETRIES_DEFAULT,
  fetch = globalThis.fetch,
}: VerbatimClientOptions) {
  const base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
  return async function post(
    path: string,
    body: object,
    accept: string,
    call: CallOptions,
  ): Promise<Response> {
    const headers = new Headers({
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      Accept: accept,
    })
    if (call.fresh === true) headers.set('Cache-Control', 'no-cache')
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal: call.signal ?? null }
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOnce(() => fetch(new URL(path, base), init))
      if ('response' in outcome) return outcome.response
      call.signal?.throwIfAborted()
      const mayRepeat = outcome.retryable && attempt <= retries
      const delayMs = mayRepeat ? retryDelayMs(attempt, outcome.retryAfterMs, Math.random()) : null
      if (delayMs === null) throw outcome.error
      await wait(delayMs, call.signal)
    }
  }
}

type Outcome = { response: Response } | { error: unknown; retryable: boolean; retryAfterMs: number | null }

async function attemptOnce(ask: () => Promise<Response>): Promise<Outcome> {
  try {
    const response = await ask()
    if (response.ok) return { response }
    const error = await errorOf(response)
    return { error, retryable: error.retryable, retryAfterMs: error.retryAfterMs }
  } catch (error) {
    // A search changes nothing on the service, so a request that may have arrived can safely be sent again.
    return { error, retryable: true, retryAfterMs: null }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The rest of an answer is the service's contract. */
const hasList = <Answer>(value: unknown, member: string & keyof Answer): value is Answer =>
  isObject(value) && Array.isArray(value[member])

const isSearchEvent = (line: unknown): line is SearchEvent =>
  isObject(line) &&
  ((line['event'] === 'result' && isObject(line['result'])) ||
    (line['event'] === 'summary' && hasList<SearchResponse>(line['summary'], 'results')))

const problemIn = (line: unknown) =>
  isObject(line) && line['event'] === 'error' && isProblem(line['error']) ? line['error'] : null
