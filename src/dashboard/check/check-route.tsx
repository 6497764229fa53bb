// An answer and its sources, as a form: the same check as POST /v1/verify makes, on the quota of who is signed in.
import {
  ANSWER_LIMITS,
  parseAnswerCheckRequest,
  type AnswerCheckResponse,
} from '../../contract/answer-check.ts'
import type { FieldIssue } from '../../contract.ts'
import { goneSignal } from '../../http/request/client-gone.ts'
import { recordFailure } from '../../http/request/error-boundary.ts'
import type { DashboardParts } from '../context.ts'
import type { Notice } from '../frame/page.tsx'
import { checkFormToken, createFormReader, textField } from '../frame/read-form.ts'
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
  router.post(
    '/check',
    signedIn,
    createFormReader(FORM_BYTES_MAX),
    checkFormToken,
    async (context: DashboardContext) => show(context, await runCheck(context, parts)),
  )
}

/** A form names a source by what was typed: its place in the request, counted from 0, is that of another for a reader. */
function inWords(issue: FieldIssue, sources: readonly string[]): FieldIssue {
  const place = /^sources\.(\d+)/u.exec(issue.message)
  if (place === null) return issue
  const typed = sources[Number(place[1])]?.slice(0, SOURCE_SHOWN_CHARACTERS) ?? ''
  return { ...issue, message: `“${typed}”${issue.message.slice(place[0].length)}` }
}

/** Never rejects: what goes wrong is part of the outcome. */
async function runCheck(context: DashboardContext, parts: DashboardParts): Promise<Outcome> {
  // Forms send every line break as two characters; the places of claims count one.
  const answer = textField(context, 'answer').replace(/\r\n/gu, '\n')
  const fields = { answer, sources: textField(context, 'sources') }
  const sources = fields.sources.split(/\s+/u).filter((source) => source !== '')
  const parsed = parseAnswerCheckRequest({ answer, sources })
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
