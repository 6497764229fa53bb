// Who did what: changes to keys, people and sessions, on pages and on the command line. Entries are only ever added, and
// forgotten when they are old.
import type { Logger } from '../../telemetry/log.ts'
import { mintId } from '../keys/key.ts'
import { deleteInChunks } from '../store/delete-in-chunks.ts'
import { cutPage, isOlderThan, type ListCursor } from '../store/list-cursor.ts'
import type { Store } from '../store/store.ts'

const KEPT_MS = 400 * 86_400_000
const FORGETTING_PAUSE_MS = 3_600_000
const SUBJECT_MAX = 200

/** Everything that is noted. */
export const AUDIT_ACTIONS = [
  'signed_in',
  'password_changed',
  'password_reset',
  'sessions_ended',
  'key_created',
  'key_renamed',
  'key_rotated',
  'key_deleted',
  'invitation_made',
  'invitation_withdrawn',
  'account_made',
  'reset_made',
  'account_closed',
  'engine_tested',
  'site_added',
  'site_read_again',
  'site_schedule_changed',
  'site_removed',
  'document_uploaded',
  'document_removed',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export interface AuditAct {
  /** Null for the command line. */
  actorId: string | null
  action: AuditAction
  /** What it was done to: a key's name, an e-mail address. Never a secret. */
  subject: string
}

export interface AuditEntry {
  occurredAt: Date
  /** One of AUDIT_ACTIONS, or one that a newer build noted. */
  action: string
  subject: string
  /** Null for the command line. */
  actorEmail: string | null
}

export interface AuditQuery {
  action?: AuditAction
  /** Only entries before this one. */
  before?: ListCursor
  limit: number
}

/** Newest first; `next` is null when these are the last. */
export interface AuditPage {
  entries: AuditEntry[]
  next: ListCursor | null
}

export function createAudit({ store, log }: { store: Store; log: Logger }) {
  const { database } = store
  let forgetAfterMs = 0
  let forgetting: Promise<void> = Promise.resolve()

  const forgetOld = (): void => {
    if (performance.now() < forgetAfterMs) return
    forgetAfterMs = performance.now() + FORGETTING_PAUSE_MS
    forgetting = deleteInChunks(
      database,
      'audit_log',
      ['occurred_at', 'entry_id'],
      Date.now() - KEPT_MS,
    ).catch((error: unknown) =>
      log.warn({ err: error }, 'old audit entries could not be forgotten; a later one tries again'),
    )
  }

  return {
    /**
     * Notes what has been done. Never rejects, since it is done already: where the store cannot be written, the log
     * holds the entry.
     */
    async note({ actorId, action, subject }: AuditAct): Promise<void> {
      const row = {
        occurred_at: Date.now(),
        entry_id: mintId('event'),
        actor_id: actorId,
        action,
        subject: subject.slice(0, SUBJECT_MAX),
      }
      try {
        await database.insertInto('audit_log').values(row).execute()
        forgetOld()
      } catch (error) {
        log.error({ err: error, audit: row }, 'what was done could not be noted in the audit log')
      }
    },

    async list({ action, before, limit }: AuditQuery): Promise<AuditPage> {
      let query = database
        .selectFrom('audit_log')
        .leftJoin('users', 'users.id', 'audit_log.actor_id')
        .select(['occurred_at', 'entry_id', 'action', 'subject', 'users.email as actor_email'])
        .orderBy('occurred_at', 'desc')
        .orderBy('entry_id', 'desc')
        .limit(limit + 1)
      if (action !== undefined) query = query.where('action', '=', action)
      if (before !== undefined) query = query.where(isOlderThan(before))
      const { shown, next } = cutPage(await query.execute(), limit)
      const entries = shown.map((row) => ({
        occurredAt: new Date(row.occurred_at),
        action: row.action,
        subject: row.subject,
        actorEmail: row.actor_email,
      }))
      return { entries, next }
    },

    /** Waits for what is being forgotten. */
    close: (): Promise<void> => forgetting,
  }
}
