import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { liesUnder, readForeignDomain } from '../../../src/http/compat/foreign-domains.ts'

const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,8}[a-z])?$/u)
const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'))
const path = fc.array(label, { maxLength: 3 }).map((steps) => steps.map((step) => `/${step}`).join(''))
const anyCase = (text: string, upper: boolean): string => (upper ? text.toUpperCase() : text)

describe('a domain as clients of Tavily write it', () => {
  test('is the same domain and path with scheme, wildcard, capitals, port and slashes around it', () => {
    const scheme = fc.constantFrom('', 'https://', 'http://', 'HTTPS://')
    const spelling = fc.record({ scheme, isUpper: fc.boolean(), slash: fc.boolean(), space: fc.boolean() })
    fc.assert(
      fc.property(domain, path, spelling, fc.boolean(), (host, below, spelt, isWild) => {
        const front = spelt.scheme === '' && isWild ? '*.' : spelt.scheme
        const text = front + anyCase(host, spelt.isUpper) + below + (spelt.slash ? '/' : '')
        expect(readForeignDomain(spelt.space ? ` ${text} ` : text)).toEqual({ domain: host, path: below })
      }),
    )
  })

  test('holds what lies on it, on its sub-domains and below its path, and nothing beside them', () => {
    fc.assert(
      fc.property(domain, path, label, (host, below, more) => {
        const asked = { domain: host, path: below }
        expect(liesUnder(`https://${host}${below}`, asked)).toBe(true)
        expect(liesUnder(`https://${more}.${host}${below}/${more}?q=1#f`, asked)).toBe(true)
        expect(liesUnder(`https://${more}${host}${below}`, asked)).toBe(false)
        // No host made above has a hyphen: a.a followed by .a would end in itself.
        expect(liesUnder(`https://${host}.else-${more}${below}`, asked)).toBe(false)
        if (below !== '') expect(liesUnder(`https://${host}${below}${more}`, asked)).toBe(false)
      }),
    )
  })

  test('never fails, whatever is sent as one, and what is no domain keeps its words for the refusal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 }), (text, url) => {
        const read = readForeignDomain(text)
        liesUnder(url, read)
        if (/[\s*@]/u.test(text.trim().replace(/^\*\./u, '')))
          expect(read).toEqual({ domain: text.trim(), path: '' })
      }),
    )
  })
})
