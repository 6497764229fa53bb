// GET /ready: may a load balancer send requests here? Unlike /health it asks the parts that every request needs.
import { readyResponseSchema } from '../../contract/health.ts'
import type { Readiness } from '../readiness.ts'
import type { Route } from '../route.ts'

export const readyRoute: Route<{ readiness: Pick<Readiness, 'findReasons'> }> = {
  method: 'get',
  path: '/ready',
  door: 'open',
  operation: {
    id: 'ready',
    summary: 'Tell whether this replica can answer searches now.',
    answer: { name: 'Ready', schema: readyResponseSchema, description: 'It can.' },
    otherwise: { 503: 'It cannot; `reasons` holds a code for each part that keeps it from it.' },
    refusals: [],
  },
  createHandler:
    ({ readiness }) =>
    async (context) => {
      const reasons = await readiness.findReasons()
      context.set('Cache-Control', 'no-store')
      context.status = reasons.length === 0 ? 200 : 503
      context.body = { status: reasons.length === 0 ? 'ready' : 'not_ready', reasons }
    },
}
