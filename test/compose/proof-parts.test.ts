import { expect, test } from 'vitest'
import { openReachableKeyStore } from '../../src/compose/proof-parts.ts'
import { loadConfig } from '../../src/config.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { freePort } from '../support/programs.ts'

test('a command about signing keys tells a PostgreSQL that does not answer in one sentence, without its password', async () => {
  const config = loadConfig({
    DATABASE_URL: `postgres://me:hunter2secret@127.0.0.1:${await freePort()}/verbatim`,
  })
  const opening = openReachableKeyStore(config, createLogger('silent'), { connectTimeoutMs: 200 })
  await expect(opening).rejects.toMatchObject({ name: 'PostgresError', trouble: 'unreachable' })
  await expect(opening).rejects.toThrow(
    /^PostgreSQL at 127\.0\.0\.1:\d+\/verbatim did not answer within 0\.2 s\. Check DATABASE_URL/u,
  )
})
