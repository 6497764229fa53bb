// A process that makes and revokes keys until it is killed: `node churn-worker.mjs LOCATION`, where LOCATION is JSON.
// It waits for a line of input before it touches the store, and writes a line before and after every step, at once.
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { openKeys } from '../../../src/accounts/keys/keys.ts'
import { openStore } from '../../../src/accounts/store/open-store.ts'
import { createLogger } from '../../../src/telemetry/log.ts'

const log = createLogger('silent')
const say = (line) => writeSync(1, `${line}\n`)

await once(process.stdin, 'data')
const store = await openStore(JSON.parse(process.argv[2]), { log })
const keys = openKeys({ store, log })
for (;;) {
  const { key } = await keys.create({ name: 'churn', ownerId: null })
  say(`created ${key}`)
  if (Math.random() < 0.5) {
    say(`revoking ${key}`)
    await keys.revoke(key, { userId: null })
    say(`revoked ${key}`)
  }
}
