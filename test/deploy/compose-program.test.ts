// The compose files, read by Compose itself as Debian has it. That one knows neither the top-level `name` nor `!reset`,
// which came later, so it gets the files without these two; compose.test.ts judges them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findProgram, pathFolders } from '../support/programs.ts'
import { DEPLOY } from './manifests.ts'

const compose = findProgram('docker-compose', pathFolders, 'docker-compose')
const folder = mkdtempSync(join(tmpdir(), 'verbatim-compose-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Edit = (text: string) => string
const asItIs: Edit = (text) => text

/** Everything that `docker-compose config` says of the files, each after `edit`, and its status. */
function configOf(names: readonly string[], edit: Edit = asItIs) {
  const words = names.flatMap((name) => {
    const text = readFileSync(join(DEPLOY, name), 'utf8')
    const known = text.replace(/^name: .*\n/mu, '').replaceAll('!reset []', '[]')
    writeFileSync(join(folder, name), edit(known))
    return ['--file', join(folder, name)]
  })
  const environment = { PATH: process.env['PATH'], POSTGRES_PASSWORD: 'other' }
  return spawnSync(compose ?? '', [...words, 'config'], {
    encoding: 'utf8',
    env: environment,
    cwd: DEPLOY,
  })
}

const servicesOf = (text: string) =>
  (parse(text) as { services: Record<string, { ports?: string[]; environment: Record<string, string> }> })
    .services

describe.skipIf(compose === null)('Compose', () => {
  test('accepts the files, one alone and both together, and fills in what the environment names', () => {
    const alone = configOf(['compose.yaml'])
    expect([alone.status, alone.stderr]).toEqual([0, ''])
    const { verbatim } = servicesOf(alone.stdout)
    expect(verbatim?.ports).toEqual(['127.0.0.1:3000:3000/tcp'])
    expect(verbatim?.environment['DATABASE_URL']).toBe('postgres://verbatim:other@postgres:5432/verbatim')
    const both = configOf(['compose.yaml', 'compose.replicas.yaml'])
    expect([both.status, both.stderr]).toEqual([0, ''])
    expect(servicesOf(both.stdout)).toMatchObject({
      verbatim: { environment: { REPLICAS: '2' } },
      balancer: {},
    })
  })

  test.each<[string, Edit]>([
    ['a misspelled option', (text) => text.replaceAll('mem_limit', 'mem_limitt')],
    ['a wrong type', (text) => text.replace('read_only: true', 'read_only: [true]')],
    ['a service to wait for that is not there', (text) => text.replace('cache: {', 'cash: {')],
  ])('refuses %s', (_, edit) => {
    expect(configOf(['compose.yaml'], edit).status).toBe(1)
  })
})
