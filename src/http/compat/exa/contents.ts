// Exa's contents: pages that the caller names, as text and highlights, with a status for each.
import type { AdmittedReadPages } from '../../../search/given/admitted-work.ts'
import type { ReadPage } from '../../../search/given/read-pages.ts'
import { badRequest } from '../../../errors.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { Route } from '../../route.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { runForeignRead } from '../foreign-pages.ts'
import { addresses } from '../foreign-values.ts'
import { contentFields, readContentOptions, type ContentOptions } from './content-options.ts'
import { highlightBudget, highlightsRead, textWithin } from './page-contents.ts'

export const exaContentsFields = {
  honoured: { urls: addresses.nullish(), ids: addresses.nullish(), ...contentFields.honoured },
  refused: contentFields.refused,
  harmless: ['flags', 'userIdentifier', ...contentFields.harmless],
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
      if (sent.urls && sent.ids) throw badRequest('Send either urls or ids.')
      const options = readContentOptions(sent)
      const { highlights, maxAgeSeconds } = options
      const pages = await runForeignRead(context, readPages, urls, {
        query: highlights.query,
        snippets: highlightBudget(options),
        format: 'text',
        maxAgeMs: maxAgeSeconds === null ? null : maxAgeSeconds * 1_000,
      })
      context.body = {
        requestId: context.state.requestId,
        results: pages.filter(({ failure }) => failure === null).map((page) => toExaContent(page, options)),
        statuses: pages.map(toStatus),
      }
    },
}

/**
 * Under the address that was asked for, by which clients look their pages up, wherever it has led. Highlights need a
 * question; without one a page has none that are better than others.
 */
const toExaContent = (page: ReadPage, options: ContentOptions) => ({
  id: page.askedUrl,
  url: page.askedUrl,
  title: page.title,
  publishedDate: page.publishDate,
  author: null,
  ...(options.text === null ? {} : { text: textWithin(page, options) }),
  ...highlightsRead(page),
})

const toStatus = ({ askedUrl, failure }: ReadPage) =>
  failure === null
    ? { id: askedUrl, status: 'success', source: 'crawled' }
    : {
        id: askedUrl,
        status: 'error',
        error: { tag: `CRAWL_${failure.code.toUpperCase()}`, httpStatusCode: null },
      }
