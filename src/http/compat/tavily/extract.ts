// Tavily's extract: pages as text, each under the address that was asked for, because clients look them up by it.
import { z } from 'zod'
import type { AdmittedReadPages } from '../../../search/given/admitted-work.ts'
import type { ReadPage } from '../../../search/given/read-pages.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { ErrorShape, Route } from '../../route.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { runForeignRead } from '../foreign-pages.ts'
import { patienceOfSeconds } from '../foreign-search.ts'
import { addresses, duration, optionalQuestion } from '../foreign-values.ts'

/** How Tavily joins chunks of one source. */
const CHUNK_SEPARATOR = ' […] '
const CHUNKS_DEFAULT = 3

export const tavilyExtractFields = {
  honoured: {
    urls: z.preprocess((sent) => (typeof sent === 'string' ? [sent] : sent), addresses),
    query: optionalQuestion,
    chunks_per_source: z.int().min(1).max(5).nullish(),
    format: z.enum(['markdown', 'text']).nullish(),
    timeout: duration,
  },
  refused: {},
  harmless: ['extract_depth', 'include_images', 'include_favicon', 'include_usage', 'api_key'],
} satisfies ForeignFields

/** Its SDKs read `detail.error`, and know no 422. */
export const tavilyErrors: ErrorShape = {
  prefix: '/compat/tavily/',
  spell: ({ status, detail }) => ({
    status: status === 422 ? 400 : status,
    body: {
      detail: {
        error: status === 404 ? `${detail} Of Tavily's API this service answers search and extract.` : detail,
      },
    },
  }),
}

export const tavilyExtractRoute: Route<{ readPages: AdmittedReadPages }> = {
  method: 'post',
  path: '/compat/tavily/extract',
  door: 'key',
  scope: 'read',
  operation: null,
  createHandler: ({ readPages }) =>
    async function answerExtract(context) {
      const startedAt = performance.now()
      const sent = readFields(tavilyExtractFields, parseJsonObject(context))
      const pages = await runForeignRead(context, readPages, sent.urls, {
        query: sent.query ?? null,
        format: sent.format ?? 'markdown',
        ...patienceOfSeconds(sent.timeout),
      })
      const isChunked = typeof sent.query === 'string'
      const chunks = isChunked ? (sent.chunks_per_source ?? CHUNKS_DEFAULT) : null
      context.body = {
        results: pages
          .filter(({ failure }) => failure === null)
          .map((page) => ({
            url: page.askedUrl,
            title: page.title,
            raw_content: chunks === null ? page.content : chunksOf(page, chunks),
            images: [],
          })),
        failed_results: pages.flatMap(({ askedUrl, failure }) =>
          failure === null ? [] : [{ url: askedUrl, error: failure.message }],
        ),
        response_time: Math.round(performance.now() - startedAt) / 1000,
        request_id: context.state.requestId,
      }
    },
}

/** With a query Tavily gives the chunks that answer it in place of the page. */
const chunksOf = ({ snippets }: ReadPage, count: number): string =>
  snippets
    .slice(0, count)
    .map(({ text }) => text)
    .join(CHUNK_SEPARATOR)
