// What a replica is to shared crawls: a library on PostgreSQL, turns and a queue on Redis. Run as a program it joins the
// crawls under the name given, says "ready", and reads until it is killed or told to close (SIGTERM).
import { createCrawler } from '../../../src/library/crawl/crawler.ts'
import { createFrontier } from '../../../src/library/crawl/frontier.ts'
import { createRedisHostLock } from '../../../src/library/crawl/redis-host-lock.ts'
import { openCrawlQueue } from '../../../src/library/crawl/crawl-queue.ts'
import { openLibrary } from '../../../src/library/library.ts'
import { openQueueRedis } from '../../../src/connections/redis.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { loadPageAs, readText } from './load-page.ts'

/** Short, so that a test need not wait half a minute for what a dead replica has left behind. */
const LOCK_MS = 2_000
const HOLD_MS_MAX = 1_000

export async function openReplica(name: string, databaseUrl: string, redisUrl: string) {
  const library = await openLibrary({ databaseUrl, dataDir: '/unused' })
  const redis = await openQueueRedis(redisUrl, { log: createLogger('silent') })
  const errors: Error[] = []
  const crawler = createCrawler({
    library,
    loadPage: (url, signal) => loadPageAs(name, url, signal),
    readPage: readText,
    product: 'Verbatim',
    hostLock: createRedisHostLock({ redis: redis.client, holdMsMax: HOLD_MS_MAX }),
  })
  const queue = openCrawlQueue({
    redis,
    crawler,
    getSite: createFrontier(library).getSite,
    lockMs: LOCK_MS,
    onError: (error) => void errors.push(error),
  })
  return {
    library,
    queue,
    errors,
    async close(): Promise<void> {
      await queue.close()
      await library.close()
    },
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , name = '', databaseUrl = '', redisUrl = ''] = process.argv
  const replica = await openReplica(name, databaseUrl, redisUrl)
  process.once('SIGTERM', () => void replica.close())
  process.stdout.write('ready\n')
}
