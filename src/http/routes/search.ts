// POST /v1/search: from a body to an answer, whole or streamed. It translates between HTTP and the pipeline and
// decides nothing about searching.
import type { Context } from 'koa'
import {
  parseSearchRequest,
  searchOptionsSchema,
  searchResponseSchema,
  type SearchRequest,
} from '../../contract.ts'
import { querySchema } from '../../contract/fields.ts'
import { z } from 'zod'
import { badRequest, invalidFields } from '../../errors.ts'
import type { SearchFacts } from '../../search/search-context.ts'
import type { Search } from '../../search/search.ts'
import type { Logger } from '../../telemetry/log.ts'
import { goneSignal } from '../request/client-gone.ts'
import { recordFailure } from '../request/error-boundary.ts'
import { parseJsonObject } from '../request/json-body.ts'
import { searchOptionsOf } from '../request/search-options.ts'
import type { Route } from '../route.ts'
import { EVENT_STREAM, NDJSON, createResultStream, streamFormatOf } from './result-stream.ts'

const EVENTS = 'Events: result, then one summary or error.'

export const searchRoute: Route<{ search: Search; log: Logger }> = {
  method: 'post',
  path: '/v1/search',
  door: 'key',
  scope: 'search',
  operation: {
    id: 'search',
    summary: 'Search the web; get scored verbatim passages.',
    body: { name: 'SearchRequest', schema: z.object({ query: querySchema, ...searchOptionsSchema.shape }) },
    answer: {
      name: 'SearchResponse',
      schema: searchResponseSchema,
      description: 'The answer, whole or streamed as the Accept header asks.',
    },
    streams: { [NDJSON]: EVENTS, [EVENT_STREAM]: EVENTS },
    refusals: [400, 422],
  },
  createHandler: ({ search, log }) =>
    async function answerSearch(context) {
      const { state } = context
      const request = requestOf(context)
      const signal = goneSignal(context)
      const options = searchOptionsOf(context)
      context.set('Cache-Control', 'no-store')
      const format = streamFormatOf(context)
      if (format === null) {
        const { response, facts } = await search(request, options, signal)
        context.set(factHeaders(facts))
        state.snippets = facts.snippets
        context.body = response
        return
      }
      const stream = createResultStream(format, state.requestId)
      await stream.run(
        async (told) => {
          const { response, facts } = await search(request, { ...options, ...told }, signal)
          state.snippets = facts.snippets
          // The head has been sent long before it is known which engine answers.
          return { ...response, engine: facts.provider }
        },
        (thrown) => recordFailure(context, thrown, log),
      )
      context.type = format
      // Else nginx keeps what it gets until it has a whole buffer, and the reader waits for the end of the search.
      context.set('X-Accel-Buffering', 'no')
      context.body = stream.readable
    },
}

function requestOf(context: Context): SearchRequest {
  const parsed = parseSearchRequest(parseJsonObject(context))
  if (parsed.ok) return parsed.request
  const first = parsed.issues[0]?.message ?? 'The request is invalid.'
  throw parsed.refused === 'query' ? badRequest(first, parsed.issues) : invalidFields(parsed.issues)
}

/** W3C Server-Timing for the stages, which engine found the pages, and which model scored them for which depth. */
function factHeaders(facts: SearchFacts): Record<string, string> {
  const timings = Object.entries(facts.stages).map(([stage, elapsedMs]) => `${stage};dur=${elapsedMs}`)
  return {
    'Server-Timing': timings.join(', '),
    'Verbatim-Engine': facts.provider,
    'Verbatim-Model': facts.model,
    'Verbatim-Tier': facts.requestedTier,
  }
}
