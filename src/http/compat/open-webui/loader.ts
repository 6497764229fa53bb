// Open WebUI's external web loader: it posts up to twenty addresses and makes documents of [{page_content, metadata}].
import type { AdmittedReadPages } from '../../../search/given/admitted-work.ts'
import type { ReadPage } from '../../../search/given/read-pages.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { Route } from '../../route.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { runForeignRead } from '../foreign-pages.ts'
import { addresses, given } from '../foreign-values.ts'

export const openWebUiLoaderFields = {
  honoured: { urls: addresses },
  refused: {},
  harmless: [],
} satisfies ForeignFields

export const openWebUiLoaderRoute: Route<{ readPages: AdmittedReadPages }> = {
  method: 'post',
  path: '/compat/open-webui/loader',
  door: 'key',
  scope: 'read',
  operation: null,
  createHandler: ({ readPages }) =>
    async function answerLoader(context) {
      const { urls } = readFields(openWebUiLoaderFields, parseJsonObject(context))
      const pages = await runForeignRead(context, readPages, urls)
      // A page that failed is left out: what stands here becomes part of a prompt.
      context.body = pages
        .filter(({ failure, content }) => failure === null && content !== '')
        .map(toDocument)
    },
}

/** `source` is the address that was asked for: by it Open WebUI names its sources. */
const toDocument = (page: ReadPage) => ({
  page_content: page.content,
  metadata: {
    source: page.askedUrl,
    ...given('title', page.title),
    ...given('language', page.language),
    ...given('published_time', page.publishDate),
    ...given('warning', page.warning),
  },
})
