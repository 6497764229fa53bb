// Exa's contents: pages that the caller names, as text and highlights, with a status for each.
import type { AdmittedReadPages } from '../../../search/given/admitted-work.ts'
import type { ReadPage } from '../../../search/given/read-pages.ts'
import { roundScore } from '../../../search/rank.ts'
import { badRequest } from '../../../errors.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { Route } from '../../route.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { runForeignRead } from '../foreign-search.ts'
import { addresses, given } from '../foreign-values.ts'
import {
  contentFields,
  highlightsWanted,
  maxAgeSecondsOf,
  textLimitOf,
  type ContentOptions,
} from './content-options.ts'

export const exaContentsFields = {
  honoured: { urls: addresses.nullish(), ids: addresses.nullish(), ...contentFields.honoured },
  refused: contentFields.refused,
  harmless: ['flags', ...contentFields.harmless],
} satisfies ForeignFields

export const exaContentsRoute: Route<{ readPages: AdmittedReadPages }> = {
  method: 'post',
  path: '/compat/exa/contents',
  door: 'key',
  scope: 'read',
  operation: null,
  createHandler: ({ readPages }) =>
    async function answerExaContents(context) {
      const sent = readFields(exaContentsFields, parseJsonObject(context))
      const urls = sent.urls ?? sent.ids
      if (urls === null || urls === undefined) throw badRequest('urls must be an array of addresses.')
      const maxAge = maxAgeSecondsOf(sent)
      const pages = await runForeignRead(context, readPages, urls, {
        query: queryOf(sent),
        format: 'text',
        maxAgeMs: maxAge === null ? null : maxAge * 1_000,
      })
      context.body = {
        requestId: context.state.requestId,
        results: pages.filter(({ failure }) => failure === null).map((page) => toExaContent(page, sent)),
        statuses: pages.map(toStatus),
      }
    },
}

/** Highlights need a question; without one a page has none that are better than others. */
function queryOf({ highlights }: ContentOptions): string | null {
  const query = typeof highlights === 'object' ? highlights?.query : null
  return query === undefined || query?.trim() === '' ? null : query
}

function toExaContent(page: ReadPage, options: ContentOptions) {
  const limit = textLimitOf(options)
  const snippets = page.snippets.slice(0, highlightsWanted(options))
  return {
    id: page.askedUrl,
    url: page.url,
    title: page.title,
    publishedDate: page.publishDate,
    author: null,
    ...(limit === null ? {} : { text: page.content.slice(0, limit.maxCharacters ?? page.content.length) }),
    ...given('highlights', snippets.length > 0 ? snippets.map(({ text }) => text) : null),
    ...given(
      'highlightScores',
      snippets.length > 0 ? snippets.map(({ relevance }) => roundScore(relevance)) : null,
    ),
  }
}

const toStatus = ({ askedUrl, failure }: ReadPage) =>
  failure === null
    ? { id: askedUrl, status: 'success', source: 'crawled' }
    : {
        id: askedUrl,
        status: 'error',
        error: { tag: `CRAWL_${failure.code.toUpperCase()}`, httpStatusCode: null },
      }
