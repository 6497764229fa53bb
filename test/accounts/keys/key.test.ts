import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  displayParts,
  hashSecret,
  isKeyInAddress,
  isSameText,
  isWellFormedKey,
  mintId,
  mintKey,
  mintToken,
} from '../../../src/accounts/keys/key.ts'
import { scrubSecrets } from '../../../src/telemetry/log.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('an API key', () => {
  it('is vbt_ and 36 base62 characters, is well formed, and never comes twice', () => {
    const keys = Array.from({ length: 2_000 }, mintKey)
    for (const key of keys) {
      expect(key).toMatch(/^vbt_[0-9A-Za-z]{36}$/u)
      expect(isWellFormedKey(key)).toBe(true)
    }
    expect(new Set(keys).size).toBe(keys.length)
  })

  it.each(['vbt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0Tg7lA', 'vbp_0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a1jvVeO'])(
    'of an earlier day stays well formed: %s',
    (key) => {
      expect(isWellFormedKey(key)).toBe(true)
    },
  )

  it('for the path is vbp_ and 36 base62 characters, and only what is meant to be a key is taken out of an address', () => {
    const token = mintKey('path')
    expect(token).toMatch(/^vbp_[0-9A-Za-z]{36}$/u)
    expect(isWellFormedKey(token)).toBe(true)
    expect([token, mintKey(), 'vbp_x', 'vbp_9Z'].filter(isKeyInAddress)).toHaveLength(4)
    expect(['vbi_x', 'vbp_', 'a/vbp_x', 'vbp_x/', 'vbp_-', 'vbp_x\n'].filter(isKeyInAddress)).toEqual([])
  })

  it('draws its random characters evenly from all 62', () => {
    const counts = new Map<string, number>()
    for (let index = 0; index < 4_000; index += 1) {
      for (const character of mintKey().slice(4, 34)) counts.set(character, (counts.get(character) ?? 0) + 1)
    }
    const expected = (4_000 * 30) / 62
    const chiSquare = BASE62.split('').reduce(
      (sum, character) => sum + ((counts.get(character) ?? 0) - expected) ** 2 / expected,
      0,
    )
    // 61 degrees of freedom: a fair source exceeds 140 once in ten million runs; `byte % 62` without rejection gives above 900.
    expect(chiSquare).toBeLessThan(140)
  })

  it('with any one character changed is refused without a look-up', () => {
    const key = mintKey()
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: key.length - 1 }),
        fc.constantFrom(...`${BASE62}_- `.split('')),
        (at, character) => {
          fc.pre(key[at] !== character)
          return !isWellFormedKey(key.slice(0, at) + character + key.slice(at + 1))
        },
      ),
    )
  })

  it('with two neighbouring characters swapped is refused without a look-up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 38 }), (at) => {
        const key = mintKey()
        const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
        return isWellFormedKey(swapped) === (swapped === key)
      }),
    )
  })

  it('is not mistaken for any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => !isWellFormedKey(text)),
    )
    for (const text of [
      '',
      'vbt_',
      `${mintKey()}\n`,
      ` ${mintKey()}`,
      mintKey().toUpperCase(),
      mintToken('session'),
    ]) {
      expect(isWellFormedKey(text)).toBe(false)
    }
  })

  it('shows its first eight and last four characters, too few to use', () => {
    const key = mintKey()
    const { prefix, lastFour } = displayParts(key)
    expect({ prefix, lastFour }).toEqual({ prefix: key.slice(0, 8), lastFour: key.slice(36) })
  })

  it('is stored as its SHA-256', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

it.each([
  ['invitation', /^vbi_[0-9A-Za-z]{43}$/u],
  ['session', /^vbs_[0-9A-Za-z]{43}$/u],
  ['reset', /^vbr_[0-9A-Za-z]{43}$/u],
] as const)('a secret of the kind %s is its prefix and 43 base62 characters', (kind, shape) => {
  expect(mintToken(kind)).toMatch(shape)
  expect(mintToken(kind)).not.toBe(mintToken(kind))
})

it('an id is the kind of its row and 16 base62 characters', () => {
  expect(mintId('key')).toMatch(/^key_[0-9A-Za-z]{16}$/u)
})

it('secrets are the same only when every byte is', () => {
  expect(isSameText('schlüssel', 'schlüssel')).toBe(true)
  for (const other of ['schlussel', 'schlüsse', 'schlüssel ', ''])
    expect(isSameText('schlüssel', other)).toBe(false)
})

it('every kind of secret is scrubbed from the log', () => {
  for (const secret of [mintKey(), mintToken('invitation'), mintToken('session'), mintToken('reset')]) {
    expect(scrubSecrets(`got ${secret}.`)).not.toContain(secret.slice(8, 20))
  }
})
