// deploy/compose.yaml, judged by the part of the Compose specification that it uses: every field is named here, so a
// misspelled one fails; and by what it promises.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { loadConfig } from '../../src/config.ts'
import { settingNames } from '../support/settings.ts'
import { DEPLOY, readYaml } from './manifests.ts'

const bytes = z.string().regex(/^\d+(?:k|m|g|kb|mb|gb)$/u)
const seconds = z.string().regex(/^\d+(?:ms|s|m)$/u)
const service = z.strictObject({
  image: z
    .string()
    .regex(/^[a-z0-9.]+\/[a-z0-9/]+:\d+\.\d+[\w.-]*$/u)
    .optional(),
  build: z.strictObject({ context: z.string(), args: z.record(z.string(), z.string()) }).optional(),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
  depends_on: z
    .record(z.string(), z.strictObject({ condition: z.enum(['service_started', 'service_healthy']) }))
    .optional(),
  ports: z.array(z.string()).optional(),
  env_file: z.array(z.strictObject({ path: z.string(), required: z.boolean() })).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  command: z.array(z.string()).optional(),
  user: z
    .string()
    .regex(/^\d+:\d+$/u)
    .optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()),
  shm_size: bytes.optional(),
  mem_limit: bytes,
  pids_limit: z.int().optional(),
  stop_grace_period: seconds.optional(),
  healthcheck: z
    .strictObject({ test: z.array(z.string()).min(2), interval: seconds, timeout: seconds, retries: z.int() })
    .optional(),
  networks: z.array(z.string()),
})
const composeSchema = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.strictObject({})),
})

const compose = composeSchema.parse(readYaml('compose.yaml'))
const { verbatim, cache, postgres, searxng } = compose.services

/** `${NAME:-default}` as Compose fills it in when NAME is not set. */
const filled = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/gu, '$1')

describe('deploy/compose.yaml', () => {
  test('names only networks, volumes, services and files that exist', () => {
    for (const one of Object.values(compose.services)) {
      for (const network of one.networks) expect(compose.networks).toHaveProperty(network)
      for (const name of Object.keys(one.depends_on ?? {})) {
        expect(compose.services).toHaveProperty(name)
        if (one.depends_on?.[name]?.condition === 'service_healthy')
          expect(compose.services[name]?.healthcheck).toBeDefined()
      }
      for (const volume of one.volumes ?? []) {
        const source = volume.split(':')[0] ?? ''
        if (source.startsWith('.')) expect(existsSync(join(DEPLOY, source))).toBe(true)
        else expect(compose.volumes).toHaveProperty(source)
      }
      for (const option of one.security_opt.filter((text) => text.startsWith('seccomp=')))
        expect(existsSync(join(DEPLOY, option.slice('seccomp='.length)))).toBe(true)
    }
  })

  test('runs as it stands, with nothing set: every setting is one the service understands', () => {
    const environment = Object.fromEntries(
      Object.entries(verbatim?.environment ?? {}).map(([name, value]) => [name, filled(value)]),
    )
    const config = loadConfig(environment)
    expect(config.redisUrl).toBe('redis://cache:6379')
    expect(config.accounts.store).toEqual({
      databaseUrl: 'postgres://verbatim:verbatim@postgres:5432/verbatim',
    })
    for (const name of Object.keys(environment)) expect(settingNames()).toContain(name)
    expect(verbatim?.env_file?.map(({ required }) => required)).toEqual([false])
    expect(filled(postgres?.environment?.['POSTGRES_PASSWORD'] ?? '')).toBe('verbatim')
    expect(existsSync(join(DEPLOY, verbatim?.build?.context ?? '', 'Dockerfile'))).toBe(true)
  })

  test('lets nobody but this machine in unless told so, and keeps database and cache away from the outside', () => {
    expect(verbatim?.ports?.map(filled)).toEqual(['127.0.0.1:3000:3000'])
    const onOtherPort = verbatim?.ports?.map((text) => filled(text.replace(/\$\{PORT:-[^}]*\}/u, '8080')))
    expect(onOtherPort).toEqual(['127.0.0.1:8080:3000'])
    for (const one of [cache, postgres, searxng]) expect(one?.ports).toBeUndefined()
    expect(compose.networks['inner']?.internal).toBe(true)
    expect([cache?.networks, postgres?.networks]).toEqual([['inner'], ['inner']])
  })

  test('gives the service no privileges and a read-only root, and the cache an LRU limit', () => {
    expect(verbatim?.read_only).toBe(true)
    for (const one of [verbatim, cache, searxng]) expect(one?.cap_drop).toEqual(['ALL'])
    for (const one of Object.values(compose.services))
      expect(one.security_opt).toContain('no-new-privileges:true')
    expect(cache?.command?.join(' ')).toContain('--maxmemory 256mb --maxmemory-policy volatile-lru')
  })
})

describe('deploy/compose.replicas.yaml', () => {
  const text = readFileSync(join(DEPLOY, 'compose.replicas.yaml'), 'utf8')
  const over = z
    .strictObject({
      services: z.strictObject({
        verbatim: z.strictObject({
          ports: z.tuple([]),
          deploy: z.strictObject({ replicas: z.int() }),
          environment: z.strictObject({ REPLICAS: z.string(), TRUST_PROXY: z.literal('on') }),
        }),
        balancer: service.extend({ cap_add: z.array(z.string()) }),
      }),
    })
    .parse(parse(text, { logLevel: 'error' }))
  const { balancer, verbatim: replica } = over.services

  test('opens the port of the balancer alone, and tells each replica how many there are', () => {
    expect(text).toContain('ports: !reset []')
    expect(balancer.ports).toEqual(verbatim?.ports)
    expect(Number(filled(replica.environment.REPLICAS))).toBe(replica.deploy.replicas)
    expect(balancer.networks.some((name) => verbatim?.networks.includes(name))).toBe(true)
  })

  test('sends a request to another replica when one cannot be reached, under the name and port of the service', () => {
    const [source = ''] = balancer.volumes?.[0]?.split(':') ?? []
    const rules = readFileSync(join(DEPLOY, source), 'utf8')
    expect(rules).toContain('http://verbatim:3000')
    expect(rules).toMatch(/proxy_next_upstream error timeout non_idempotent;/u)
    expect(rules).toContain('proxy_buffering off;')
  })
})

describe.each(['Dockerfile', 'deploy/Dockerfile.cuda'])('%s', (path) => {
  const lines = readFileSync(join(DEPLOY, '..', path), 'utf8').split('\n')

  test('carries everything the service reads at run time, and ends as an ordinary user', () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
    const copied = last.flatMap((line) => /^COPY (?:--from=[\w-]+ \/app\/)?(\S+)/u.exec(line)?.[1] ?? [])
    expect(copied).toEqual(
      expect.arrayContaining([
        'package.json',
        'packages',
        'node_modules',
        'dist',
        'models',
        'public',
        'docs',
        'CHANGELOG.md',
        'model-store',
      ]),
    )
    expect(lines.findLast((line) => line.startsWith('USER '))).toBe('USER verbatim')
    expect(lines.findLast((line) => line.startsWith('ENTRYPOINT'))).toContain('tini')
  })

  test('is healthy when it can answer, and its sources come after everything an edit of them leaves as it is', () => {
    expect(lines.slice(lines.findLastIndex((line) => line.startsWith('HEALTHCHECK'))).join('\n')).toContain(
      '/ready',
    )
    expect(lines.findLast((line) => line.startsWith('COPY '))).toBe('COPY --from=build /app/dist ./dist')
    const packages = lines.slice(
      lines.findIndex((line) => line.endsWith(' AS packages')),
      lines.findIndex((line) => line.endsWith(' AS build')),
    )
    expect(packages.filter((line) => line.startsWith('COPY '))).toEqual([
      'COPY package.json package-lock.json .npmrc ./',
      'COPY scripts/setup.mjs ./scripts/',
      'COPY scripts/setup ./scripts/setup',
      'COPY packages/no-canvas ./packages/no-canvas',
    ])
  })

  test('copies only what is there', () => {
    const sources = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1))
    for (const source of sources)
      expect([source, existsSync(join(DEPLOY, '..', source))]).toEqual([source, true])
  })
})
