// The compose files, read by Compose itself as Debian has it. Debian 12 has the first Compose, which knows neither the
// top-level `name`, `!reset` nor a file of settings that need not be there, so it gets the files without these three, and
// compose.test.ts judges them; the second Compose, which the files are for, gets them as they are.
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

/** Null where there is no Compose. */
const isFirst =
  compose === null ? null : / 1\.\d/u.test(spawnSync(compose, ['version'], { encoding: 'utf8' }).stdout)
const forFirst: Edit = (text) =>
  text
    .replace(/^name: .*\n/mu, '')
    .replaceAll('!reset []', '[]')
    .replace(/^ +env_file:\n.*\n/mu, '')

/** Everything that `docker-compose config` says of the files, each after `edit`, and its status. */
function configOf(names: readonly string[], edit: Edit = asItIs) {
  const words = names.flatMap((name) => {
    const text = readFileSync(join(DEPLOY, name), 'utf8')
    writeFileSync(join(folder, name), edit(isFirst === true ? forFirst(text) : text))
    return ['--file', join(folder, name)]
  })
  const environment = { PATH: process.env['PATH'], POSTGRES_PASSWORD: 'other' }
  return spawnSync(compose ?? '', [...words, 'config'], {
    encoding: 'utf8',
    env: environment,
    cwd: DEPLOY,
  })
}

/** As the second Compose writes a port: in parts. */
interface Port {
  host_ip: string
  published: string
  target: number
  protocol: string
}
interface Service {
  ports?: (string | Port)[]
  environment: Record<string, string>
}

const servicesOf = (text: string) => (parse(text) as { services: Record<string, Service> }).services

const asText = (port: string | Port): string =>
  typeof port === 'string' ? port : `${port.host_ip}:${port.published}:${port.target}/${port.protocol}`

describe.skipIf(compose === null)('Compose', () => {
  test('accepts the files, one alone and both together, and fills in what the environment names', () => {
    const alone = configOf(['compose.yaml'])
    expect([alone.status, alone.stderr]).toEqual([0, ''])
    const { verbatim } = servicesOf(alone.stdout)
    expect(verbatim?.ports?.map(asText)).toEqual(['127.0.0.1:3000:3000/tcp'])
    expect(verbatim?.environment['DATABASE_URL']).toBe('postgres://verbatim:other@postgres:5432/verbatim')
    const both = configOf(['compose.yaml', 'compose.replicas.yaml'])
    expect([both.status, both.stderr]).toEqual([0, ''])
    const services = servicesOf(both.stdout)
    expect(services).toMatchObject({ verbatim: { environment: { REPLICAS: '2' } }, balancer: {} })
    if (isFirst === false) expect(services['verbatim']?.ports).toBeUndefined()
  })

  test.skipIf(isFirst === true)('takes what it is not told of from a file, which need not be there', () => {
    writeFileSync(join(folder, 'verbatim.env'), 'RATE_LIMIT_POINTS=7\nREDIS_URL=redis://elsewhere\n')
    const { verbatim } = servicesOf(configOf(['compose.yaml']).stdout)
    rmSync(join(folder, 'verbatim.env'))
    expect(verbatim?.environment).toMatchObject({ RATE_LIMIT_POINTS: '7', REDIS_URL: 'redis://cache:6379' })
  })

  test.each<[string, Edit]>([
    ['a misspelled option', (text) => text.replaceAll('mem_limit', 'mem_limitt')],
    ['a wrong type', (text) => text.replace('read_only: true', 'read_only: [true]')],
    ['a service to wait for that is not there', (text) => text.replace('cache: {', 'cash: {')],
  ])('refuses %s', (_, edit) => {
    expect(configOf(['compose.yaml'], edit).status).toBeGreaterThan(0)
  })
})
