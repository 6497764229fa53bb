// Results as they become ready: newline-delimited JSON or server-sent events on the search endpoint.
import { PassThrough } from 'node:stream'
import type { Context } from 'koa'
import type { SearchResponse } from '../../contract.ts'
import type { ApiError } from '../../errors.ts'
import { detach } from '../../concurrency/task-group.ts'
import type { SearchOptions } from '../../search/search-context.ts'
import { problemOf } from '../request/error-boundary.ts'

export const NDJSON = 'application/x-ndjson'
export const EVENT_STREAM = 'text/event-stream'
export type StreamFormat = typeof NDJSON | typeof EVENT_STREAM

/** Proxies cut a silent connection after 30–60 s; clients tell a dead one from a slow one by this. */
const HEARTBEAT_MS = 2_000

/** Many clients name the encoding beside the type, and it is the only one there is. */
const CHARSET = '; charset=utf-8'
const OFFERS = ['application/json', NDJSON, EVENT_STREAM].flatMap((type) => [type, type + CHARSET])

/** The stream format the client asks for before plain JSON, or null. */
export function streamFormatOf(context: Context): StreamFormat | null {
  const best = context.accepts(OFFERS)
  return (
    ([NDJSON, EVENT_STREAM] as const).find((format) => best === format || best === format + CHARSET) ?? null
  )
}

/** The whole answer, and the engine that found its pages (several joined by "+"). */
export type StreamSummary = SearchResponse & { engine: string }

/**
 * A stream of `result` events, then one `summary` event with the whole answer (its ranks are the final ones), or one
 * `error` event with the problem document.
 */
export function createResultStream(format: StreamFormat, requestId: string) {
  const readable = new PassThrough()
  const write = (event: string, data: unknown): void => {
    if (readable.writable) readable.write(frame(format, event, data))
  }
  const beat = (): void => {
    if (readable.writable) readable.write(format === NDJSON ? '\n' : ': heartbeat\n\n')
  }
  return {
    readable,
    /**
     * Runs the search and ends the stream, which begins when the search has its place or waits for one. Rejects with what
     * the search rejects with before that; a later failure is its last event, in the words that `describe` finds for it.
     */
    run(
      search: (told: Required<Pick<SearchOptions, 'onPlace' | 'onResult'>>) => Promise<StreamSummary>,
      describe: (thrown: unknown) => ApiError,
    ): Promise<void> {
      return new Promise((resolve, reject) => {
        let heartbeat: NodeJS.Timeout | null = null
        const onPlace = (): void => {
          // The head travels with the first bytes: without them a client would wait for the first page to learn that it
          // is being answered.
          beat()
          heartbeat = setInterval(beat, HEARTBEAT_MS)
          resolve()
        }
        const end = (event: string, data: unknown): void => {
          clearInterval(heartbeat ?? undefined)
          write(event, data)
          readable.end()
          resolve()
        }
        const answer = search({ onPlace, onResult: (result) => write('result', result) })
        detach(
          answer.then((response) => end('summary', response)),
          (thrown) =>
            heartbeat === null ? reject(thrown) : end('error', problemOf(describe(thrown), requestId)),
        )
      })
    },
  }
}

/** NDJSON: the event's name is a member, so that every line can be understood alone. SSE: WHATWG event stream format. */
function frame(format: StreamFormat, event: string, data: unknown): string {
  return format === NDJSON
    ? `${JSON.stringify({ event, [event]: data })}\n`
    : `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
