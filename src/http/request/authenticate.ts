// Who calls, and how often they may: the two checks that come before anything of a request's body is read, so that an
// anonymous caller can neither make us parse bodies nor learn our schema.
import type { Context, Middleware, ParameterizedContext } from 'koa'
import type { RateLimitResult } from '../../accounts/keys/rate-limiter.ts'
import { isForHeader } from '../../accounts/keys/key.ts'
import { runForOwner } from '../../concurrency/turns/task-owner.ts'
import type { KeyScope } from '../../contract/key-scopes.ts'
import {
  type ApiError,
  insufficientScope,
  keyInAddress,
  pathTokenRefused,
  rateLimited,
  unauthorized,
} from '../../errors.ts'
import type { RequestState } from './follow-requests.ts'
import type { PathTokenState } from './path-token.ts'

/** What http needs to know of a key. */
export interface CallerKey {
  id: string
  /** The key's own limit per window; null for the service's default. */
  rateLimitPoints: number | null
  scopes: readonly KeyScope[]
  /** Whether it may stand in an address. */
  isPathToken: boolean
}

export interface DoorOptions {
  /** The key's record, or null for one that is missing, malformed, unknown, revoked or expired: no matter which. */
  verifyKey(key: string | null, userAgent: string): Promise<CallerKey | null>
  /** Spends one point of a key. */
  consumeKeyPoint(key: CallerKey): Promise<RateLimitResult>
  /** Spends one point of an address that sent a refused key. */
  consumeRefusalPoint(address: string): Promise<RateLimitResult>
}

export interface CallerState extends RequestState, PathTokenState {
  caller: CallerKey
}

/** RFC 9110 §11.1: the scheme is case-insensitive, the token68 after it is not. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/iu

/** Lets a request with a usable key pass, whose tasks are then its caller's; else 401, or 429 once its address has guessed too often. */
export function authenticate(options: DoorOptions): Middleware<CallerState> {
  return async function authenticateMiddleware(context, next) {
    const { pathToken } = context.state
    const caller = await options.verifyKey(pathToken ?? keyInHeaders(context), context.get('User-Agent'))
    // A key that found its way into an address has been seen by whoever keeps addresses.
    if (caller === null || (pathToken !== undefined && !caller.isPathToken)) {
      const refusals = await options.consumeRefusalPoint(context.ip)
      if (!refusals.allowed) throw rateLimited(refusals.retryAfterSeconds)
      throw refusalOf(pathToken)
    }
    context.state.caller = caller
    await runForOwner(caller.id, next)
  }
}

function refusalOf(pathToken: string | undefined): ApiError {
  if (pathToken === undefined) return unauthorized()
  return isForHeader(pathToken) ? keyInAddress() : pathTokenRefused()
}

/** Clients of some foreign services know no other header than `X-API-Key`. */
function keyInHeaders(context: Context): string | null {
  const bearer = BEARER.exec(context.get('Authorization'))?.[1]
  if (bearer !== undefined) return bearer
  const isForeign = context.path.startsWith('/compat/')
  return isForeign && context.get('X-API-Key') !== '' ? context.get('X-API-Key') : null
}

/** Lets a caller pass whose key has the scope, or one of them; else 403. */
export function demandScope(scope: KeyScope | readonly KeyScope[]): Middleware<CallerState> {
  const opening = [scope].flat()
  return async function demandScopeMiddleware(context, next) {
    const { scopes } = context.state.caller
    if (!opening.some((one) => scopes.includes(one))) throw insufficientScope(opening)
    await next()
  }
}

/** Spends a point of the caller's key; the headers tell what is left, on success too. 429 when nothing is. */
export function limitRate(options: DoorOptions): Middleware<CallerState> {
  return async function limitRateMiddleware(context, next) {
    await spendPoint(context, options)
    await next()
  }
}

/** Spends one more point of the caller's key and tells what is left. @throws {ApiError} 429 when nothing was. */
export async function spendPoint(
  context: ParameterizedContext<CallerState>,
  { consumeKeyPoint }: Pick<DoorOptions, 'consumeKeyPoint'>,
): Promise<void> {
  const result = await consumeKeyPoint(context.state.caller)
  context.set(rateLimitHeaders(result))
  if (!result.allowed) throw rateLimited(result.retryAfterSeconds)
}

/** The IETF draft's two headers (draft-ietf-httpapi-ratelimit-headers) and the X- family that SDKs parse. */
function rateLimitHeaders(result: RateLimitResult): Record<string, string> {
  return {
    'RateLimit-Policy': `"default";q=${result.limit};w=${result.windowSeconds}`,
    RateLimit: `"default";r=${result.remaining};t=${result.resetSeconds}`,
    'X-RateLimit-Limit': String(result.limit),
    'X-RateLimit-Remaining': String(result.remaining),
    'X-RateLimit-Reset': String(result.resetSeconds),
  }
}
