// Runs once around the whole suite: compiles what has changed since the last time, makes the folder in which all tests keep
// logs and secrets, and at the end fails the run when one of the secrets stands in one of the logs.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findLeaks, SUITE_FOLDER } from './suite-secrets.ts'

const SETUP = join(import.meta.dirname, '..', '..', 'scripts', 'setup.mjs')

export function setup(): () => void {
  execFileSync(process.execPath, [SETUP, '--build', '--quiet'], { stdio: 'inherit' })
  // Of services that are processes of their own, as of those in the tests': two threads would load the models twice for
  // each of some hundred services, and score no differently.
  process.env['EMBEDDING_THREADS'] ??= '1'
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-suite-'))
  process.env[SUITE_FOLDER] = folder
  return function teardown() {
    const { secrets, lines, leaks } = findLeaks(folder)
    rmSync(folder, { recursive: true, force: true })
    process.stderr.write(`\n${secrets} secrets were used, ${lines} lines were logged\n`)
    if (leaks.length === 0) return
    process.exitCode = 1
    throw new Error(`${leaks.length} lines of logs hold a secret:\n${leaks.slice(0, 20).join('\n')}`)
  }
}
