import { expect, test } from 'vitest'
import { parseJson, readRetryAfter, throwForStatus } from '../../src/providers/engine-answer.ts'

test('Retry-After is read as seconds and as a date', () => {
  const now = new Date('2026-11-02T08:30:00Z')
  const cases = {
    '120': 120,
    'Mon, 02 Nov 2026 08:31:00 GMT': 60,
    'Mon, 02 Nov 2026 08:00:00 GMT': 0,
    soon: null,
    '-5': null,
  }
  for (const [header, seconds] of Object.entries(cases)) expect(readRetryAfter(header, now)).toBe(seconds)
  expect(readRetryAfter(undefined, now)).toBeNull()
})

test.each([
  [429, 'rate_limited'],
  [503, 'unreachable'],
  [401, 'misconfigured'],
  [432, 'misconfigured'],
  [414, 'refused'],
  [404, 'misconfigured'],
  [302, 'misconfigured'],
])(
  'a status of %i is told as %s, with the time after which the engine may be asked again',
  (status, failure) => {
    const answer = { status, headers: { 'retry-after': '7' }, text: '' }
    const isPassing = status === 429 || status === 503
    expect(() => throwForStatus('engine', answer)).toThrow(
      expect.objectContaining({
        provider: 'engine',
        failure,
        ...(isPassing ? { retryAfterSeconds: 7 } : {}),
      }),
    )
  },
)

test('every 2xx is an answer', () => {
  for (const status of [200, 204])
    expect(() => throwForStatus('engine', { status, headers: {}, text: '' })).not.toThrow()
})

test('what is no JSON is a bad answer that never quotes what came', () => {
  const failureOf = (text: string): unknown => {
    try {
      return parseJson('engine', text)
    } catch (error) {
      return error
    }
  }
  expect(failureOf('{"a":1}')).toEqual({ a: 1 })
  expect(failureOf(' <html>secret')).toMatchObject({
    failure: 'bad_answer',
    message: expect.stringContaining('HTML'),
  })
  expect(JSON.stringify([failureOf('{"secret'), String(failureOf('{"secret'))])).not.toContain('secret')
})
