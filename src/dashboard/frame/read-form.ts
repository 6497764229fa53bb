// Forms as they arrive: read within a limit, refused without the token of the visitor they were made for.
import { timingSafeEqual } from 'node:crypto'
import bodyParser from 'koa-bodyparser'
import type { Context, Middleware, Next } from 'koa'
import { FORM_MARK_FIELD, FORM_TOKEN_FIELD } from './page.tsx'
import { ApiError } from '../../errors.ts'
import { refuseBody } from '../../http/request/json-body.ts'
import type { DashboardContext } from '../state.ts'

/** The largest of most forms: a playground search with two full lists of domains. */
const FORM_BYTES_MAX = 64 * 1024

/** Reads a form of at most `bytesMax`; must stand before `checkFormToken`. */
export const createFormReader = (bytesMax: number): Middleware =>
  bodyParser({
    enableTypes: ['form'],
    formLimit: String(bytesMax),
    onerror: (error, context) => refuseBody(error, context, bytesMax),
  })

/** Reads a form of the usual size. */
export const readForm: Middleware = createFormReader(FORM_BYTES_MAX)

/** Refuses every form that does not carry the token of its visitor: 403. */
export async function checkFormToken(context: DashboardContext, next: Next): Promise<void> {
  if (!isFormToken(context, textField(context, FORM_TOKEN_FIELD))) throw formRefused()
  await next()
}

/** Whether a form that carries `token` was made for its visitor. */
export function isFormToken(context: DashboardContext, token: string): boolean {
  const expected = Buffer.from(context.state.visitor.formToken)
  const sent = Buffer.from(token)
  return expected.length > 0 && sent.length === expected.length && timingSafeEqual(sent, expected)
}

/**
 * True unless this very form was sent before, as a reload does. To be asked when all fields are right, just before what
 * it does; a client that fills in no mark is believed.
 */
export async function isSentFirst(
  context: DashboardContext,
  { sentForms }: { sentForms: { take(mark: string): Promise<boolean> } },
): Promise<boolean> {
  const mark = textField(context, FORM_MARK_FIELD)
  return mark === '' || sentForms.take(mark)
}

/** The value of a field; '' when it is missing or was sent several times. */
export function textField(context: Context, name: string): string {
  const value = fieldOf(context, name)
  return typeof value === 'string' ? value : ''
}

/** Every value of a field that may be sent several times, such as tick boxes. */
export function listField(context: Context, name: string): string[] {
  const value = fieldOf(context, name)
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
}

function fieldOf(context: Context, name: string): unknown {
  const { body } = context.request
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined
  return Object.entries(body).find(([field]) => field === name)?.[1]
}

/** 403: the form was not made for who sent it, or too long ago. */
export const formRefused = (): ApiError =>
  new ApiError({
    status: 403,
    code: 'form_refused',
    title: 'This form has expired',
    detail: 'Nothing was changed. Go back to the form, look it over and send it once more.',
  })
