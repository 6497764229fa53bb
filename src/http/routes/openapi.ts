// GET /openapi.json: the document that is made from the same table and schemas that answer requests.
import type { Route } from '../route.ts'

export const openApiRoute: Route<{ openApi: object }> = {
  method: 'get',
  path: '/openapi.json',
  door: 'open',
  operation: null,
  createHandler:
    ({ openApi }) =>
    (context) => {
      context.body = openApi
    },
}
