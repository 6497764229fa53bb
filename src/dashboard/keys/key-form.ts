// The form that makes a key: from three texts to a request, or to a sentence beside each field that is wrong.

/** The fields as they were typed, to be shown again. */
export interface KeyFormFields {
  name: string
  expires: string
  points: string
}

export type KeyForm =
  | {
      ok: true
      sent: KeyFormFields
      request: { name: string; expiresAt: Date | null; rateLimitPoints: number | null }
    }
  | { ok: false; sent: KeyFormFields; wrong: Partial<KeyFormFields> }

const NAME_CHARACTERS = 100
const POINTS_MAX = 1_000_000

/** `expires` is a day, "2027-01-31", at whose end (UTC) the key stops working; '' for never. `points` '' for the default. */
export function readKeyForm(sent: KeyFormFields, now: Date = new Date()): KeyForm {
  const name = sent.name.trim()
  const expiresAt = sent.expires === '' ? null : endOfDay(sent.expires)
  const points = sent.points.trim() === '' ? null : Number(sent.points)
  const wrong: Partial<KeyFormFields> = {}
  if (name === '' || name.length > NAME_CHARACTERS)
    wrong.name = `A name has 1 to ${NAME_CHARACTERS} characters.`
  if (expiresAt !== null && !(expiresAt > now)) wrong.expires = 'Choose a day that is not over yet.'
  if (points !== null && !(Number.isInteger(points) && points >= 1 && points <= POINTS_MAX)) {
    wrong.points = 'A rate limit is a whole number from 1 to 1,000,000.'
  }
  if (Object.keys(wrong).length > 0) return { ok: false, sent, wrong }
  return { ok: true, sent, request: { name, expiresAt, rateLimitPoints: points } }
}

/** The last millisecond of a day; an invalid date for anything that is no day. */
function endOfDay(day: string): Date {
  return new Date(/^\d{4}-\d{2}-\d{2}$/u.test(day) ? `${day}T23:59:59.999Z` : Number.NaN)
}
