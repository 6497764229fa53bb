// A data folder for tests of the account commands, and a way to run a command on it as a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleProgram } from '../support/bundled-program.ts'

const WORKER = await bundleProgram(join(import.meta.dirname, 'command-worker.mjs'))

export function createAccountsFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), 'verbatim-commands-'))
  return {
    dataDir,
    /** Runs `verbatim …words`. */
    async run(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
      const child = spawn(process.execPath, [WORKER, dataDir, ...words])
      const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      return { code: child.exitCode, stdout, stderr }
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}
