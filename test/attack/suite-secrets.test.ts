// The check at the end of every run of the suite, tried on logs that leak and logs that do not.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findLeaks } from '../support/suite-secrets.ts'

const SECRET = 'correct horse battery staple'

function leaksIn(...lines: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-leaks-'))
  try {
    writeFileSync(join(folder, '1.secrets'), `${JSON.stringify(SECRET)}\n"another one of ours"\n`)
    writeFileSync(join(folder, '2.log'), `${lines.join('\n')}\n`)
    return findLeaks(folder).leaks
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('a secret anywhere in a line of any process is found, and not told again', () => {
  for (const line of [SECRET, `{"err":"bad password ${SECRET}!"}`, `${'x'.repeat(100)}${SECRET}`]) {
    const leaks = leaksIn('{"msg":"harmless"}', line)
    expect(leaks).toHaveLength(1)
    expect(leaks[0]).not.toContain(SECRET)
  }
})

test('logs without one pass, words of it included', () => {
  expect(leaksIn('{"msg":"correct horse battery"}', '{"msg":"staple"}', '')).toEqual([])
})
