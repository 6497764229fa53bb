// deploy/verbatim.service, read by systemd's own checker.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { findProgram, pathFolders } from '../support/programs.ts'
import { settingNames } from '../support/settings.ts'
import { DEPLOY } from './manifests.ts'

const checker = findProgram('systemd-analyze', pathFolders, 'systemd')
const folder = mkdtempSync(join(tmpdir(), 'verbatim-systemd-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const unit = readFileSync(join(DEPLOY, 'verbatim.service'), 'utf8')

/** What it says of a unit: nothing, when every line is one that it knows. */
function judge(text: string): string {
  const path = join(folder, 'verbatim.service')
  writeFileSync(path, text)
  const { stdout, stderr } = spawnSync(checker ?? '', ['verify', path], { encoding: 'utf8' })
  return stdout + stderr
}

describe.skipIf(checker === null)('the unit for systemd', () => {
  test('is one of which systemd knows every line', () => {
    expect(judge(unit)).toBe('')
  })

  test.each([
    ['a misspelled key', /^RestartSec/mu, 'RestartSecs'],
    ['a limit that is none', /^MemoryMax=.*$/mu, 'MemoryMax=4X'],
    ['a program that is not there', '/usr/bin/env', '/usr/bin/no-such-program'],
  ])('would be told to have %s', (_, from, to) => {
    expect(judge(unit.replace(from, to))).toContain('verbatim.service')
  })
})

test('the unit for systemd sets what the service understands, and nothing else but what Node and its memory read', () => {
  const settings = [...unit.matchAll(/^Environment=(.*)$/gmu)].flatMap(([, pairs = '']) => pairs.split(' '))
  const own = settings.filter((pair) => !/^(?:NODE_ENV|MALLOC_ARENA_MAX)=/u.test(pair))
  expect(own.length).toBeGreaterThan(0)
  for (const pair of own) expect(settingNames()).toContain(pair.split('=')[0])
  expect(() => loadConfig(Object.fromEntries(own.map((pair) => pair.split('='))))).not.toThrow()
})
