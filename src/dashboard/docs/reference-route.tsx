// GET /docs/reference: the API reference in Swagger UI, from the package's own files.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { ReferencePage } from './reference-view.tsx'
import { readAssets, sendAsset, type Assets } from '../frame/assets.ts'
import type { DashboardParts } from '../context.ts'
import type { DashboardRouter } from '../state.ts'
import { frameOf, sendPage } from '../frame/respond.ts'

const require = createRequire(import.meta.url)
const FOLDER = '/assets/swagger-ui'

/** Swagger UI draws its arrows from data: addresses; everything else of it keeps to the strict policy. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export function addReferenceRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/docs/reference', (context) => {
    context.set('Content-Security-Policy', POLICY)
    const files = {
      style: `${FOLDER}/swagger-ui.css`,
      bundle: `${FOLDER}/swagger-ui-bundle.js`,
      start: '/assets/reference.js',
    }
    sendPage(context, <ReferencePage frame={frameOf(context, parts.assetUrls)} files={files} />)
  })
}

/** Two megabytes that few readers ask for: read at the first request. */
export function addReferenceFiles(router: DashboardRouter): void {
  let assets: Promise<Assets> | null = null
  router.get(`${FOLDER}/:name`, async (context) => {
    assets ??= readAssets(dirname(require.resolve('swagger-ui-dist/package.json')))
    sendAsset(context, (await assets).get(context.params['name'] ?? ''), 'public, max-age=86400')
  })
}
