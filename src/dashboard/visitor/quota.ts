// What people spend who search and check on pages: points of their own, as a key spends its.
import { rateLimited } from '../../errors.ts'
import type { DashboardParts } from '../context.ts'
import type { DashboardContext } from '../state.ts'
import { sessionOf } from './visitor.ts'

/** Whose points are spent, and whose turn is taken. */
export const quotaSubject = (context: DashboardContext): string => `user:${sessionOf(context).user.id}`

/** Takes a point of the signed-in person's quota. @throws {ApiError} 429 when it is used up. */
export async function spendPoint(
  context: DashboardContext,
  { keyLimiter }: Pick<DashboardParts, 'keyLimiter'>,
): Promise<void> {
  const quota = await keyLimiter.consume(quotaSubject(context))
  if (!quota.allowed) throw rateLimited(quota.retryAfterSeconds)
}
