// POST /v1/read: pages that the caller names, as text. Translates between HTTP and search/given/read-pages.
import {
  parseReadRequest,
  readRequestSchema,
  readResponseSchema,
  type ReadRequest,
} from '../../contract/read.ts'
import { invalidFields } from '../../errors.ts'
import type { AdmittedReadPages } from '../../search/given/admitted-work.ts'
import type { ReadPage, ReadPagesRequest } from '../../search/given/read-pages.ts'
import { roundScore } from '../../search/rank.ts'
import { goneSignal } from '../request/client-gone.ts'
import { parseJsonObject } from '../request/json-body.ts'
import { searchOptionsOf } from '../request/search-options.ts'
import type { Route } from '../route.ts'

export const readRoute: Route<{ readPages: AdmittedReadPages }> = {
  method: 'post',
  path: '/v1/read',
  door: 'key',
  scope: 'read',
  operation: {
    id: 'read',
    summary: 'Read pages: their text and, for a query, their best passages.',
    body: {
      name: 'ReadRequest',
      schema: readRequestSchema,
      constraints: { oneOf: [{ required: ['url'] }, { required: ['urls'] }] },
    },
    answer: {
      name: 'ReadResponse',
      schema: readResponseSchema,
      description: 'One entry per address, in the order of the request; a page that failed says why.',
    },
    refusals: [400, 422],
  },
  createHandler: ({ readPages }) =>
    async function answerRead(context) {
      const parsed = parseReadRequest(parseJsonObject(context))
      if (!parsed.ok) throw invalidFields(parsed.issues)
      const options = searchOptionsOf(context)
      const pages = await readPages(toPagesRequest(parsed.request), options, goneSignal(context))
      context.state.snippets = pages.reduce((sum, { snippets }) => sum + snippets.length, 0)
      context.set('Cache-Control', 'no-store')
      context.body = {
        results: pages.map((page) => toResult(page, parsed.request)),
        total_latency_ms: Math.max(0, Date.now() - options.arrivedAtMs),
      }
    },
}

function toPagesRequest(request: ReadRequest): ReadPagesRequest {
  const { url, urls, query, max_characters: maxCharacters, max_tokens: maxTokens, max_age: maxAge } = request
  return {
    urls: urls ?? (url === undefined ? [] : [url]),
    query: query ?? null,
    format: request.format,
    budget: { maxCharacters: maxCharacters ?? null, maxTokens: maxTokens ?? null },
    maxAgeMs: typeof maxAge === 'number' ? maxAge * 1_000 : null,
    isProofWanted: request.include.includes('proof'),
    isBundleWanted: request.include.includes('bundle'),
  }
}

function toResult(page: ReadPage, { include }: ReadRequest) {
  const isProven = include.includes('proof')
  const { failure } = page
  return {
    url: page.askedUrl,
    final_url: page.url,
    title: page.title,
    snippets: page.snippets.map(({ text, relevance, start, end, place }) => ({
      text,
      relevance_score: roundScore(relevance),
      ...(isProven ? { start, end, place } : {}),
    })),
    content: page.content,
    is_cut: page.isCut,
    publish_date: page.publishDate,
    last_updated: page.lastUpdated,
    language: page.language,
    fetched_at: page.fetchedAt,
    warning: page.warning,
    ...(include.includes('warning_code') ? { warning_code: page.warningCode } : {}),
    failure:
      failure === null
        ? null
        : { code: failure.code, message: failure.message, retryable: failure.isRetryable },
    ...(isProven ? { content_sha256: page.contentSha256 } : {}),
    ...(include.includes('bundle') ? { bundle: page.bundle } : {}),
  }
}
