// Builds what opens and reads pages as it is configured: for searches, and for crawls that run by themselves.
import type { Config } from '../config.ts'
import type { OpenRedis } from '../connections/redis.ts'
import { createMemoryCacheStore } from '../pages/cache/memory-store.ts'
import { createRedisCacheStore } from '../pages/cache/redis-store.ts'
import { openPages } from '../pages/open-pages.ts'
import { openReadingPool, type ReadingPool } from '../search/reading/reading-pool.ts'
import type { Logger } from '../telemetry/log.ts'

/** What robots.txt and our own User-Agent call us. */
export const PRODUCT = 'Verbatim'

/** What we call ourselves to sites and search engines. */
export function userAgentOf(config: Config, version: string): string {
  return `${PRODUCT}/${version} (${config.pages.contact ?? 'self-hosted search; its operator names no contact'})`
}

/** Our documentation; and robots.txt, which is asked of every host. */
export const ownPagesOf = (ownUrl: string): string[] =>
  // PORT=0 takes a port that only the running service knows: a command has nothing to open there.
  new URL(ownUrl).port === '0' ? [] : [`${ownUrl}/docs`, `${ownUrl}/robots.txt`]

/** Page opening, which whoever opens it closes. */
export function openConfiguredPages(
  config: Config,
  options: {
    userAgent: string
    ownPages: readonly string[]
    redis: OpenRedis | null
    reading: Promise<Pick<ReadingPool, 'assessRendering' | 'decodeLong'>>
    log: Logger
  },
) {
  const { userAgent, ownPages, redis, reading, log } = options
  return openPages({
    userAgent,
    product: PRODUCT,
    respectRobots: config.pages.robots,
    egress: { allow: config.pages.egressAllow, ownPages },
    browser: {
      mode: config.browser.mode,
      chromiumPath: config.browser.chromiumPath,
      proxy: config.browser.proxy,
      limits: { tabs: config.browser.contexts },
    },
    assessRendering: async (html, url, signal) => (await reading).assessRendering(html, url, signal),
    decodeLong: async (page, signal) => (await reading).decodeLong(page, signal),
    whereSentOn: async (html, url) => (await import('../extract/classify/sent-on.ts')).whereSentOn(html, url),
    cacheStore:
      redis === null
        ? createMemoryCacheStore({ bytesMax: config.pages.cacheBytes })
        : createRedisCacheStore({ redis: redis.client }),
    isCacheAway: () => redis?.isReady() === false,
    logger: log,
  })
}

/** The threads and processes that read pages, which whoever opens them closes. */
export const openConfiguredReading = (log: Logger): Promise<ReadingPool> =>
  openReadingPool({
    onWorkerEnd: (reason, cause) =>
      log.warn({ reason, err: cause }, 'a worker that read pages was ended; another takes its place'),
  })
