// An answer and its sources, as a form: the same check as POST /v1/verify makes, on the quota of who is signed in.
import type { Next } from 'koa'
import {
  ANSWER_LIMITS,
  parseAnswerCheckRequest,
  type AnswerCheckResponse,
} from '../../contract/answer-check.ts'
import type { FieldIssue } from '../../contract/body.ts'
import { goneSignal } from '../../http/request/client-gone.ts'
import { recordFailure } from '../../http/request/error-boundary.ts'
import type { DashboardParts } from '../context.ts'
import { FORM_TOKEN_FIELD, type Notice } from '../frame/page.tsx'
import { createFormReader, isFormToken, textField } from '../frame/read-form.ts'
import { frameOf, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { spendPoint } from '../visitor/quota.ts'
import { signedIn } from '../visitor/visitor.ts'
import { CheckPage, type CheckFields } from './check-view.tsx'

/**
 * A full answer in a script of three bytes a letter, each of which a form writes as three characters; and the sources.
 */
const FORM_BYTES_MAX = 9 * ANSWER_LIMITS.characters + 64 * 1024

const SOURCE_SHOWN_CHARACTERS = 100

interface Outcome {
  fields: CheckFields
  issues?: readonly FieldIssue[]
  checked?: AnswerCheckResponse
  notice?: Notice
  status?: number
}

export function addCheckRoutes(router: DashboardRouter, parts: DashboardParts): void {
  const show = (context: DashboardContext, outcome: Outcome): void => {
    const { fields, issues = [], checked = null, notice = null, status = 200 } = outcome
    const frame = frameOf(context, parts.assetUrls, notice)
    sendPage(context, <CheckPage frame={frame} fields={fields} issues={issues} checked={checked} />, status)
  }
  router.get('/check', signedIn, (context: DashboardContext) => {
    show(context, { fields: { answer: '', sources: '' } })
  })
  router.post('/check', signedInOnce, createFormReader(FORM_BYTES_MAX), async (context: DashboardContext) =>
    show(context, keptForm(context) ?? (await runCheck(context, parts))),
  )
}

/** A form names a source by what was typed: its place in the request, counted from 0, is that of another for a reader. */
function inWords(issue: FieldIssue, sources: readonly string[]): FieldIssue {
  const place = /^sources\.(\d+)/u.exec(issue.message)
  if (place === null) return issue
  const typed = sources[Number(place[1])]?.slice(0, SOURCE_SHOWN_CHARACTERS) ?? ''
  return { ...issue, message: `“${typed}”${issue.message.slice(place[0].length)}` }
}

/** Whose session has ended may still send what was pasted: it is shown again, and nothing is done with it. */
const signedInOnce = (context: DashboardContext, next: Next): Promise<void> =>
  context.state.visitor.hasSessionEnded ? next() : signedIn(context, next)

const SIGNED_OUT =
  'Your session has ended, and nothing was checked. Sign in in another tab, then press Check again: the answer is kept here.'
const FORM_EXPIRED = 'You have signed in since this page was loaded. Press Check once more.'

/** The form as it was sent where it was not made for this session; null where it was. */
function keptForm(context: DashboardContext): Outcome | null {
  const { session } = context.state.visitor
  if (session !== null && isFormToken(context, textField(context, FORM_TOKEN_FIELD))) return null
  const text = session === null ? SIGNED_OUT : FORM_EXPIRED
  return { fields: fieldsOf(context), notice: { tone: 'bad', text }, status: session === null ? 401 : 403 }
}

/** Forms send every line break as two characters; the places of claims count one. */
const fieldsOf = (context: DashboardContext): CheckFields => ({
  answer: textField(context, 'answer').replace(/\r\n/gu, '\n'),
  sources: textField(context, 'sources'),
})

/** Never rejects: what goes wrong is part of the outcome. */
async function runCheck(context: DashboardContext, parts: DashboardParts): Promise<Outcome> {
  const fields = fieldsOf(context)
  const sources = fields.sources.split(/\s+/u).filter((source) => source !== '')
  const parsed = parseAnswerCheckRequest({ answer: fields.answer, sources })
  if (!parsed.ok)
    return { fields, issues: parsed.issues.map((issue) => inWords(issue, sources)), status: 422 }
  try {
    await spendPoint(context, parts)
    return { fields, checked: await parts.pageAccess.verifyAnswer(parsed.request, goneSignal(context)) }
  } catch (thrown) {
    const error = recordFailure(context, thrown, parts.log)
    context.set({ ...error.headers })
    return { fields, notice: { tone: 'bad', text: error.detail }, status: error.status }
  }
}
