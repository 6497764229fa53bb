import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mintKey, mintToken } from '../../src/accounts/keys/key.ts'
import { createLogger, scrubSecrets } from '../../src/telemetry/log.ts'

const secret = fc
  .constantFrom(
    () => mintKey(),
    () => mintToken('session'),
    () => mintToken('invitation'),
    () => mintToken('reset'),
  )
  .map((mint) => mint())
/** What may stand beside a secret without being taken for a part of it. */
const around = fc.constantFrom(
  '',
  '/',
  '?key=',
  '"',
  ' ',
  'GET /invitations/',
  '\n',
  'Bearer ',
  '%2F',
  '{"a":"',
)

describe('a log line', () => {
  test('is for people on a terminal, secrets left out there too, and JSON elsewhere', () => {
    const written = (isTTY: boolean) => {
      let text = ''
      createLogger('info', { isTTY, write: (line) => (text += line) }).info(
        { key: mintKey() },
        'a key was made',
      )
      return text
    }
    expect(written(true)).toMatch(/^\[\d\d:\d\d:\d\d\] .*INFO.*a key was made.*vbt_\[redacted\].*\n$/u)
    expect(JSON.parse(written(false))).toMatchObject({ msg: 'a key was made', key: 'vbt_[redacted]' })
  })

  test('tells of an error its words and plain facts, and nothing of the objects that a library hangs on it', () => {
    const reply = (more: object) =>
      Object.assign(new Error('refused'), { code: 'WRONGPASS', errno: -1, ...more })
    const command = { name: 'hello', args: ['3', 'AUTH', 'default', 'hunter2'] }
    const inner = reply({ command, client: { secretKey: 42 } })
    const errors = [
      inner,
      reply({ lastNodeError: inner, previousErrors: [inner] }),
      new AggregateError([inner], 'all failed', { cause: inner }),
    ]
    for (const err of errors) {
      let line = ''
      createLogger('info', { write: (text) => (line += text) }).info({ err }, 'Redis')
      expect(line).toContain('refused')
      expect(line).not.toMatch(/hunter2|secretKey/u)
      expect(line.match(/"code":"WRONGPASS","errno":-1/gu)).not.toBeNull()
    }
  })

  test('holds no secret of ours, whole, with its underscore encoded, or without its prefix', () => {
    fc.assert(
      fc.property(
        secret,
        around,
        fc.constantFrom('', '/', ' ', '"', '&x=1', '\n'),
        (minted, before, after) => {
          const bare = minted.slice(4)
          for (const form of [minted, minted.replace('_', '%5F'), minted.replace('_', '%5f')])
            expect(scrubSecrets(before + form + after)).not.toContain(bare)
          if (!/[0-9A-Za-z]$/u.test(before)) expect(scrubSecrets(before + bare + after)).not.toContain(bare)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('keeps what is no secret: ids, digests, words', () => {
    const id = fc.stringMatching(/^(?:key|user|req)_[0-9A-Za-z]{16}$/u)
    const digest = fc.stringMatching(/^[0-9a-f]{64}$/u)
    fc.assert(
      fc.property(fc.oneof(id, digest, fc.lorem()), (text) => {
        expect(scrubSecrets(`before ${text} after`)).toBe(`before ${text} after`)
      }),
    )
  })

  test('is scrubbed wherever the secret stood: message, field, error, inside an object', () => {
    const lines: string[] = []
    const log = createLogger('info', { write: (line) => lines.push(line) })
    const key = mintKey()
    log.info({ path: `/x/${key.replace('_', '%5F')}`, deep: { list: [key.slice(4)] } }, `asked with ${key}`)
    log.error({ err: new Error(`refused ${key}`) }, 'failed')
    expect(lines).toHaveLength(2)
    expect(lines.join('')).not.toContain(key.slice(4))
  })
})
