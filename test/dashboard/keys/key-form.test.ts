import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_KEY_FORM, readKeyForm } from '../../../src/dashboard/keys/key-form.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const anything = fc.oneof(
  fc.string({ maxLength: 120 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e3',
    '0x10',
    'Infinity',
    '2026-02-31',
    '2026-11-21',
    '9999-12-31',
    '1000001',
  ),
)
const scopes = fc.uniqueArray(fc.constantFrom('search', 'read', 'metrics', 'everything', ''), {
  maxLength: 3,
})

test('a form that is accepted makes a key that can be made: a name, a day that is not over, a whole limit, known scopes', () => {
  fc.assert(
    fc.property(anything, anything, anything, scopes, (name, expires, points, chosen) => {
      const sent = { name, expires, points, place: 'header', scopes: chosen }
      const form = readKeyForm(sent, NOW)
      expect(form.sent).toEqual(sent)
      expect(form.ok || Object.keys(form.wrong).length > 0).toBe(true)
      if (!form.ok) return
      expect(form.request.name).toBe(name.trim())
      expect(form.request.name.length).toBeGreaterThanOrEqual(1)
      expect(form.request.name.length).toBeLessThanOrEqual(100)
      if (form.request.expiresAt !== null) expect(form.request.expiresAt > NOW).toBe(true)
      // Nothing that is named is left out, and none named means the usual ones, never none.
      expect(new Set(form.request.scopes)).toEqual(new Set(chosen))
      expect(form.request.scopes).not.toEqual([])
      const { rateLimitPoints } = form.request
      if (rateLimitPoints !== null)
        expect(Number.isSafeInteger(rateLimitPoints) && rateLimitPoints >= 1).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('a key that ends on a day works to the end of that day', () => {
  const day = fc.date({ min: NOW, max: new Date('2999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(day, (moment) => {
      const expires = moment.toISOString().slice(0, 10)
      const form = readKeyForm({ ...EMPTY_KEY_FORM, name: 'n', expires }, NOW)
      expect(form.ok && form.request.expiresAt?.toISOString()).toBe(`${expires}T23:59:59.999Z`)
    }),
  )
})

test.each(['2027-02-31', '2027-02-29', '2027-04-31', '2027-13-01', '2027-00-10'])(
  'a key cannot end on %s, which no calendar has: it is refused and not taken for another day',
  (expires) => {
    const form = readKeyForm({ ...EMPTY_KEY_FORM, name: 'n', expires }, NOW)
    expect(!form.ok && form.wrong).toEqual({ expires: 'Choose a day that is not over yet.' })
  },
)
