// POST /v1/search: from a body to an answer, whole or streamed. It translates between HTTP and the pipeline and
// decides nothing about searching.
import type { Context, Middleware } from 'koa'
import { parseSearchRequest, type SearchRequest } from '../../contract.ts'
import { badRequest, invalidFields } from '../../errors.ts'
import type { SearchFacts } from '../../search/search-context.ts'
import type { Search } from '../../search/search.ts'
import type { CallerState } from '../request/authenticate.ts'
import { goneSignal } from '../request/client-gone.ts'
import { parseJsonObject } from '../request/json-body.ts'
import { createResultStream, streamFormatOf } from './result-stream.ts'

export interface CountedRequest {
  status: number
  latencyMs: number
  snippets: number
}

export interface SearchRouteOptions {
  search: Search
  /** Counts a finished request of a key; never throws, never waits. */
  countRequest(keyId: string, request: CountedRequest): void
}

/** Counts every request that passed the door, refused ones included, when its answer is known. */
export function countRequests({
  countRequest,
}: Pick<SearchRouteOptions, 'countRequest'>): Middleware<CallerState> {
  return async function countRequestsMiddleware(context, next) {
    const count = (status: number): void =>
      countRequest(context.state.caller.id, {
        status,
        latencyMs: Date.now() - context.state.arrivedAtMs,
        snippets: context.state.snippets ?? 0,
      })
    try {
      await next()
      count(context.status)
    } catch (error) {
      count(error instanceof Error && 'status' in error ? Number(error.status) : 500)
      throw error
    }
  }
}

export function searchRoute({ search }: Pick<SearchRouteOptions, 'search'>): Middleware<CallerState> {
  return async function searchRouteMiddleware(context) {
    const request = requestOf(context)
    const signal = goneSignal(context)
    const searchContext = {
      arrivedAtMs: context.state.arrivedAtMs,
      callerId: context.state.caller.id,
      fresh: /\bno-cache\b/iu.test(context.get('Cache-Control')),
    }
    context.set('Cache-Control', 'no-store')
    const format = streamFormatOf(context)
    if (format !== null) {
      const stream = createResultStream(format, context.state.requestId)
      context.type = format
      context.body = stream.readable
      void stream.run((onResult) => search(request, { ...searchContext, onResult }, signal))
      return
    }
    const { response, facts } = await search(request, searchContext, signal)
    context.set(factHeaders(facts))
    context.state.snippets = facts.snippets
    context.body = response
  }
}

function requestOf(context: Context): SearchRequest {
  const parsed = parseSearchRequest(parseJsonObject(context))
  if (parsed.ok) return parsed.request
  const first = parsed.issues[0]?.message ?? 'The request is invalid.'
  throw parsed.refused === 'query' ? badRequest(first, parsed.issues) : invalidFields(parsed.issues)
}

/** W3C Server-Timing for the stages, and which model scored when it is not the one the depth asks for. */
function factHeaders(facts: SearchFacts): Record<string, string> {
  const timings = Object.entries(facts.stages).map(([stage, elapsedMs]) => `${stage};dur=${elapsedMs}`)
  return {
    'Server-Timing': timings.join(', '),
    'Verbatim-Model': facts.model,
    'Verbatim-Tier': facts.requestedTier,
  }
}
