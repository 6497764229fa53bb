// A temporary folder of this process's own, removed when it ends: browsers and libraries keep theirs in it. What one that
// was killed left behind, the next one removes.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, getuid, pid, platform } from 'node:process'

const NAME = /^verbatim-process-(?<namespace>\d+)-(?<pid>\d+)-(?<started>\d+)$/u
/** A browser may run as another user, who passes through and lists nothing. */
const MODE = 0o711
/** Where nothing may be written, whoever needs a temporary file says so. */
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOSPC'])

/**
 * Lets everything that asks for a temporary folder from now on use this process's own; to be called once. Linux only:
 * no other system tells surely whether the process that made a folder is gone.
 */
export function useOwnTemporaryFolder(): void {
  if (platform !== 'linux') return
  const shared = tmpdir()
  const folder = join(shared, `verbatim-process-${namespaceOfPids()}-${pid}-${startOf(pid)}`)
  try {
    removeLeftBehind(shared)
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, MODE)
  } catch (error) {
    if (hasCode(error, UNWRITABLE)) return
    throw error
  }
  // Written and not read: no library takes its temporary folder from anywhere else.
  env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}

function removeLeftBehind(shared: string): void {
  for (const name of readdirSync(shared)) {
    const found = NAME.exec(name)?.groups
    // Another container's processes cannot be seen from here.
    if (found === undefined || found['namespace'] !== namespaceOfPids()) continue
    if (startOf(Number(found['pid'])) === found['started']) continue
    const path = join(shared, name)
    const isOurs = lstatSync(path, { throwIfNoEntry: false })?.uid === getuid?.()
    if (isOurs) rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Which processes count their numbers together: each container has its own (pid_namespaces(7)). */
const namespaceOfPids = (): string => readlinkSync('/proc/self/ns/pid').replace(/\D/gu, '')

/** When a process began, in ticks since the machine did, since numbers come again; null when there is none. */
function startOf(id: number): string | null {
  try {
    // proc_pid_stat(5): the program's name stands in brackets and may hold anything; the 22nd field is the 20th behind it.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\)\s/su, '')
      .split(' ')
    return fields[19] ?? null
  } catch (error) {
    if (hasCode(error, GONE)) return null
    throw error
  }
}

const GONE = new Set(['ENOENT', 'ESRCH'])

const hasCode = (error: unknown, codes: ReadonlySet<string>): boolean =>
  error instanceof Error && 'code' in error && codes.has(String(error.code))
