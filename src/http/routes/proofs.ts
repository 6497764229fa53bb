// GET /v1/proofs/{sha256}: the signed bundle of a page that an answer quoted, with its whole text. Translates between
// HTTP and search/bundles.
import { bundleSchema, proofParametersSchema } from '../../contract/bundle.ts'
import { fieldIssues } from '../../contract/body.ts'
import { invalidFields } from '../../errors.ts'
import type { FindBundle } from '../../search/bundles/kept-bundle.ts'
import type { Route } from '../route.ts'

export const proofsRoute: Route<{ findBundle: FindBundle }> = {
  method: 'get',
  path: '/v1/proofs/:sha256',
  door: 'key',
  scope: 'verify',
  operation: {
    id: 'proof',
    summary: 'Hand out the signed bundle of a page that was quoted, with its whole text.',
    parameters: proofParametersSchema,
    answer: { name: 'Bundle', schema: bundleSchema, description: 'The bundle, with the text.' },
    refusals: [404, 422],
  },
  createHandler: ({ findBundle }) =>
    async function answerProof(context) {
      const { sha256, spans } = { ...context.query, ...pathParameters(context) }
      const parsed = proofParametersSchema.safeParse({ sha256, spans })
      if (!parsed.success) throw invalidFields(fieldIssues(parsed.error, []))
      context.set('Cache-Control', 'no-store')
      context.body = await findBundle(parsed.data.sha256, parsed.data.spans ?? [])
    },
}

/** What the router found in the path; Koa's own context knows nothing of it. */
const pathParameters = (context: object): Readonly<Record<string, unknown>> =>
  'params' in context && typeof context.params === 'object' ? { ...context.params } : {}
