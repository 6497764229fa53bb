import { describe, expect, test } from 'vitest'
import {
  formatAge,
  formatDuration,
  formatMoment,
  formatShare,
  formatSpan,
  safeLink,
} from '../../../src/dashboard/frame/formats.ts'

describe('formats', () => {
  test.each([
    [null, '–'],
    [0, '0 ms'],
    [86.6, '87 ms'],
    [1_240, '1.24 s'],
    [12_345, '12.3 s'],
  ])('a duration of %j ms reads %j', (durationMs, text) => expect(formatDuration(durationMs)).toBe(text))

  test.each([
    [30_000, 'just now'],
    [5 * 60_000, '5 min ago'],
    [3 * 3_600_000, '3 h ago'],
    [30 * 3_600_000, 'yesterday'],
    [50 * 3_600_000, '2 days ago'],
  ])('what was %i ms ago reads %j', (ageMs, text) => {
    const now = new Date('2026-11-21T12:00:00Z')
    expect(formatAge(new Date(now.getTime() - ageMs), now)).toBe(text)
  })

  test.each([
    [1_000, 'under a minute'],
    [4 * 60_000, '4 min'],
    [192 * 60_000, '3 h 12 min'],
    [50 * 3_600_000, '2 days 2 h'],
  ])('a span of %i ms reads %j', (spanMs, text) => expect(formatSpan(spanMs)).toBe(text))

  test.each([
    [0, 0, '–'],
    [0, 10, '0'],
    [1, 10_000, '1 (under 0.1 %)'],
    [34, 1_000, '34 (3.4 %)'],
    [340, 1_000, '340 (34 %)'],
    [9_960, 10_000, '9,960 (99.6 %)'],
    [9_999, 10_000, '9,999 (over 99.9 %)'],
    [10_000, 10_000, '10,000 (100 %)'],
  ])('%i of %i reads %j: only all of it is 100 %%, and only nothing is 0', (count, total, text) =>
    expect(formatShare(count, total)).toBe(text),
  )

  test('moments are told in UTC wherever the server stands', () => {
    expect(formatMoment(new Date('2026-11-21T23:13:00Z'))).toBe('21 Nov 2026, 23:13 UTC')
  })

  test.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:x',
    'data:text/html,x',
    'file:///etc/passwd',
    'nonsense',
    '',
  ])('%j is no link', (url) => expect(safeLink(url)).toBeNull())
  test('http and https addresses are links', () => {
    expect(safeLink('https://example.org/#:~:text=a')).toBe('https://example.org/#:~:text=a')
    expect(safeLink('http://example.org')).toBe('http://example.org')
  })
})
