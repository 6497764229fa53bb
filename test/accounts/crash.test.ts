import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openKeys } from '../../src/accounts/keys.ts'
import { openStore, type StoreLocation } from '../../src/accounts/store.ts'
import { describeEachStore, silent } from './each-store.ts'

const WORKER = new URL('store-worker.ts', import.meta.url).pathname
/** Of each kind of store; KILL_ROUNDS=100 for a thorough run. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 12)

/** Lets a process make and revoke keys, kills it at a random moment, and returns the lines it had written. */
async function churnAndKill(location: StoreLocation): Promise<string[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', WORKER, JSON.stringify(location), 'churn'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const ended = Promise.all([once(child, 'exit'), once(output, 'close')])
  await Promise.race([once(output, 'line'), ended])
  await sleep(Math.random() * 200)
  child.kill('SIGKILL')
  await ended
  return lines
}

describeEachStore('keys made and revoked by a process that is killed', (current) => {
  it(
    `are neither lost nor brought back, ${ROUNDS} times over`,
    { timeout: 60_000 + ROUNDS * 5_000 },
    async () => {
      const { location } = current()
      const active = new Set<string>()
      const revoked = new Set<string>()
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const line of await churnAndKill(location)) {
          const [step, key = ''] = line.split(' ')
          if (step === 'created') active.add(key)
          // Between "revoking" and "revoked" either outcome is right.
          if (step === 'revoking') active.delete(key)
          if (step === 'revoked') revoked.add(key)
        }
      }
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
