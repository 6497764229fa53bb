// Lets one process at a time work on a folder.
import { open, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const LOCK_NAME = '.lock'
const POLL_MS = 100
/** The holder touches its lock this often … */
const TOUCH_MS = 5_000
/** … so that one which was not touched for this long belongs to a process that died. */
const STALE_MS = 30_000

async function acquire(path: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      const handle = await open(path, 'wx')
      await handle.close()
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    const found = await stat(path).catch(() => null)
    if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true })
    else await sleep(POLL_MS, undefined, { signal })
  }
}

/**
 * Runs `work` while no other process (or call) holds the folder's lock; waits for it without limit but `signal`'s.
 * The lock of a process that died is taken over after 30 seconds.
 */
export async function withDirectoryLock<T>(
  directory: string,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const path = join(directory, LOCK_NAME)
  await acquire(path, signal)
  const touch = setInterval(() => {
    // A failure shows itself in the work, which writes to the same folder.
    utimes(path, new Date(), new Date()).catch(() => {})
  }, TOUCH_MS)
  try {
    return await work()
  } finally {
    clearInterval(touch)
    await rm(path, { force: true })
  }
}
