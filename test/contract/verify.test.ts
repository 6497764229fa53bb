import { describe, expect, test } from 'vitest'
import { parseVerifyRequest } from '../../src/contract/verify.ts'

describe('a request to verify quotes', () => {
  const digest = '0123456789abcdef'.repeat(4)
  const NOT_BOTH = { pointer: '/url', message: 'Send either url or content_sha256.' }
  const BAD_URL = { pointer: '/url', message: 'url must be an http://, https:// or file:// address.' }
  const BAD_DIGEST = {
    pointer: '/content_sha256',
    message: 'content_sha256 must be 64 lower-case hexadecimal digits.',
  }
  const url = 'http://a.example/'
  const quotes = ['a quote']

  test.each([
    [{ url, quotes }],
    [{ url: 'https://a.example', quotes: Array(50).fill('x'.repeat(2_000)) }],
    [{ content_sha256: digest, quotes, recheck: true }],
    [{ url, quotes, recheck: false }],
    [{ url: 'file://uploads/handbook.pdf', quotes }],
  ])('may be %j', (body) => {
    expect(parseVerifyRequest(body)).toEqual({ ok: true, request: body })
  })

  test.each<[Record<string, unknown>, { pointer: string; message: string }]>([
    [{ quotes }, NOT_BOTH],
    [{ url, content_sha256: digest, quotes }, NOT_BOTH],
    [{ url: 'ftp://a.example/', quotes }, BAD_URL],
    [{ url: 'xhttp://a.example/', quotes }, BAD_URL],
    [{ url: 'httpsx://a.example/', quotes }, BAD_URL],
    [{ content_sha256: digest.slice(1), quotes }, BAD_DIGEST],
    [{ content_sha256: `${digest}0`, quotes }, BAD_DIGEST],
    [{ content_sha256: digest.toUpperCase(), quotes }, BAD_DIGEST],
    [
      { content_sha256: 7, quotes },
      { pointer: '/content_sha256', message: 'content_sha256 must be a string.' },
    ],
    [
      { url, quotes: 'a' },
      { pointer: '/quotes', message: 'quotes must be an array of strings.' },
    ],
    [
      { url, quotes: [] },
      { pointer: '/quotes', message: 'quotes must hold at least one quote.' },
    ],
    [
      { url, quotes: Array(51).fill('a') },
      { pointer: '/quotes', message: 'quotes must hold at most 50 quotes.' },
    ],
    [
      { url, quotes: ['a', 7] },
      { pointer: '/quotes/1', message: 'quotes.1 must be a string.' },
    ],
    [
      { url, quotes: [''] },
      { pointer: '/quotes/0', message: 'quotes.0 must not be empty.' },
    ],
    [
      { url, quotes: ['a', ' \u200B'] },
      { pointer: '/quotes/1', message: 'quotes.1 must not be blank.' },
    ],
    [
      { url, quotes: ['x'.repeat(2_001)] },
      { pointer: '/quotes/0', message: 'quotes.0 must be at most 2000 characters long.' },
    ],
    [
      { content_sha256: digest, quotes, recheck: 1 },
      { pointer: '/recheck', message: 'recheck must be true or false.' },
    ],
    [
      { url, quotes, recheck: true },
      {
        pointer: '/recheck',
        message: 'recheck needs content_sha256: what the page said before is known by it.',
      },
    ],
  ])('is refused when it is %j', (body, issue) => {
    expect(parseVerifyRequest(body)).toEqual({ ok: false, issues: [issue] })
  })
})
