// Documents that administrators upload: read by the reader that can be ended, kept when they can be read.
import { notFound, overloaded } from '../../errors.ts'
import { allowBodyTime } from '../../http/request/body-time.ts'
import { goneSignal } from '../../http/request/client-gone.ts'
import type { DocumentOutcome } from '../../library/files/document-store.ts'
import type { DashboardParts } from '../context.ts'
import { checkFormToken, readForm, textField } from '../frame/read-form.ts'
import { frameOf, seeOther, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { noteAct } from '../visitor/note-act.ts'
import { adminsOnly, signedIn } from '../visitor/visitor.ts'
import { DocumentRemovalPage } from './documents-view.tsx'
import { showLibrary } from './library-route.tsx'
import { readUpload } from './read-upload.ts'

/** Forms with documents that are taken at once: each may fill the disk with 320 MB until it is read. */
const UPLOADS_AT_ONCE = 2
/** As many take 4.5 megabits a second. */
const UPLOAD_MS = 10 * 60_000

export function addDocumentRoutes(router: DashboardRouter, parts: DashboardParts): void {
  let uploads = 0
  router.post('/library/documents', signedIn, adminsOnly, async (context: DashboardContext) => {
    if (uploads === UPLOADS_AT_ONCE) throw overloaded()
    uploads += 1
    try {
      const outcomes = await takeDocuments(context, parts)
      const isAllKept = outcomes.length > 0 && outcomes.every(({ refused }) => refused === null)
      if (isAllKept) seeOther(context, '/library?done=documents-added#documents-title')
      else await showLibrary(context, parts, { documents: outcomes })
    } finally {
      uploads -= 1
    }
  })
  router.get('/library/documents/remove', signedIn, adminsOnly, async (context: DashboardContext) => {
    const documents = await parts.documents.list()
    const document = documents.find(({ name }) => name === context.query['name'])
    if (document === undefined) throw notFound()
    const frame = frameOf(context, parts.assetUrls)
    sendPage(context, <DocumentRemovalPage frame={frame} name={document.name} />)
  })
  router.post(
    '/library/documents/remove',
    signedIn,
    adminsOnly,
    readForm,
    checkFormToken,
    async (context: DashboardContext) => {
      const name = textField(context, 'name')
      if (!(await parts.documents.remove(name))) throw notFound()
      await noteAct(context, parts, 'document_removed', name)
      seeOther(context, '/library?done=document-removed#documents-title')
    },
  )
}

/** What has become of each document of the form. */
async function takeDocuments(context: DashboardContext, parts: DashboardParts): Promise<DocumentOutcome[]> {
  const { documents } = parts
  const signal = goneSignal(context)
  const inbox = await documents.openInbox()
  try {
    allowBodyTime(context.req, UPLOAD_MS)
    const { received, refused: outcomes } = await readUpload(context, inbox, signal)
    // One after another: a document may take a reader to itself for as long as it is given.
    for (const document of received) {
      const outcome = await documents.add(document, signal)
      if (outcome.refused === null) await noteAct(context, parts, 'document_uploaded', outcome.name)
      outcomes.push(outcome)
    }
    return outcomes
  } finally {
    await inbox.close()
  }
}
