// The form that makes a key: from texts to a request, or to a sentence beside each field that is wrong.
import { endOfDay } from '../../accounts/keys/expiry.ts'
import { isKeyName, isRateLimit, KEY_NAME_RULE, RATE_LIMIT_RULE } from '../../accounts/keys/api-key.ts'
import { KEY_SCOPES, type KeyScope } from '../../contract/key-scopes.ts'

/** The fields as they were typed, to be shown again. */
export interface KeyFormFields {
  name: string
  expires: string
  points: string
  /** Where the key will stand. */
  place: string
  scopes: readonly string[]
}

/** A sentence for each field that is wrong. */
export type KeyFormFaults = Partial<Record<keyof KeyFormFields, string>>

export type KeyForm =
  | {
      ok: true
      sent: KeyFormFields
      request: {
        name: string
        expiresAt: Date | null
        rateLimitPoints: number | null
        isPathToken: boolean
        scopes?: readonly KeyScope[]
      }
    }
  | { ok: false; sent: KeyFormFields; wrong: KeyFormFaults }

export const EMPTY_KEY_FORM: KeyFormFields = {
  name: '',
  expires: '',
  points: '',
  place: 'header',
  scopes: [],
}

const HOUR_MS = 3_600_000

/** How long a key may go on working that is rotated, by what the form says. */
export const GRACES = [
  ['1d', 'in 24 hours', 24 * HOUR_MS],
  ['0', 'at once', 0],
  ['1h', 'in an hour', HOUR_MS],
  ['7d', 'in 7 days', 7 * 24 * HOUR_MS],
  ['30d', 'in 30 days', 30 * 24 * HOUR_MS],
] as const

/** Milliseconds; null for what the form does not offer. */
export const readGrace = (text: string): number | null =>
  GRACES.find(([value]) => value === text)?.[2] ?? null

/**
 * `expires` is a day, "2027-01-31", at whose end (UTC) the key stops working; '' for never. `points` '' for the default,
 * and no scopes for the usual ones.
 */
export function readKeyForm(sent: KeyFormFields, now: Date = new Date()): KeyForm {
  const expiresAt = sent.expires === '' ? null : endOfDay(sent.expires)
  const points = sent.points.trim() === '' ? null : Number(sent.points)
  const scopes = KEY_SCOPES.filter((scope) => sent.scopes.includes(scope))
  const wrong: KeyFormFaults = {}
  if (!isKeyName(sent.name)) wrong.name = KEY_NAME_RULE
  if (sent.expires !== '' && (expiresAt === null || expiresAt <= now))
    wrong.expires = 'Choose a day that is not over yet.'
  if (points !== null && !isRateLimit(points)) wrong.points = RATE_LIMIT_RULE
  if (sent.scopes.length > scopes.length) wrong.scopes = `The scopes are ${KEY_SCOPES.join(', ')}.`
  if (Object.keys(wrong).length > 0) return { ok: false, sent, wrong }
  const request = {
    name: sent.name.trim(),
    expiresAt,
    rateLimitPoints: points,
    isPathToken: sent.place === 'path',
    ...(scopes.length === 0 ? {} : { scopes }),
  }
  return { ok: true, sent, request }
}
