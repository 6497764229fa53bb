import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freshnessOf, variesBy, type CachingHeaders } from '../../src/pages/freshness.ts'

const limits = { freshMs: 10_000, freshMaxMs: 3_600_000 }
const date = 'Mon, 23 Nov 2026 01:00:00 GMT'
const secondsOf = (said: CachingHeaders): number | null => {
  const freshMs = freshnessOf(said, limits)
  return freshMs === null ? null : Math.round(freshMs / 1_000)
}

describe('how long a page is fresh', () => {
  it.each<[string, CachingHeaders, number | null]>([
    ['is our own choice when it says nothing', {}, 10],
    ['is our own choice when it says only who may keep it', { 'cache-control': 'public' }, 10],
    ['is what max-age says', { 'cache-control': 'max-age=60' }, 60],
    ['is what s-maxage says to shared caches', { 'cache-control': 's-maxage=90, max-age=60' }, 90],
    ['is less by the time it lay in caches on the way', { 'cache-control': 'max-age=60', age: '45' }, 15],
    ['is over when it lay there for longer', { 'cache-control': 'max-age=60', age: '61' }, 0],
    ['is up to Expires, by the site’s own clock', { date, expires: 'Mon, 23 Nov 2026 01:02:00 GMT' }, 120],
    ['is nothing when Expires is past', { date, expires: 'Thu, 19 Nov 1981 08:52:00 GMT' }, 0],
    ['is nothing when Expires is no date', { date, expires: '0' }, 0],
    [
      'is what max-age says when Expires says otherwise',
      { 'cache-control': 'max-age=60', date, expires: date },
      60,
    ],
    ['is nothing with the old Pragma', { pragma: 'no-cache' }, 0],
    ['is nothing with no-cache, whatever else is said', { 'cache-control': 'no-cache, max-age=60' }, 0],
    ['is nothing when it varies by everything', { 'cache-control': 'max-age=60', vary: 'Accept, *' }, 0],
    ['is at most the limit', { 'cache-control': 'max-age=31536000' }, 3_600],
    ['is no question for what must not be kept', { 'cache-control': 'No-Store, max-age=60' }, null],
    ['is no question for what is one person’s', { 'cache-control': 'private, max-age=60' }, null],
  ])('%s', (_, said, seconds) => {
    expect(secondsOf(said)).toBe(seconds)
  })

  it('is within the limits whatever a site sends', () => {
    const value = fc.oneof(fc.string(), fc.constantFrom('max-age=-1', 'max-age=9e99', 'max-age', '-5', date))
    const said = fc.record(
      { age: value, 'cache-control': value, date: value, expires: value, pragma: value, vary: value },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(said, (headers) => {
        const freshMs = freshnessOf(headers, limits)
        expect(freshMs === null || (freshMs >= 0 && freshMs <= limits.freshMaxMs)).toBe(true)
      }),
    )
  })
})

describe('a page varies by a header', () => {
  it.each([
    ['Accept-Language', true],
    ['accept-encoding,ACCEPT-LANGUAGE', true],
    ['*', true],
    ['Accept-Encoding', false],
    ['X-Accept-Language', false],
  ])('that is named: Vary: %s', (vary, expected) => {
    expect(variesBy('accept-language', { vary })).toBe(expected)
  })

  it('never when it does not say so', () => {
    expect(variesBy('accept-language', {})).toBe(false)
  })
})
