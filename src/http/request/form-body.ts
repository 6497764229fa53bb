// A form that a program posted: the body as the door has read it, one byte a character.
import type { ParameterizedContext } from 'koa'
import { unsupportedMediaType } from '../../errors.ts'

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/iu

/** Its fields, of one that is sent twice the first. @throws {ApiError} 415 for a body under another label. */
export function readForm(context: ParameterizedContext): Record<string, string> {
  const raw = context.request.rawBody
  if (typeof raw !== 'string' || raw === '') return {}
  if (!FORM_TYPE.test(context.get('Content-Type')))
    throw unsupportedMediaType('Send the form with "Content-Type: application/x-www-form-urlencoded".')
  // URL-encoded text is ASCII; bytes beyond it are UTF-8 that was not encoded.
  const sent = [...new URLSearchParams(Buffer.from(raw, 'latin1').toString('utf8'))]
  return Object.fromEntries(sent.toReversed())
}
