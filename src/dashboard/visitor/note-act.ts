// What signed-in people do on pages, noted with who did it.
import type { AuditAction } from '../../accounts/audit/audit.ts'
import type { DashboardParts } from '../context.ts'
import type { DashboardContext } from '../state.ts'
import { sessionOf } from './visitor.ts'

/** Notes an act of the signed-in person. Never rejects. */
export const noteAct = (
  context: DashboardContext,
  { audit }: Pick<DashboardParts, 'audit'>,
  action: AuditAction,
  subject: string,
): Promise<void> => audit.note({ actorId: sessionOf(context).user.id, action, subject })
