// The files under public/ (style, script, icon, fonts) and the pictures of the documentation, read once at start and
// answered from memory. They change only with a release, so style and script carry their digest in the address.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import type Router from '@koa/router'
import type { Context } from 'koa'
import { SCRIPTS, SHARED_SCRIPT, STYLES, type AssetUrls } from './page.tsx'
import type { DashboardState } from '../state.ts'

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

interface Asset {
  body: Buffer
  mediaType: string
  /** First 16 hexadecimal digits of the SHA-256 of the body. */
  digest: string
}

/** Files by their path below the folder, with forward slashes. */
export type Assets = ReadonlyMap<string, Asset>

/**
 * Reads every file of a known media type in `folder` and its sub-folders; a folder that is not there is empty.
 * @throws when the folder cannot be read for another reason.
 */
export async function readAssets(folder: string): Promise<Assets> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  const assets = new Map<string, Asset>()
  for (const entry of entries) {
    const mediaType = MEDIA_TYPES[extname(entry.name)]
    if (!entry.isFile() || mediaType === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const body = await readFile(path)
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 16)
    assets.set(path.slice(join(folder, '/').length).replace(/\\/gu, '/'), { body, mediaType, digest })
  }
  return assets
}

/** Addresses of the files that pages name. @throws Error when one of them is missing. */
export function assetUrls(assets: Assets): AssetUrls {
  const url = (name: string): string => {
    const asset = assets.get(name)
    if (asset === undefined) throw new Error(`public/${name} is missing from this installation`)
    return `/assets/${name}?v=${asset.digest}`
  }
  return {
    styles: new Map(STYLES.map((name) => [name, url(`styles/${name}.css`)])),
    script: url(`${SHARED_SCRIPT}.js`),
    scripts: new Map(SCRIPTS.map((name) => [name, url(`${name}.js`)])),
    imports: new Map(
      [...SCRIPTS, SHARED_SCRIPT].map((name): [typeof name, string[]] => {
        const imported = importsOf(assets, `${name}.js`, new Set())
        return [name, [...imported].map((file) => `/assets/${file}`)]
      }),
    ),
    icon: url('icon.svg'),
  }
}

/** Adds to `found` what the script imports, and what that imports; they carry no digest, since the import has none. */
function importsOf(assets: Assets, script: string, found: Set<string>): Set<string> {
  const source = assets.get(script)?.body.toString() ?? ''
  for (const [, path = ''] of source.matchAll(/^(?:import |\}).* from '(\.[^']+)'$/gmu)) {
    const file = posix.join(posix.dirname(script), path)
    if (found.has(file)) continue
    found.add(file)
    importsOf(assets, file, found)
  }
  return found
}

/** `/assets/*` and `/docs/images/*`. */
export function addAssetRoutes(
  router: Router<DashboardState>,
  options: { assets: Assets; documentationImages: Assets },
): void {
  router.get('/assets/*path', (context) => {
    const asset = options.assets.get(context.params['path'] ?? '')
    sendAsset(context, asset, asset === undefined ? '' : lifetimeOf(asset, context.query['v']))
  })
  router.get('/docs/images/:name', (context) => {
    // A picture opened by itself is a document: an SVG may be styled, but nothing in it may run or load.
    context.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    sendAsset(context, options.documentationImages.get(context.params['name'] ?? ''), 'public, max-age=3600')
  })
}

/** What a script imports has no digest in its address, and must be of the release that the script is of. */
function lifetimeOf({ digest, mediaType }: Asset, asked: unknown): string {
  if (asked === digest) return 'public, max-age=31536000, immutable'
  return mediaType === MEDIA_TYPES['.js'] ? 'no-cache' : 'public, max-age=86400'
}

/** Answers with a file, or with 304 when the browser has it; nothing when there is no such file. */
export function sendAsset(context: Context, asset: Asset | undefined, cacheControl: string): void {
  if (asset === undefined) return
  context.set('Cache-Control', cacheControl)
  context.etag = asset.digest
  context.status = 200
  if (context.fresh) {
    context.status = 304
    return
  }
  context.type = asset.mediaType
  context.body = asset.body
}
