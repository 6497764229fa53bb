// The one way to Redis: which address means what, and options under which a dead or hung Redis costs a request
// milliseconds. At the bottom of the house, because the limiter and the page cache both stand on it.
import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis'
import { OperatorError } from '../errors.ts'
import type { Logger } from '../telemetry/log.ts'
import { type RedisWatch, watchRedis } from './redis-watch.ts'

/**
 * A hung Redis is given up on after this long. Measured round trips on loopback are 0.07 ms, but on a machine with eight
 * times the work it can do answers were read 150 ms late, and a limit that is then counted alone is not exact.
 */
const COMMAND_TIMEOUT_MS = 500
const CONNECT_TIMEOUT_MS = 2_000
const RECONNECT_MAX_MS = 1_000
const FIRST_CONNECTION_MS = 3_000
const CLUSTER_REDIRECTIONS_MAX = 4
const CLUSTER_RETRY_MS = 50

export type RedisClient = Redis | Cluster

interface RedisHost {
  host: string
  port: number
}

/** What a Redis address says. Hosts keep the order they are written in. */
export interface RedisAddress {
  kind: 'single' | 'cluster' | 'sentinel'
  hosts: [RedisHost, ...RedisHost[]]
  tls: boolean
  username: string | null
  password: string | null
  database: number
  /** Name of the master that the sentinels watch; null unless kind is 'sentinel'. */
  sentinelMaster: string | null
}

interface OpenRedisOptions {
  log: Logger
  /** When to give up a command on a server that hangs. Default 500 ms. */
  commandTimeoutMs?: number
}

export interface OpenRedis {
  client: RedisClient
  /** Whether it is there and takes what is written. */
  isReady(): boolean
  close(): Promise<void>
}

/**
 * Connects to Redis. Waits up to three seconds for the first connection, then goes on without: everything that
 * stands on Redis works without it, and the client keeps reconnecting (at least once a second).
 * Commands are never queued or repeated while the connection is away or Redis hangs; they fail at once.
 * @throws {OperatorError} when `url` is no Redis address, or names a database that is not there.
 */
export async function openRedis(url: string, options: OpenRedisOptions): Promise<OpenRedis> {
  const address = parseRedisAddress(url)
  const commandTimeout = options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS
  const client = await createClient(address, {
    commandTimeout,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  })
  const watch = watchRedis(client, placeOf(address), options.log)
  const isOfTheDatabase = watchDatabase(client)
  await firstConnection(client)
  await watch.probe()
  const opened = openedRedis(client, watch)
  if (isOfTheDatabase()) return opened
  await opened.close()
  throw new OperatorError(`REDIS_URL names database ${address.database}, which that Redis does not have.`)
}

/** Where a database is missing the client goes on in another one, and says so once. */
function watchDatabase(client: RedisClient): () => boolean {
  let isMissing = false
  client.on('error', ({ message }: Error) => (isMissing ||= message.startsWith('ERR DB index')))
  return () => !isMissing
}

const placeOf = ({ hosts }: RedisAddress): string =>
  hosts.map(({ host, port }) => `${host}:${port}`).join(', ')

const openedRedis = (client: RedisClient, watch: RedisWatch | null): OpenRedis => ({
  client,
  isReady: () => watch?.serves() ?? client.status === 'ready',
  async close() {
    watch?.close()
    client.disconnect()
  },
})

/**
 * A connection for a queue of jobs, which is no part of answering a request: commands wait as long as it takes, also for
 * a Redis that is away, and one that blocks is not given up on. The first connection is waited for as by `openRedis`.
 * @throws {OperatorError} when `url` is no Redis address.
 */
export async function openQueueRedis(
  url: string,
  options: Pick<OpenRedisOptions, 'log'>,
): Promise<OpenRedis> {
  const address = parseRedisAddress(url)
  const client = await createClient(address, { enableOfflineQueue: true, maxRetriesPerRequest: null })
  reportState(client, placeOf(address), options.log)
  await firstConnection(client)
  return openedRedis(client, null)
}

/**
 * Reads a Redis address:
 * - `redis://[user:password@]host[:6379][/database]`: one server; `rediss://` with TLS.
 * - `redis://a:7000,b:7001`, or one host with `?cluster`: Redis Cluster; any of its nodes will do.
 * - `redis://a:26379,b:26379[/database]?sentinel=NAME`: the master NAME, found through these sentinels; user and
 *   password are the master's.
 * @throws {OperatorError} naming what is wrong, without the password.
 */
export function parseRedisAddress(url: string): RedisAddress {
  const parts = /^(rediss?):\/\/(?:([^@/?]*)@)?([^@/?]+)(?:\/(\d*))?(?:\?(.*))?$/u.exec(url)
  if (parts === null)
    throw new OperatorError('REDIS_URL is no address such as redis://user:password@host:6379/0.')
  const [, scheme, credentials = '', hostList = '', database = '', query = ''] = parts
  const options = new URLSearchParams(query)
  const sentinelMaster = options.get('sentinel')
  const defaultPort = sentinelMaster === null ? 6379 : 26_379
  const [first = '', ...others] = hostList.split(',')
  const hosts: RedisAddress['hosts'] = [
    parseHost(first, defaultPort),
    ...others.map((text) => parseHost(text, defaultPort)),
  ]
  const isCluster = sentinelMaster === null && (hosts.length > 1 || options.has('cluster'))
  if (isCluster && Number(database) > 0)
    throw new OperatorError('REDIS_URL: a Redis Cluster has database 0 alone.')
  const [username = '', ...password] = credentials.split(':').map(decodeCredential)
  return {
    kind: sentinelMaster === null ? (isCluster ? 'cluster' : 'single') : 'sentinel',
    hosts,
    tls: scheme === 'rediss',
    username: username === '' ? null : username,
    password: password.length === 0 ? null : password.join(':'),
    database: Number(database),
    sentinelMaster,
  }
}

function decodeCredential(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new OperatorError('REDIS_URL: in user and password a "%" is written as "%25".')
  }
}

function parseHost(text: string, defaultPort: number): RedisHost {
  if (!URL.canParse(`redis://${text}`))
    throw new OperatorError(`REDIS_URL: "${text}" is no host or host:port.`)
  const { hostname, port } = new URL(`redis://${text}`)
  return { host: hostname.replace(/^\[|\]$/gu, ''), port: port === '' ? defaultPort : Number(port) }
}

/** How long a command may wait for a Redis that is away or hangs. */
interface Patience {
  commandTimeout?: number
  enableOfflineQueue: boolean
  maxRetriesPerRequest: number | null
}

async function createClient(address: RedisAddress, patience: Patience): Promise<RedisClient> {
  const options = connectionOptions(address, patience)
  if (address.kind === 'cluster') return createCluster(address, options)
  const { Redis } = await import('./redis-classes.ts')
  if (address.sentinelMaster === null)
    return new Redis({ ...options, ...address.hosts[0], db: address.database })
  return new Redis({
    ...options,
    sentinels: address.hosts,
    name: address.sentinelMaster,
    db: address.database,
    enableTLSForSentinelMode: address.tls,
    sentinelRetryStrategy: reconnectPauseMs,
  })
}

const reconnectPauseMs = (attempt: number): number => Math.min(attempt * 50, RECONNECT_MAX_MS)

function connectionOptions(address: RedisAddress, patience: Patience) {
  return {
    ...patience,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: reconnectPauseMs,
    // After a failover the old master is a read-only replica: leave it, and find the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...(address.username === null ? {} : { username: address.username }),
    ...(address.password === null ? {} : { password: address.password }),
    ...(address.tls ? { tls: {} } : {}),
  } satisfies RedisOptions
}

async function createCluster(
  address: RedisAddress,
  redisOptions: ReturnType<typeof connectionOptions>,
): Promise<Cluster> {
  const { Cluster } = await import('./redis-classes.ts')
  const options = {
    redisOptions,
    enableOfflineQueue: redisOptions.enableOfflineQueue,
    maxRedirections: CLUSTER_REDIRECTIONS_MAX,
    retryDelayOnFailover: CLUSTER_RETRY_MS,
    retryDelayOnClusterDown: CLUSTER_RETRY_MS,
    clusterRetryStrategy: reconnectPauseMs,
  } satisfies ClusterOptions
  // With TLS the nodes must be spoken to by the names in their certificates, not by their addresses.
  if (!address.tls) return new Cluster(address.hosts, options)
  return new Cluster(address.hosts, { ...options, dnsLookup: (host, done) => done(null, host) })
}

/** One line when Redis goes and one when it comes back, not one for every attempt in between. */
function reportState(client: RedisClient, place: string, log: Logger): void {
  let isAway = false
  client.on('error', (error: Error) => {
    if (!isAway) log.warn({ err: error }, `Redis at ${place} does not answer; going on without it`)
    isAway = true
  })
  client.on('ready', () => {
    log.info(`Redis at ${place} answers`)
    isAway = false
  })
}

async function firstConnection(client: RedisClient): Promise<void> {
  if (client.status === 'ready') return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, FIRST_CONNECTION_MS)
    client.once('ready', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
