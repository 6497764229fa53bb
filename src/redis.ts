// The one way to Redis: which address means what, and options under which a dead or hung Redis costs a request
// milliseconds. At the bottom of the house, because the limiter and the page cache both stand on it.
import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis'
import type { Logger } from './telemetry.ts'

/** A hung Redis is given up on after this long; measured round trips on loopback are 0.07 ms. */
const COMMAND_TIMEOUT_MS = 150
const CONNECT_TIMEOUT_MS = 2_000
const RECONNECT_MAX_MS = 1_000
const FIRST_CONNECTION_MS = 2_000

export type RedisClient = Redis | Cluster

/** What a Redis address says. Hosts keep the order they are written in. */
export interface RedisAddress {
  kind: 'single' | 'cluster' | 'sentinel'
  hosts: { host: string; port: number }[]
  tls: boolean
  username: string | null
  password: string | null
  database: number
  /** Name of the master the sentinels watch; null unless kind is 'sentinel'. */
  sentinelMaster: string | null
}
