// Documents as a form sends them (multipart/form-data, RFC 7578): streamed to disk within limits, and none of them
// before the form has proved whose it is.
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { runTaskGroup } from '../../concurrency/task-group.ts'
import { badRequest, bodyTooLarge } from '../../errors.ts'
import {
  DOCUMENT_BYTES_MAX,
  type DocumentOutcome,
  type Inbox,
  type ReceivedDocument,
} from '../../library/files/document-store.ts'
import { formRefused, isFormToken } from '../frame/read-form.ts'
import { FORM_TOKEN_FIELD } from '../frame/page.tsx'
import type { DashboardContext } from '../state.ts'

export const FILES_MAX = 10
/** Of a whole form: its files, and a little for what stands between them. */
const FORM_BYTES_MAX = FILES_MAX * DOCUMENT_BYTES_MAX + 64 * 1024
const LIMITS = { files: FILES_MAX, fileSize: DOCUMENT_BYTES_MAX, fields: 4, fieldSize: 1024, headerPairs: 20 }

const TOO_MANY: DocumentOutcome = {
  name: 'Every further document',
  refused: `At most ${FILES_MAX} are taken at once.`,
}
const TOO_LARGE = `A document may have ${DOCUMENT_BYTES_MAX / 2 ** 20} MB.`

export interface Upload {
  /** As they stand in the form. */
  received: ReceivedDocument[]
  /** Those that were too large or too many. */
  refused: DocumentOutcome[]
}

/**
 * Puts the documents of the form into `inbox`; fields must stand before files.
 * @throws {ApiError} 403 without the form's token, 400 for what is no such form or breaks off, 413 when it is too large.
 */
export async function readUpload(
  context: DashboardContext,
  inbox: Inbox,
  signal: AbortSignal,
): Promise<Upload> {
  if (context.is('multipart/form-data') === false) throw badRequest('This is no form with documents.')
  const { length } = context.request
  if (length === undefined) throw badRequest('The form must tell its length.')
  if (length > FORM_BYTES_MAX) throw bodyTooLarge(FORM_BYTES_MAX)
  const parser = openParser(context)
  const received: (ReceivedDocument | null)[] = []
  const refused: DocumentOutcome[] = []
  let isAllowed = false
  parser.on('field', (name, value) => {
    if (name === FORM_TOKEN_FIELD) isAllowed = isFormToken(context, value)
  })
  parser.once('filesLimit', () => refused.push(TOO_MANY))
  await runTaskGroup(signal, async ({ start }) => {
    parser.on('file', (_field, content, filename) => {
      // Browsers send an empty file without a name when none was chosen.
      if (!isAllowed || !filename) {
        content.resume()
        return
      }
      const place = received.push(null) - 1
      start(async () => {
        const document = await inbox.receive(filename, content)
        if (content.truncated) refused.push({ name: filename, refused: TOO_LARGE })
        else received[place] = document
      })
    })
    await parse(context, parser)
  })
  if (!isAllowed) throw formRefused()
  return { received: received.filter((document) => document !== null), refused }
}

function openParser(context: DashboardContext): BusboyInstance {
  const { 'content-type': type = '' } = context.req.headers
  try {
    return new Busboy({ headers: { ...context.req.headers, 'content-type': type }, limits: LIMITS })
  } catch {
    // Nothing but a form without a boundary gets here.
    throw badRequest('The form does not tell where its parts end.')
  }
}

async function parse(context: DashboardContext, parser: BusboyInstance): Promise<void> {
  const parsed = once(parser, 'finish').catch(() => {
    throw badRequest('The form is not written as such forms are.')
  })
  context.req.pipe(parser)
  const sent = finished(context.req, { writable: false })
  try {
    await Promise.all([sent, parsed])
  } catch (error) {
    context.req.unpipe(parser)
    parser.destroy()
    throw error
  }
}
