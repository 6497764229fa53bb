// Base addresses are typed with a slash at their end, to which many clients add another. The services whose shapes are
// answered here take two for one, and so do we: below /compat/, up to an address that stands in the path itself.
import type { Context, Middleware } from 'koa'

const SHAPES = '/compat/'
/** A page's address follows, whose slashes are its own. */
const HOLDS_ADDRESS = '/compat/jina/r/'

/** Must stand before the router. */
export const joinSlashes: Middleware = async function joinSlashesMiddleware(context: Context, next) {
  const { path } = context
  if (path.startsWith(SHAPES) && !path.startsWith(HOLDS_ADDRESS)) {
    const joined = path.replace(/\/{2,}/gu, '/')
    if (joined !== path) context.path = joined
  }
  await next()
}
