// A process that uses an account store: `node store-worker.mjs LOCATION ACTION`, where LOCATION is JSON.
// - first-run: opens and prints the first run's key, or "none".
// - open: opens and prints "open", or "trouble: …" when the store cannot be used.
// - fill: makes keys until the disk is full, frees space, makes one more; prints what happened.
import { rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { prepareFirstRun } from '../../../src/accounts/first-run.ts'
import { openKeys } from '../../../src/accounts/keys/keys.ts'
import { StoreError } from '../../../src/accounts/store/store-error.ts'
import { openStore } from '../../../src/accounts/store/open-store.ts'
import { createLogger } from '../../../src/telemetry/log.ts'

const log = createLogger('silent')
const [locationText, action] = process.argv.slice(2)
const location = JSON.parse(locationText)
const say = (line) => writeSync(1, `${line}\n`)

const actions = {
  async 'first-run'(store) {
    const first = await prepareFirstRun(store)
    say(first?.key ?? 'none')
    await first?.confirmShown()
  },
  async open() {
    say('open')
  },
  async fill(store) {
    const keys = openKeys({ store, log })
    const first = await keys.create({ name: 'before', ownerId: null })
    try {
      for (;;) await keys.create({ name: 'x'.repeat(100), ownerId: null })
    } catch (error) {
      say(error instanceof StoreError ? error.trouble : String(error))
    }
    say((await keys.verify(first.key)) === null ? 'unreadable' : 'readable')
    rmSync(join(location.dataDir, 'filler'))
    await keys.create({ name: 'after', ownerId: null })
    say('writable again')
    await keys.close()
  },
}

try {
  const store = await openStore(location, { log })
  await actions[action](store)
  await store.close()
} catch (error) {
  if (!(error instanceof StoreError)) throw error
  say(`trouble: ${error.trouble}`)
}
