import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normaliseEmail } from '../../../src/accounts/people/users.ts'

test('an e-mail address has one form, whatever its case, spaces and composition: no two accounts share one', () => {
  const word = fc.stringMatching(/^[a-zà-ÿ0-9.+_-]{1,20}$/u)
  fc.assert(
    fc.property(word, fc.stringMatching(/^[a-z0-9-]{1,20}(\.[a-z]{2,6}){0,2}$/u), (name, host) => {
      const normal = normaliseEmail(`${name}@${host}`)
      expect(normal).not.toBeNull()
      for (const same of [
        ` ${name}@${host}\n`,
        `${name}@${host}`.toUpperCase(),
        `${name}@${host}`.normalize('NFD'),
      ])
        expect(normaliseEmail(same)).toBe(normal)
    }),
  )
})

test('what is accepted as an e-mail address is one line with one host, at most 254 characters, and stays as it is', () => {
  const piece = fc.constantFrom('@', '.', ' ', '\n', '\u0000', 'a', 'B', 'é', '😀', '"', '<', 'example.org')
  const text = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.array(piece, { maxLength: 30 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(text, (sent) => {
      const normal = normaliseEmail(sent)
      if (normal === null) return
      expect(normal.length).toBeLessThanOrEqual(254)
      expect(normal).toMatch(/^[^\s@]+@[^\s@]+$/u)
      expect(normaliseEmail(normal)).toBe(normal)
    }),
    { numRuns: 1_000 },
  )
})
