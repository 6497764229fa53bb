import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { BundleError, checkBundle, checkResult } from '../../packages/verify/check-bundle.mjs'
import { STATEMENT_VERSION, type Bundle, type Statement } from '../../src/contract/bundle.ts'
import {
  createSigner,
  makeKey,
  publicKeyList,
  replaceKeys,
  type KeptKey,
} from '../../src/search/bundles/signing-key.ts'

const TEXT = 'Keys 🔑 can be revoked.\nA revoked key is refused.'
const SNIPPET = 'A revoked key is refused.'
const CAPTURE = Buffer.from(`<p>${TEXT}</p>`)
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const start = TEXT.indexOf(SNIPPET)
const statement: Statement = {
  version: STATEMENT_VERSION,
  issuer: 'https://search.example',
  signed_at: new Date().toISOString(),
  url: 'https://a.example/keys',
  final_url: 'https://a.example/keys/',
  fetched_at: new Date().toISOString(),
  capture: { sha256: sha256(CAPTURE), bytes: CAPTURE.length, media_type: 'text/html' },
  reader: '0.2.0',
  text: { sha256: sha256(TEXT), length: TEXT.length },
  snippets: [{ start, end: start + SNIPPET.length, sha256: sha256(SNIPPET) }],
}
const key = makeKey()
const keys = publicKeyList([key])
const signed = (changes: Partial<Statement> = {}, by: readonly KeptKey[] = [key]): Bundle => ({
  jws: createSigner(by)({ ...statement, ...changes }),
  snippets: [SNIPPET],
  text: TEXT,
})
const { text: _text, ...withoutText } = signed()

describe('a bundle', () => {
  test('that nobody touched is accepted, and tells what was signed and by which key', () => {
    const checked = checkBundle(signed(), keys)
    expect(checked).toEqual({
      statement,
      keyId: key.kid,
      snippets: [SNIPPET],
      isTextChecked: true,
      isCaptureChecked: false,
    })
  })

  test('without its text is only as good as its signature, and is checked whole with a text that was kept', () => {
    expect(checkBundle(withoutText, keys).isTextChecked).toBe(false)
    expect(checkBundle(withoutText, keys, { text: TEXT }).isTextChecked).toBe(true)
    expect(() => checkBundle(withoutText, keys, { text: `${TEXT} ` })).toThrow('The text')
    expect(() => checkBundle(signed(), keys, { text: `${TEXT} ` })).toThrow('The text')
  })

  test('is held to the page itself by whoever kept that', () => {
    expect(checkBundle(signed(), keys, { capture: CAPTURE }).isCaptureChecked).toBe(true)
    expect(() => checkBundle(signed(), keys, { capture: Buffer.from('<p>') })).toThrow('not what it was read')
  })

  test('of an older reader is accepted, since nothing is read anew, and says which it was', () => {
    expect(checkBundle(signed({ reader: '0.1.0' }), keys).statement.reader).toBe('0.1.0')
  })

  test('of a service that says more than this program knows is refused with that reason', () => {
    // As a later service would: no statement of ours has that version.
    const later = JSON.parse(JSON.stringify({ version: 2 })) as Partial<Statement>
    expect(() => checkBundle(signed(later), keys)).toThrow('has version 2; this program knows version 1')
  })

  test('with a member that nobody looks at is refused, so that nothing passes for proven that is not', () => {
    expect(() => checkBundle({ ...signed(), author: 'A. Person' }, keys)).toThrow('"author"')
  })

  test('whose snippet is not what stands at its offsets is refused, although the service signed it', () => {
    const elsewhere = { start: 0, end: SNIPPET.length, sha256: sha256(SNIPPET) }
    expect(() => checkBundle(signed({ snippets: [elsewhere] }), keys)).toThrow('not what stands at 0-')
  })

  test('whose text is half a character is refused: its digest would fit another one', () => {
    const [half, other] = ['a\uD83D', 'a\uD83E']
    const broken = { ...signed({ text: { sha256: sha256(half), length: 2 }, snippets: [] }), snippets: [] }
    expect(sha256(half)).toBe(sha256(other))
    expect(() => checkBundle({ ...broken, text: other }, keys)).toThrow('no well-formed text')
  })

  test.each([
    null,
    [],
    'x',
    1,
    {},
    { jws: null },
    { jws: {} },
    { jws: { protected: 'e30', payload: 'e30' } },
  ])('that is none is refused: %j', (none) => {
    expect(() => checkBundle(none, keys)).toThrow(/./u)
    expect(() => checkBundle(signed(), none)).toThrow('no JWK set')
  })
})

describe('a key that was replaced', () => {
  const replaced = replaceKeys([key], true)

  test('is listed without its private half, and what it signed before is accepted', () => {
    const list = publicKeyList(replaced)
    expect(list.keys).toHaveLength(2)
    expect(JSON.stringify(list)).not.toMatch(/"d"/u)
    expect(replaced[1]).toMatchObject({ kid: key.kid, d: null })
    expect(checkBundle(signed(), list).keyId).toBe(key.kid)
    expect(checkBundle(signed({}, replaced), list).keyId).toBe(replaced[0]?.kid)
  })

  test('is refused for what is said to be signed long after, and for what it signed before it was made', () => {
    const [tomorrow, longAgo] = [new Date(Date.now() + 86_400_000), new Date(0)]
    const list = publicKeyList(replaced)
    for (const moment of [tomorrow, longAgo])
      expect(() => checkBundle(signed({ signed_at: moment.toISOString() }), list)).toThrow('did not sign')
  })

  test('is unknown once it is not trusted any more', () => {
    const list = publicKeyList(replaceKeys([key], false))
    expect(() => checkBundle(signed(), list)).toThrow('not in the list')
  })
})

test('a list that names a key by the thumbprint of another one is refused', () => {
  const [one, two] = [publicKeyList([makeKey()]).keys[0], keys.keys[0]]
  expect(() => checkBundle(signed(), { keys: [{ ...one, kid: two?.kid }] })).toThrow('not the one')
})

describe('what an answer shows beside a bundle', () => {
  const end = start + SNIPPET.length
  const shown = { text: SNIPPET, relevance_score: 0.9, start, end }
  const result = {
    url: statement.final_url,
    title: 'Keys',
    snippets: [shown],
    content_sha256: statement.text.sha256,
    fetched_at: statement.fetched_at,
  }
  const check = (changes: object) => () =>
    checkResult({ ...result, ...changes }, checkBundle(withoutText, keys))

  test('is accepted where it is what was signed, or less', () => {
    expect(check({})).not.toThrow()
    expect(check({ url: statement.url, final_url: statement.final_url })).not.toThrow()
    expect(check({ snippets: [{ text: SNIPPET }], content_sha256: null })).not.toThrow()
    expect(check({ snippets: [] })).not.toThrow()
  })

  test.each([
    ['a snippet in other words', { snippets: [{ ...shown, text: SNIPPET.replace('refused', 'accepted') }] }],
    ['a part of a snippet', { snippets: [{ text: SNIPPET.slice(2) }] }],
    ['a snippet more', { snippets: [shown, { text: 'Keys never end.' }] }],
    ['a snippet without text', { snippets: [{}] }],
    ['no object as a snippet', { snippets: [null] }],
    ['a snippet at another place', { snippets: [{ ...shown, start: start - 1 }] }],
    ['a snippet with another end', { snippets: [{ text: SNIPPET, end: end + 1 }] }],
    ['snippets that are no list', { snippets: { length: 0 } }],
    ['another page', { url: 'https://b.example/' }],
    ['another final page', { final_url: statement.url }],
    ['another text', { content_sha256: 'a'.repeat(64) }],
    ['another time', { fetched_at: '2020-01-01T00:00:00.000Z' }],
  ])('is refused where it is %s', (_what, changes) => {
    expect(check(changes)).toThrow(BundleError)
  })
})
