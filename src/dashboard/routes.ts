// The dashboard and the documentation as one middleware: every family of routes, and around them the headers, the
// visitor and the error pages.
import Router from '@koa/router'
import type { Middleware, Next } from 'koa'
import { notFound } from '../errors.ts'
import { addAccountRoutes } from './account/account-route.tsx'
import { addAssetRoutes, assetUrls } from './frame/assets.ts'
import { addAuditRoutes } from './audit/audit-route.tsx'
import { addCheckRoutes } from './check/check-route.tsx'
import { addCompareRoute } from './compare/compare-route.tsx'
import { createCookies } from './visitor/cookies.ts'
import { addDocumentationRoutes } from './docs/docs-route.tsx'
import { answerError, wantsPage } from './frame/error-page.tsx'
import { addInvitationRoutes } from './sign-in/invitations-route.tsx'
import { addKeyRoutes } from './keys/keys-route.tsx'
import { addDocumentRoutes } from './library/documents-route.tsx'
import { addLibraryRoutes } from './library/library-route.tsx'
import { addSiteRoutes } from './library/site-route.tsx'
import { addOidcRoutes } from './sign-in/oidc-route.tsx'
import type { DashboardOptions, DashboardParts } from './context.ts'
import type { DashboardContext, DashboardState } from './state.ts'
import { addPeopleRoutes } from './people/people-route.tsx'
import { addPlaygroundRoutes } from './playground/playground-route.tsx'
import { addReferenceFiles, addReferenceRoutes } from './docs/reference-route.tsx'
import { addRequestRoutes } from './requests/requests-route.tsx'
import { securityHeaders } from './frame/security-headers.ts'
import { addSettingsRoutes } from './settings/settings-route.tsx'
import { addSignInRoutes } from './sign-in/sign-in-route.tsx'
import { addStatusRoutes } from './status/status-route.tsx'
import { addUsageRoutes } from './usage/usage-route.tsx'
import { addThemeRoute } from './visitor/theme-route.ts'
import { loadVisitor } from './visitor/visitor.ts'

/**
 * To be mounted after the API. Answers GET / and everything under /docs, /assets, /sign-in, /keys and so on; hands
 * every other request on, and answers it with a page when nobody does and the client asks for HTML.
 * @throws Error when a file of public/ that every page needs is missing.
 */
export function createDashboard(options: DashboardOptions): Middleware<DashboardState> {
  const cookies = createCookies({ secure: options.secureCookies })
  const parts: DashboardParts = {
    ...options,
    ...options.accounts,
    assetUrls: assetUrls(options.assets),
    oidc: options.oidc ?? null,
    cookies,
  }
  const files = new Router<DashboardState>()
  addReferenceFiles(files)
  addAssetRoutes(files, options)
  const answerFile = files.routes()
  const pages = createPageRouter(parts)
  const answerPage = pages.routes()
  const guard = securityHeaders({ secure: options.secureCookies })
  const identify = loadVisitor(parts)

  return async function dashboardMiddleware(context: DashboardContext, next: Next) {
    const answer = async (): Promise<void> => {
      // The routers fill these in by themselves; only their types ask for them.
      const routed = Object.assign(context, { params: {}, router: pages })
      // Nothing has a zero character in its address, and PostgreSQL takes none: nobody is asked.
      if (!context.url.includes('%00')) await answerFile(routed, () => answerPage(routed, next))
      if (context.status === 404 && context.body === undefined && wantsPage(context)) {
        await identify(context, () => Promise.reject(notFound()))
      }
    }
    await guard(context, () => answer().catch((thrown: unknown) => answerError(context, parts, thrown)))
  }
}

function createPageRouter(parts: DashboardParts): Router<DashboardState> {
  const router = new Router<DashboardState>()
  router.use(loadVisitor(parts))
  addThemeRoute(router, parts)
  addStatusRoutes(router, parts)
  addReferenceRoutes(router, parts)
  addDocumentationRoutes(router, parts)
  addSignInRoutes(router, parts)
  addOidcRoutes(router, parts)
  addInvitationRoutes(router, parts)
  addAccountRoutes(router, parts)
  addKeyRoutes(router, parts)
  addUsageRoutes(router, parts)
  addRequestRoutes(router, parts)
  addPlaygroundRoutes(router, parts)
  addCompareRoute(router, parts)
  addCheckRoutes(router, parts)
  addLibraryRoutes(router, parts)
  addSiteRoutes(router, parts)
  addDocumentRoutes(router, parts)
  addPeopleRoutes(router, parts)
  addAuditRoutes(router, parts)
  addSettingsRoutes(router, parts)
  return router
}
