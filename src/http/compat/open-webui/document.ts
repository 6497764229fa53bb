// Open WebUI's external document loader: it puts the bytes of a file and makes a document of {page_content, metadata}.
import { ApiError, badRequest } from '../../../errors.ts'
import type { AdmittedReadDocument } from '../../../search/given/admitted-work.ts'
import { DOCUMENT_BYTES_MAX } from '../../../search/given/read-document.ts'
import { goneSignal } from '../../request/client-gone.ts'
import { searchOptionsOf } from '../../request/search-options.ts'
import type { Route } from '../../route.ts'
import { given } from '../foreign-values.ts'

const NAME_CHARACTERS_MAX = 255

export const openWebUiDocumentRoute: Route<{ readDocument: AdmittedReadDocument }> = {
  method: 'put',
  path: '/compat/open-webui/process',
  door: 'key',
  scope: 'read',
  bodyBytes: DOCUMENT_BYTES_MAX,
  operation: null,
  createHandler: ({ readDocument }) =>
    async function answerDocument(context) {
      const raw = context.request.rawBody
      if (typeof raw !== 'string' || raw === '') throw badRequest('The request holds no file.')
      const file = {
        bytes: Buffer.from(raw, 'latin1'),
        contentType: context.get('Content-Type'),
        name: nameOf(context.get('X-Filename')),
      }
      const read = await readDocument(file, searchOptionsOf(context), goneSignal(context))
      if (read.failure !== null) throw unreadable(read.failure)
      context.set('Cache-Control', 'no-store')
      context.body = {
        page_content: read.text,
        metadata: { source: file.name, ...given('title', read.title), ...given('language', read.language) },
      }
    },
}

/** Its clients percent-encode the name. */
function nameOf(sent: string): string {
  try {
    return decodeURIComponent(sent).slice(0, NAME_CHARACTERS_MAX)
  } catch (error) {
    if (error instanceof URIError) return sent.slice(0, NAME_CHARACTERS_MAX)
    throw error
  }
}

/** 422, which this shape spells as 400: the file is what is wrong, and asking again would not mend it. */
const unreadable = (detail: string): ApiError =>
  new ApiError({ status: 422, code: 'unreadable_document', title: 'Unprocessable Entity', detail })
