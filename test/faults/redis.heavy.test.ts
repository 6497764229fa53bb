// Redis as operators secure it and as it fails: with TLS and a certificate of their own, and over a failover. The whole
// service answers; the client alone is tested in test/redis.test.ts.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { findProgram, freePort, pathFolders, waitUntil } from '../support/programs.ts'
import { hasRedis, startRedis, startSentinel } from '../support/redis.ts'
import { article, startSearchSite } from '../support/search-site.ts'
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts'

const openssl = findProgram('openssl', pathFolders, 'openssl')
const PASSWORD = 'a-password-of-redis-0815'
const QUESTION = { query: 'How is an API key revoked?' }
const METRICS = { METRICS_TOKEN: 'a-token-of-prometheus' }

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-redis-faults-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function startService(environment: NodeJS.ProcessEnv) {
  const page = article('Keys', ['An API key is revoked by deleting it on the keys page of the dashboard.'])
  const site = await startSearchSite({ '/keys': { html: page } })
  closers.push(() => site.close())
  const service = await startServiceProcess({
    DATA_DIR: newFolder(),
    SEARCH_PROVIDERS: 'searxng',
    SEARXNG_URL: site.engineUrl,
    ...METRICS,
    ...environment,
  })
  closers.push(() => service.end('SIGTERM'))
  const key = /vbt_[0-9A-Za-z]{36}/u.exec(service.output())?.[0] ?? ''
  return { service, search: async () => (await service.search(key, QUESTION)).status }
}

/** 1 when Redis answers, 0 when it is away. */
async function redisReady({ url }: ServiceProcess): Promise<string | undefined> {
  const headers = { Authorization: `Bearer ${METRICS.METRICS_TOKEN}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  return /^verbatim_redis_ready (\S+)$/mu.exec(text)?.[1]
}

describe.skipIf(!hasRedis || openssl === null)('Redis behind TLS', () => {
  async function startTlsRedis() {
    const folder = newFolder()
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const subject = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    const files = ['-keyout', key, '-out', certificate]
    spawnSync(openssl ?? '', ['req', '-x509', ...curve, ...files, ...subject])
    const port = await freePort()
    const tls = ['--tls-port', String(port), '--tls-auth-clients', 'no', '--requirepass', PASSWORD]
    const paths = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
    const redis = await startRedis([...tls, ...paths], PASSWORD)
    closers.push(() => redis.stop())
    return { redis, certificate, url: `rediss://:${PASSWORD}@127.0.0.1:${port}` }
  }

  test('is used when its certificate is trusted; limits and pages are in it', async () => {
    const { redis, certificate, url } = await startTlsRedis()
    const { service, search } = await startService({ REDIS_URL: url, NODE_EXTRA_CA_CERTS: certificate })
    expect(await redisReady(service)).toBe('1')
    expect(await search()).toBe(200)
    await waitUntil(() => {
      for (const kept of ['verbatim:limit:*', 'verbatim:page:*'])
        if (redis.command('keys', kept) === '') throw new Error(`Redis holds no ${kept}`)
    })
  })

  test('is left alone when its certificate is not: every search is answered without it, and it is told no password', async () => {
    const { redis, url } = await startTlsRedis()
    const { service, search } = await startService({ REDIS_URL: url })
    expect(await redisReady(service)).toBe('0')
    expect(await search()).toBe(200)
    expect(redis.command('dbsize')).toBe('0')
    expect(service.output()).toContain('does not answer; going on without it')
    expect(service.output()).not.toContain(PASSWORD)
  })
})

describe.skipIf(!hasRedis)('Redis that fails over', () => {
  test('costs no search, while it is without a master and after; then the new one is used', async () => {
    const master = await startRedis()
    closers.push(() => master.stop())
    const replica = await startRedis(['--replicaof', '127.0.0.1', String(master.port)])
    closers.push(() => replica.stop())
    const sentinel = await startSentinel('ours', master)
    closers.push(() => sentinel.stop())
    await waitUntil(() => {
      if (!sentinel.command('sentinel', 'replicas', 'ours').includes(String(replica.port)))
        throw new Error('the sentinel does not know the replica')
      if (!replica.command('info', 'replication').includes('master_link_status:up'))
        throw new Error('the replica has not caught up')
    })
    const { service, search } = await startService({ REDIS_URL: sentinel.url })
    expect(await search()).toBe(200)
    expect(await redisReady(service)).toBe('1')
    await master.kill()
    const statuses: number[] = []
    await waitUntil(async () => {
      statuses.push(await search())
      if (!replica.command('info', 'replication').includes('role:master')) throw new Error('no new master')
      if ((await redisReady(service)) !== '1') throw new Error('the new master is not used')
    }, 60_000)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    expect(await search()).toBe(200)
  })
})
