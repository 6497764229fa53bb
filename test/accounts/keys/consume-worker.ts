// A process that spends points: `node --import tsx consume-worker.ts REDIS_URL SUBJECT POINTS ATTEMPTS CONSUMERS`.
// Prints how many were allowed.
import { createRateLimiter } from '../../../src/accounts/keys/rate-limiter.ts'
import { openRedis } from '../../../src/connections/redis.ts'
import { createLogger } from '../../../src/telemetry/log.ts'

const [url = '', subject = '', points = '', attempts = '', consumers = ''] = process.argv.slice(2)
const log = createLogger('silent')
const redis = await openRedis(url, { log, commandTimeoutMs: 30_000 })
if (!redis.isReady()) throw new Error('Redis does not answer')
const limiter = createRateLimiter({
  name: 'exact',
  points: Number(points),
  durationSeconds: 3_600,
  redis: redis.client,
  log,
})

async function consume(times: number): Promise<number> {
  let allowed = 0
  for (let index = 0; index < times; index += 1) {
    if ((await limiter.consume(subject)).allowed) allowed += 1
  }
  return allowed
}

const each = Number(attempts) / Number(consumers)
const counts = await Promise.all(Array.from({ length: Number(consumers) }, () => consume(each)))
process.stdout.write(String(counts.reduce((sum, count) => sum + count, 0)))
await redis.close()
