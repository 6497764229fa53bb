// POST /v1/verify: do these quotes stand on that page, or: what of this answer do its sources bear out? Translates
// between HTTP and search/proof.
import { parseVerifyRequest, verifyRequestSchema, verifyResponseSchema } from '../../contract/verify.ts'
import {
  answerCheckRequestSchema,
  answerCheckResponseSchema,
  parseAnswerCheckRequest,
} from '../../contract/answer-check.ts'
import { invalidFields } from '../../errors.ts'
import type { PageAccess } from '../../search/proof/single-page.ts'
import type { VerifyAnswer } from '../../search/proof/verify-answer.ts'
import { goneSignal } from '../request/client-gone.ts'
import { parseJsonObject } from '../request/json-body.ts'
import type { Route } from '../route.ts'

interface VerifyParts {
  pageAccess: Pick<PageAccess, 'verify'> & { verifyAnswer: VerifyAnswer }
}

/** Of the request that checks quotes, and of no other. */
const QUOTE_FIELDS = ['quotes', 'url', 'content_sha256', 'recheck'] as const

export const verifyRoute: Route<VerifyParts> = {
  method: 'post',
  path: '/v1/verify',
  door: 'key',
  scope: 'verify',
  operation: {
    id: 'verify',
    summary:
      'Say of each quote whether and where it stands on a page, or check an answer against its sources.',
    body: {
      name: 'VerifyRequest',
      schema: verifyRequestSchema,
      constraints: { oneOf: [{ required: ['url'] }, { required: ['content_sha256'] }] },
    },
    answer: {
      name: 'VerifyResponse',
      schema: verifyResponseSchema,
      description: 'One entry per quote.',
    },
    alternative: {
      body: { name: 'AnswerCheckRequest', schema: answerCheckRequestSchema },
      answer: { name: 'AnswerCheckResponse', schema: answerCheckResponseSchema },
    },
    refusals: [400, 404, 422],
  },
  createHandler: ({ pageAccess }) =>
    async function answerVerify(context) {
      const body = parseJsonObject(context)
      if (body['answer'] !== undefined) {
        refuseBoth(body)
        const asked = parseAnswerCheckRequest(body)
        if (!asked.ok) throw invalidFields(asked.issues)
        context.set('Cache-Control', 'no-store')
        context.body = await pageAccess.verifyAnswer(asked.request, goneSignal(context))
        return
      }
      const parsed = parseVerifyRequest(body)
      if (!parsed.ok) throw invalidFields(parsed.issues)
      context.set('Cache-Control', 'no-store')
      context.body = await pageAccess.verify(parsed.request, goneSignal(context))
    },
}

/** An answer and quotes are two requests: what stands beside an answer would be taken for checked. */
function refuseBoth(body: Record<string, unknown>): void {
  const beside = QUOTE_FIELDS.filter(
    (field) => ![undefined, null, false].some((unset) => unset === body[field]),
  )
  if (beside.length === 0) return
  throw invalidFields(
    beside.map((field) => ({
      pointer: `/${field}`,
      message: `${field} cannot stand beside answer: send quotes and their page in a request of their own.`,
    })),
  )
}
