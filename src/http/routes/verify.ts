// POST /v1/verify: do these quotes stand on that page? Translates between HTTP and search/proof.
import { parseVerifyRequest, verifyRequestSchema, verifyResponseSchema } from '../../contract.ts'
import { invalidFields } from '../../errors.ts'
import type { PageAccess } from '../../search/proof/single-page.ts'
import { goneSignal } from '../request/client-gone.ts'
import { parseJsonObject } from '../request/json-body.ts'
import type { Route } from '../route.ts'

export const verifyRoute: Route<{ pageAccess: Pick<PageAccess, 'verify'> }> = {
  method: 'post',
  path: '/v1/verify',
  door: 'key',
  scope: 'verify',
  operation: {
    id: 'verify',
    summary: 'Say of each quote whether and where it stands on a page.',
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
    refusals: [400, 404, 422],
  },
  createHandler: ({ pageAccess }) =>
    async function answerVerify(context) {
      const parsed = parseVerifyRequest(parseJsonObject(context))
      if (!parsed.ok) throw invalidFields(parsed.issues)
      context.set('Cache-Control', 'no-store')
      context.body = await pageAccess.verify(parsed.request, goneSignal(context))
    },
}
