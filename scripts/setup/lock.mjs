// One set-up at a time: `npm test` beside `npm start` waits for the other to finish.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kill, pid } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from './files.mjs'

const LOCK = join(ROOT, '.setup.lock')
const PATIENCE_MS = 15 * 60_000
const POLL_MS = 250
let isHeld = false

/** Runs `work` while nobody else does. @throws {Error} when another one has been at it for a quarter of an hour */
export async function withLock(work) {
  const startedAt = Date.now()
  while (!takeLock()) {
    if (Date.now() - startedAt > PATIENCE_MS) throw new Error(`another set-up seems stuck; remove ${LOCK}`)
    await sleep(POLL_MS)
  }
  try {
    return await work()
  } finally {
    releaseLock()
  }
}

/** Does nothing where another one holds it. */
export function releaseLock() {
  if (isHeld) rmSync(LOCK, { force: true })
  isHeld = false
}

function takeLock() {
  try {
    writeFileSync(LOCK, String(pid), { flag: 'wx' })
    isHeld = true
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    const holder = Number(readFileSync(LOCK, 'utf8')) || 0
    if (holder !== 0 && !isAlive(holder)) rmSync(LOCK, { force: true })
    return false
  }
}

function isAlive(process) {
  try {
    kill(process, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
