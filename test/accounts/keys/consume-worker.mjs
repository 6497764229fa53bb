// A process that spends points: `node consume-worker.mjs REDIS_URL POINTS ATTEMPTS CONSUMERS SUBJECT…`. Prints for each
// subject how many were allowed, as JSON.
import { createRateLimiter } from '../../../src/accounts/keys/rate-limiter.ts'
import { openRedis } from '../../../src/connections/redis.ts'
import { createLogger } from '../../../src/telemetry/log.ts'

const [url, points, attempts, consumers, ...subjects] = process.argv.slice(2)
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

async function consume(subject, times) {
  let allowed = 0
  for (let index = 0; index < times; index += 1) {
    if ((await limiter.consume(subject)).allowed) allowed += 1
  }
  return allowed
}

const each = Number(attempts) / Number(consumers)
const allowedOf = {}
for (const subject of subjects) {
  const counts = await Promise.all(Array.from({ length: Number(consumers) }, () => consume(subject, each)))
  allowedOf[subject] = counts.reduce((sum, count) => sum + count, 0)
}
process.stdout.write(JSON.stringify(allowedOf))
await redis.close()
