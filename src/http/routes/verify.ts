// POST /v1/verify: do these quotes stand on that page? Translates between HTTP and search/page-access.
import type { Middleware } from 'koa'
import { parseVerifyRequest } from '../../contract.ts'
import { invalidFields } from '../../errors.ts'
import type { PageAccess } from '../../search/proof/single-page.ts'
import type { CallerState } from '../request/authenticate.ts'
import { goneSignal } from '../request/client-gone.ts'
import { parseJsonObject } from '../request/json-body.ts'

export function verifyRoute(options: { pageAccess: PageAccess }): Middleware<CallerState> {
  return async function verifyRouteMiddleware(context) {
    const parsed = parseVerifyRequest(parseJsonObject(context))
    if (!parsed.ok) throw invalidFields(parsed.issues)
    context.set('Cache-Control', 'no-store')
    context.body = await options.pageAccess.verify(parsed.request, goneSignal(context))
  }
}
