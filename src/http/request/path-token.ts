// Tokens that stand in the address, for clients that send no header: `/compat/searxng/TOKEN/search` is `/compat/searxng/
// search` with a token. It is taken out of the path before anything else looks at it, so that no route, log line or
// trace ever holds it; a key that was put there by mistake is taken out as well, for the door to refuse.
import type { Context, Middleware } from 'koa'
import { isKeyInAddress } from '../../accounts/keys/key.ts'

export interface PathTokenState {
  /** What stood in the address; whether it is a token of ours is for the door to say. */
  pathToken?: string
}

/** Must stand before every other middleware. */
export const takePathToken: Middleware = async function takePathTokenMiddleware(context: Context, next) {
  const segments = context.path.split('/')
  const at = segments.findIndex(isKeyInAddress)
  if (at !== -1) {
    context.state['pathToken'] = segments[at]
    context.path = segments.toSpliced(at, 1).join('/')
  }
  await next()
}
