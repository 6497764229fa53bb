// Finds, and where it may installs, the real servers that tests start (Redis, PostgreSQL), and starts and ends them.
// Where a program cannot be had its tests are skipped, said aloud once and counted as skipped.
import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const { CI = '', VERBATIM_INSTALL = '' } = process.env
/** Packages of the system are installed only where somebody said so; elsewhere the tests that need them are skipped. */
const mayInstall = [CI, VERBATIM_INSTALL].some((value) => !['', '0', 'false'].includes(value))

/**
 * The path of `name` in one of `folders`; with CI or VERBATIM_INSTALL=1 it installs Debian's `debianPackage` first when
 * run as root. Null without.
 */
export function findProgram(name: string, folders: () => string[], debianPackage: string): string | null {
  const found = find(name, folders())
  if (found !== null) return found
  if (mayInstall && process.getuid?.() === 0 && find('apt-get', pathFolders()) !== null) {
    process.stderr.write(`\n${name} is not here: installing Debian's ${debianPackage} …\n`)
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', debianPackage], options)
  }
  const installed = find(name, folders())
  if (installed === null) {
    process.stderr.write(
      mayInstall
        ? `\nSKIPPED: ${name} is not here and cannot be installed; tests that need it do not run.\n`
        : `\nSKIPPED: ${name} is not here; tests that need it do not run. As root, VERBATIM_INSTALL=1 npm test ` +
            `installs Debian's ${debianPackage}.\n`,
    )
  }
  return installed
}

export const pathFolders = (): string[] => (process.env['PATH'] ?? '').split(':')

function find(name: string, folders: string[]): string | null {
  for (const folder of folders) {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return join(folder, name)
    } catch {
      continue
    }
  }
  return null
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Starts a server and keeps its last output for the error message. */
export function startProgram(path: string, args: string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(path, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout?.resume()
  child.stderr?.resume()
  return child
}

/** Sends `signal` and waits until the process is gone. */
export async function endProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGCONT')
  child.kill(signal)
  await gone
}

/** Waits until `probe` no longer throws. */
export async function waitUntil(probe: () => Promise<void> | void, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      await probe()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await sleep(25)
  }
}
