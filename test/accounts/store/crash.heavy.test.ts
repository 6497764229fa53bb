import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openKeys } from '../../../src/accounts/keys/keys.ts'
import { openStore } from '../../../src/accounts/store/open-store.ts'
import type { StoreLocation } from '../../../src/accounts/store/store.ts'
import { bundleProgram } from '../../support/bundled-program.ts'
import { describeEachStore, silent } from '../each-store.ts'

const WORKER = await bundleProgram(join(import.meta.dirname, 'churn-worker.mjs'))
/** Of each kind of store. */
const ROUNDS = 100
/** Started ahead, so that no round waits for its process. */
const READY = 2

/** A process that is ready to make and revoke keys, and waits. */
function startChurn(location: StoreLocation) {
  const child = spawn(process.execPath, [WORKER, JSON.stringify(location)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const ended = Promise.all([once(child, 'exit'), once(output, 'close')])
  return {
    /** Lets it work, kills it at a random moment, and returns the lines it had written. */
    async runAndKill(): Promise<string[]> {
      const begun = once(output, 'line')
      child.stdin.write('go\n')
      await Promise.race([begun, ended])
      await sleep(Math.random() * 60)
      child.kill('SIGKILL')
      await ended
      return lines
    },
    async end(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}

describeEachStore('keys made and revoked by a process that is killed', (current) => {
  it(
    `are neither lost nor brought back, ${ROUNDS} times over`,
    { timeout: 60_000 + ROUNDS * 5_000 },
    async () => {
      const { location } = current()
      const active = new Set<string>()
      const revoked = new Set<string>()
      let made = 0
      const ready = Array.from({ length: READY }, () => startChurn(location))
      for (let round = 0; round < ROUNDS; round += 1) {
        ready.push(startChurn(location))
        for (const line of (await ready.shift()?.runAndKill()) ?? []) {
          const [step, key = ''] = line.split(' ')
          if (step === 'created') made += 1
          if (step === 'created') active.add(key)
          // Between "revoking" and "revoked" either outcome is right.
          if (step === 'revoking') active.delete(key)
          if (step === 'revoked') revoked.add(key)
        }
      }
      await Promise.all(ready.map((churn) => churn.end()))
      expect(made).toBeGreaterThanOrEqual(ROUNDS)
      expect(active.size).toBeGreaterThan(0)
      expect(revoked.size).toBeGreaterThan(0)
      const store = await openStore(location, { log: silent })
      const keys = openKeys({ store, log: silent })
      for (const key of active) expect(await keys.verify(key)).not.toBeNull()
      for (const key of revoked) expect(await keys.verify(key)).toBeNull()
      await keys.close()
      await store.close()
    },
  )
})
