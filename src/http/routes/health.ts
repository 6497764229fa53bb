// GET /health: is the process alive? It asks nobody, so that it answers whatever else is wrong.
import { healthResponseSchema } from '../../contract/health.ts'
import type { Route } from '../route.ts'

export const healthRoute: Route<unknown> = {
  method: 'get',
  path: '/health',
  door: 'open',
  operation: {
    id: 'health',
    summary: 'Tell whether the API is up.',
    answer: { name: 'Health', schema: healthResponseSchema, description: 'It is up.' },
    refusals: [],
  },
  createHandler: () => (context) => {
    context.body = { status: 'ok' }
  },
}
