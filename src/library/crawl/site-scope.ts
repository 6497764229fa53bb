// Which addresses belong to the site that is crawled.
import { posix } from 'node:path'

export interface SiteScope {
  contains(url: string): boolean
}

/** Files that hold no text; asking for them would only cost the site's bandwidth. */
const NO_TEXT =
  /\.(?:7z|avi|avif|bmp|bz2|css|dmg|eot|epub|exe|flac|gif|gz|ico|iso|jar|jpe?g|js|m4[av]|mkv|mov|mp[34]|ogg|otf|png|rar|rpm|deb|svg|tar|tiff?|ttf|wasm|wav|webm|webp|woff2?|xz|zip|zst)$/iu

/**
 * Sitemaps hold no longer ones (sitemaps.org: fewer than 2,048), and PostgreSQL no index over more than 2,700 bytes, in
 * which the site's own address stands, too.
 */
const ADDRESS_CHARACTERS_MAX = 2_000
export const SITE_ADDRESS_CHARACTERS_MAX = 500

const withoutWww = (host: string): string => host.replace(/^www\./u, '')

/**
 * The seed's host and port, and everything beneath its path: `/docs` covers `/docs` and `/docs/a`, not `/docs-old`;
 * `/docs/index.html` covers all of `/docs/`. http and https count as one, and so do a host and its `www.`, to which many
 * sites send whoever asks for the other. Addresses of more than 2,000 characters are none of the site's.
 */
export function scopeOf(seedUrl: string): SiteScope {
  const seed = new URL(seedUrl)
  const isFile = /\.[a-z0-9]{1,6}$/iu.test(seed.pathname)
  const folder = (isFile ? posix.dirname(seed.pathname) : seed.pathname).replace(/(?<!\/)\/+$/u, '')
  return {
    contains(text) {
      if (!URL.canParse(text)) return false
      const url = new URL(text)
      if (url.href.length > ADDRESS_CHARACTERS_MAX) return false
      const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
      if (!isHttp || withoutWww(url.host) !== withoutWww(seed.host) || NO_TEXT.test(url.pathname))
        return false
      return url.pathname === folder || url.pathname.startsWith(`${folder}/`)
    },
  }
}
